import { engines } from '../../package.json';
import { filesLike, read } from '../support/documents.mts';

type Lockfile = { packages: Record<string, { engines: { node: string } }> };

it('the package asks for the Node.js that the oldest n8n of the tests asks for', () => {
	/** The oldest Node.js of a range such as ">=20.19 <= 24.x". */
	const oldest = (range: string) => /^>=\s*(\d+(\.\d+)?)/.exec(range)![1]!;
	const required = filesLike('tools/n8n/runtimes/*/package-lock.json').map((file) => {
		const { packages } = JSON.parse(read(file)) as Lockfile;
		return oldest(packages['node_modules/n8n'].engines.node);
	});
	// As versions: 20.9 comes before 20.19.
	required.sort(new Intl.Collator('en', { numeric: true }).compare);
	expect(oldest(engines.node)).toEqual(required[0]);
});
