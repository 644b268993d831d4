import { randomUUID } from 'node:crypto';

import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { readExample, TABLE } from '../../support/example.mts';

/** A row of the table that the examples share, with its columns. */
export type Row = { application_id: string } & Record<string, any>;

const SET_UP = 'Set Up Once';
const { nodes } = await readExample('invite-from-a-list');
const creates = nodes.find((node) => node.name === 'Create The Table')!.parameters;
const { column: COLUMNS } = creates.columns as { column: object[] };

export type ApplicationsTable = Awaited<ReturnType<typeof tableForTest>>;

/**
 * A table with its own name. n8n 1.x has no node that creates a table, nor finds one by name: its users do both by
 * hand.
 */
export async function tableForTest(client: N8nClient) {
	const project = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project.id}/data-tables`;
	const name = `${TABLE} ${randomUUID().slice(0, 8)}`;

	const create = async (columns = COLUMNS, called = name) =>
		(await client.request<{ id: string }>('POST', tables, { name: called, columns })).id;
	let created = client.isVersion1 ? await create() : undefined;

	const findId = async () => {
		const filter = encodeURIComponent(JSON.stringify({ name: name.toLowerCase() }));
		const path = `${tables}?filter=${filter}`;
		const { data } = await client.request<{ data: Array<{ id: string }> }>('GET', path);
		if (!data[0]) throw new Error(`There is no table "${name}"`);
		return data[0].id;
	};
	const request = async <T,>(method: string, path: string, body?: object) =>
		await client.request<T>(method, `${tables}/${created ?? (await findId())}${path}`, body);

	const add = async (data: Array<Partial<Row>>) => {
		await request('POST', '/insert', { data, returnType: 'count' });
	};
	/** Removes all rows. */
	const clear = async () => {
		const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
		await request('DELETE', `/rows?filter=${filter}`);
	};
	return {
		/** The table to choose in an example's nodes. */
		get table() {
			return { name, id: created };
		},
		/** Recreates the table for these rows, like *Import CSV* into a new table, which guesses the columns' types. */
		importAsNew: async (rows: Row[]) => {
			if (created) await request('DELETE', '');
			const columns = Object.entries(rows[0]!).map(([column, value]) => {
				return { name: column, type: typeof value };
			});
			const id = await create(columns);
			if (created) created = id;
			await add(rows);
		},
		addColumn: async (column: string) =>
			await request('POST', '/columns', { name: column, type: 'string' }),
		/** Runs an example's "Set Up Once". One without it finds the table that another has created. */
		setUp: async (workflow: Workflow) => {
			if (client.isVersion1) return;
			if (!workflow.nodes.some((node) => node.name === SET_UP)) {
				await findId().catch(async () => await create());
				return;
			}
			const { id, status } = await client.runToEnd(workflow.id, SET_UP);
			if (status !== 'success') throw new Error(`"${SET_UP}" ended as ${status}`);
			// Tests then count the same executions in both versions.
			await client.request('POST', '/rest/executions/delete', { ids: [id] });
		},
		add,
		clear,
		/** Replaces all rows. */
		begin: async (rows: readonly Row[]) => {
			await clear();
			await add([...rows]);
		},
		/** Edits a row, as users do in the table. */
		correct: async (application_id: string, data: Partial<Row>) => {
			const filters = [{ columnName: 'application_id', condition: 'eq', value: application_id }];
			await request('PATCH', '/rows', { filter: { type: 'and', filters }, data });
		},
		/** Deletes the table. Returns a function that creates it again. */
		remove: async () => {
			await request('DELETE', '');
			return create;
		},
		/** Uses up the size limit that all tables share. Returns the undo. */
		fillUp: async (bytes: number) => {
			const id = await create([{ name: 'text', type: 'string' }], `Filler ${randomUUID()}`);
			const text = 'x'.repeat(100_000);
			const data = Array(Math.ceil(bytes / text.length)).fill({ text });
			await client.request('POST', `${tables}/${id}/insert`, { data, returnType: 'count' });
			return async () => await client.request('DELETE', `${tables}/${id}`);
		},
		/** Fewer than n8n 1.x returns at once: 50. */
		all: async () => (await request<{ data: Row[] }>('GET', '/rows?take=50')).data,
	};
}
