import { randomUUID } from 'node:crypto';

import { itemsOf, type N8nClient } from '../../../tools/n8n/client.mts';
import { readExample, TABLE } from '../../support/example.mts';

/** A row of the table that the examples share, with its columns. */
export type Row = Record<string, any>;

const SET_UP = ['Set Up Once', 'Create The Table'] as const;

export type ApplicationsTable = Awaited<ReturnType<typeof tableForTest>>;

/** Creates a table with its own name, as an example does. n8n 1.x has no node for that: its users do it by hand. */
export async function tableForTest(client: N8nClient) {
	const { nodes, ...example } = await readExample('invite-from-a-list');
	const create = nodes.find((node) => node.name === SET_UP[1])!;
	const name = (create.parameters.tableName = `${TABLE} ${randomUUID().slice(0, 8)}`);
	const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project}/data-tables`;
	const byNode = async () => {
		const workflow = await client.createWorkflow({ ...example, nodes });
		const execution = await client.runToEnd(workflow.id, SET_UP[0]);
		return itemsOf(execution, SET_UP[1])[0]!.json.id;
	};
	const byHand = async () => {
		const { column: columns } = create.parameters.columns as { column: object[] };
		return (await client.request<{ id: string }>('POST', tables, { name, columns })).id;
	};
	const id = await (client.isVersion1 ? byHand() : byNode());
	const request = async <T,>(method: string, path: string, body?: object) =>
		await client.request<T>(method, `${tables}/${id}${path}`, body);
	const [mode, value] = client.isVersion1 ? ['id', id] : ['name', name];

	return {
		/** The table to select in an example's nodes: 1.x finds none by name. */
		selected: { __rl: true, mode, value },
		add: async (...data: Row[]) => {
			await request('POST', '/insert', { data, returnType: 'count' });
		},
		/** Edits the rows with this email address, as users do in the table. */
		write: async (email: string, data: Row) => {
			const filters = [{ columnName: 'email', condition: 'eq', value: email }];
			await request('PATCH', '/rows', { filter: { type: 'and', filters }, data });
		},
		/** Takes away a column, so that no workflow can write it. Returns the undo. */
		breakColumn: async (column: string) => {
			const columns = await request<Array<{ id: string; name: string }>>('GET', '/columns');
			await request('DELETE', `/columns/${columns.find((each) => each.name === column)!.id}`);
			return async () => await request('POST', '/columns', { name: column, type: 'string' });
		},
		/** Fewer than n8n 1.x returns at once: 50. */
		all: async () => (await request<{ data: Row[] }>('GET', '/rows?take=50')).data,
	};
}
