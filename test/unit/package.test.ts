import { filesLike, read } from '../support/documents.mts';

const json = <T>(file: string) => JSON.parse(read(file)) as T;
const { version, engines } = json<{ version: string; engines: { node: string } }>('package.json');

/** The oldest Node.js of a range such as ">=20.19 <= 24.x", as a number that can be compared. */
const oldest = (range: string) => Number(/^>=\s*(\d+(?:\.\d+)?)/.exec(range)?.[1]);

describe('The package', () => {
	it('asks for the Node.js that the oldest n8n of the tests asks for', () => {
		const lockfiles = filesLike('tools/n8n/runtimes/*/package-lock.json');
		const required = lockfiles.map((file) => {
			type Lockfile = { packages: Record<string, { engines: { node: string } }> };
			return oldest(json<Lockfile>(file).packages['node_modules/n8n']!.engines.node);
		});
		expect(required.length).toBeGreaterThan(1);
		expect(oldest(engines.node)).toBe(Math.min(...required));
	});

	it('is described in the changelog', () => {
		const versions = [...read('CHANGELOG.md').matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(
			([, v]) => v,
		);
		expect(versions[0]).toBe(version);
		expect(versions.at(-1)).toBe('1.0.0');
	});
});
