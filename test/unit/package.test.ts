import { engines } from '../../package.json';
import { filesLike, read } from '../support/documents.mts';

type Lockfile = { packages: Record<string, { engines: { node: string } }> };

it('the package asks for the Node.js that the oldest n8n of the tests asks for', () => {
	/** The oldest Node.js of a range such as ">=20.19 <= 24.x": its parts. */
	const oldest = (range: string) =>
		/^>=\s*(\d+)(?:\.(\d+))?/
			.exec(range)!
			.slice(1)
			.map((part) => Number(part ?? 0));
	const required = filesLike('tools/n8n/runtimes/*/package-lock.json').map((file) => {
		const { packages } = JSON.parse(read(file)) as Lockfile;
		return oldest(packages['node_modules/n8n'].engines.node);
	});
	required.sort(
		([major, minor], [otherMajor, otherMinor]) => major - otherMajor || minor - otherMinor,
	);
	expect(oldest(engines.node)).toEqual(required[0]);
});
