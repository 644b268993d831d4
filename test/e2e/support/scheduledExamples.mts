import type { N8nClient } from '../../../tools/n8n/client.mts';
import type { ExampleName } from '../../support/example.mts';
import { expect, test as base, type Imported, type Row } from './exampleFixtures.mts';

/** The changes to a row once its link was emailed. */
export const SENT = { status: 'invited', problem: '', link_sent_at: expect.stringMatching(/^20/) };

/** Runs a workflow once. Expects success, or a failure with these words. @returns the execution's ID */
export type Run = (words?: RegExp) => Promise<string>;

/** Runs a workflow that a schedule starts. */
export const runOf = ({ id, nodes }: Imported, client: N8nClient): Run => {
	const start = nodes.find(({ type }) => type.endsWith('.scheduleTrigger'))!.name;
	return async (words) => {
		const { data, ...run } = await client.runToEnd(id, start);
		expect([run.status, data.resultData.error?.message]).toEqual(
			words ? ['error', expect.stringMatching(words)] : ['success', undefined],
		);
		return run.id;
	};
};

export const test = base.extend<{
	/** Puts rows into the table, and imports an example without its sample data. */
	schedule: (name: ExampleName, rows: Array<Partial<Row>>, how?: object) => Promise<Run>;
}>({
	schedule: async ({ n8n: { client }, applications, importExample }, use) =>
		await use(async (name, rows, how) => {
			const workflow = await importExample(name, { unpin: true, ...how });
			await applications.add(rows);
			return runOf(workflow, client);
		}),
});
