import { installN8n } from '../../tools/n8n/install.mts';
import { read } from '../support/documents.mts';
import { endNpm, useEmptyCache } from './support/standInNpm.mts';

jest.mock('../../tools/n8n/npm.mts', () => jest.requireActual<object>('./support/standInNpm.mts'));

it('an installation of n8n says every half minute how far each of its steps is', async () => {
	const removeCache = await useEmptyCache();
	const said: string[] = [];
	jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
	const hears = async (line: string) => {
		while (!said.includes(line)) await jest.advanceTimersByTimeAsync(0);
	};
	jest.useFakeTimers({ doNotFake: ['nextTick'], now: 0 });
	const installed = installN8n('2.x');
	const { packages } = JSON.parse(read('tools/n8n/runtimes/2.x/package-lock.json')) as {
		packages: object;
	};
	for (const [step, progress] of [
		['1 of 3: downloading n8n', `, 2 of up to ${Object.keys(packages).length} packages`],
		["2 of 3: fetching n8n's Node", ''],
		['3 of 3: building the native modules', ''],
	]) {
		await hears(`  ${step} …`);
		for (const time of ['0 min 30 s', '1 min 0 s']) {
			jest.advanceTimersByTime(30_000);
			await hears(`    ${step}: ${time}${progress}`);
		}
		endNpm();
	}
	expect(await installed).toMatchObject({ version: '2.41.1' });
	expect(jest.getTimerCount()).toBe(0);
	await removeCache();
});
