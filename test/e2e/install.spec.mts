import { prepare } from '../support/testEnvironment.mts';
import { bareTest as test, expect } from './fixtures.mts';

test('n8n is installed and the package packed', async ({ version }) => {
	const { installation } = await prepare(version);
	expect(installation.version.split('.')[0]).toBe(version.split('.')[0]);
});
