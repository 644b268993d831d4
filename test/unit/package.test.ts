import { engines } from '../../package.json';
import { filesLike, read } from '../support/documents.mts';

type Lockfile = { packages: Record<string, { engines: { node: string } }> };

it('the package asks for the Node.js that the oldest n8n of the tests asks for', () => {
	/** The oldest Node.js of a range such as ">=20.19 <= 24.x", as a comparable number. */
	const oldest = (range: string) => Number(/^>=\s*(\d+(?:\.\d+)?)/.exec(range)?.[1]);
	const required = filesLike('tools/n8n/runtimes/*/package-lock.json').map((file) => {
		const { packages } = JSON.parse(read(file)) as Lockfile;
		return oldest(packages['node_modules/n8n'].engines.node);
	});
	expect(oldest(engines.node)).toBe(Math.min(...required));
});
