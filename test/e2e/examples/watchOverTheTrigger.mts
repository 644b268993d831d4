import { expect, jsonOf, nodesRun, test } from './fixtures.mts';

const EXAMPLE = 'watch-over-the-trigger';
const START = 'Every Hour';
const SETTINGS = 'Our Addresses';

export function testWatchOverTheTrigger(): void {
	test(`${EXAMPLE}: says nothing while the webhook points here, and where to when it does not`, async ({
		n8n: { client, baseUrl },
		service,
		importAndSetUp,
		importFile,
	}) => {
		const { webhookId } = service;
		const decision = await importAndSetUp('result-to-decision', {
			parameters: { 'When A Result Is Ready': { webhookId } },
		});
		const watch = async (address: string) => {
			const { id } = await importFile(EXAMPLE, {
				unpin: true,
				parameters: settings(webhookId, address),
			});
			await client.publish(id);
			return await client.runToEnd(id, START);
		};
		await client.publish(decision.id);
		expect(nodesRun(await watch(`${baseUrl}/`)).at(-1)).toBe('All Is Well');

		const elsewhere = await watch('https://n8n.example.com/');
		expect(jsonOf(elsewhere, 'Send To The Team')).toEqual([
			{
				text: expect.stringMatching(
					new RegExp(`^The webhook "[^"]+" calls ${baseUrl}/\\S+, which is not our n8n`),
				),
			},
		]);
	});

	test(`${EXAMPLE}: says when there is no such webhook any more`, async ({
		n8n: { client },
		importFile,
	}) => {
		const { id } = await importFile(EXAMPLE, {
			unpin: true,
			parameters: settings('3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c', 'https://n8n.example.com/'),
		});
		const execution = await client.runToEnd(id, START);
		expect(jsonOf(execution, 'Send To The Team').map(({ text }) => text)).toEqual([
			expect.stringMatching(/^The webhook could not be looked at: .*webhook with this ID/),
		]);
	});

	test(`${EXAMPLE}: can be tried with its sample`, async ({
		n8n: { client },
		service,
		importFile,
	}) => {
		const { id } = await importFile(EXAMPLE);
		const execution = await client.runToEnd(id, START);
		expect(service.requests).toEqual([]);
		expect(nodesRun(execution).at(-1)).toBe('Send To The Team');
	});
}

/** What a user enters into the first node. */
function settings(webhook_id: string, n8n_address: string) {
	const assignments = Object.entries({ webhook_id, n8n_address }).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return { [SETTINGS]: { assignments: { assignments } } };
}
