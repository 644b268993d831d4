import { randomUUID } from 'node:crypto';

import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { readExample, TABLE } from '../../support/example.mts';

/** A row of the table that the examples share, with its columns. */
export type Row = Record<string, any>;

const SET_UP = 'Set Up Once';
const { nodes } = await readExample('invite-from-a-list');
const creates = nodes.find((node) => node.name === 'Create The Table')!.parameters;
const { column: COLUMNS } = creates.columns as { column: object[] };

export type ApplicationsTable = Awaited<ReturnType<typeof tableForTest>>;

/** A table with its own name. n8n 1.x has no node that creates a table, nor finds one by name: its users do both by hand. */
export async function tableForTest(client: N8nClient) {
	const project = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project.id}/data-tables`;
	const name = `${TABLE} ${randomUUID().slice(0, 8)}`;
	const create = async () =>
		(await client.request<{ id: string }>('POST', tables, { name, columns: COLUMNS })).id;
	let id = client.isVersion1 ? await create() : undefined;

	const find = async () => {
		const filter = encodeURIComponent(JSON.stringify({ name: name.toLowerCase() }));
		const path = `${tables}?filter=${filter}`;
		const { data } = await client.request<{ data: Array<{ id: string }> }>('GET', path);
		return (id ??= data[0]?.id);
	};
	const request = async <T,>(method: string, path: string, body?: object) =>
		await client.request<T>(method, `${tables}/${(id ??= await create())}${path}`, body);

	return {
		/** The table to select in an example's nodes. */
		get table() {
			return {
				__rl: true,
				mode: client.isVersion1 ? 'id' : 'name',
				value: client.isVersion1 ? id : name,
			};
		},
		name,
		/** Creates the table, with an example's *Set Up Once* if it has one. */
		setUp: async (workflow: Workflow) => {
			if (await find()) return;
			if (!workflow.nodes.some((node) => node.name === SET_UP)) return (id = await create());
			const execution = await client.runToEnd(workflow.id, SET_UP);
			// Tests then count the same executions in all versions.
			await client.request('POST', '/rest/executions/delete', { ids: [execution.id] });
			return await find();
		},
		add: async (...data: Row[]) => {
			await request('POST', '/insert', { data, returnType: 'count' });
		},
		/** Edits the rows with this email address, as users do in the table. */
		write: async (email: string, data: Row) => {
			const filters = [{ columnName: 'email', condition: 'eq', value: email }];
			await request('PATCH', '/rows', { filter: { type: 'and', filters }, data });
		},
		/** Takes away a column, so that no workflow can write it. Returns the undo. */
		breakColumn: async (name: string) => {
			type Column = { id: string; name: string };
			const columns = await request<Column[]>('GET', '/columns');
			await request('DELETE', `/columns/${columns.find((each) => each.name === name)!.id}`);
			return async () => await request('POST', '/columns', { name, type: 'string' });
		},
		/** Fewer than n8n 1.x returns at once: 50. */
		all: async () => (await request<{ data: Row[] }>('GET', '/rows?take=50')).data,
	};
}
