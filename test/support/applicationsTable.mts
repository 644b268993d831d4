import { randomUUID } from 'node:crypto';

import type { N8nClient, Workflow } from '../../tools/n8n/client.mts';
import { readExample, TABLE } from './example.mts';

/** A row of the table that the examples share: its columns are theirs. */
export type Row = { application_id: string } & Record<string, any>;

const SET_UP = 'Set Up Once';

/** n8n 1.x gives no more rows at once. */
const PAGE = 50;

export type ApplicationsTable = Awaited<ReturnType<typeof tableForTest>>;

/**
 * A table of a name of its own. n8n 1.x has no node that makes a table, and finds none by its name: there a user
 * does both by hand.
 */
export async function tableForTest(client: N8nClient) {
	const project = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project.id}/data-tables`;
	const name = `${TABLE} ${randomUUID().slice(0, 8)}`;

	/** The columns are those that the examples create. */
	const create = async () => {
		const { nodes } = await readExample('invite-from-a-list');
		const { parameters } = nodes.find((node) => node.name === 'Create The Table')!;
		const { column: columns } = parameters.columns as { column: object[] };
		return await client.request<{ id: string }>('POST', tables, { name, columns });
	};
	let created = client.isVersion1 ? await create() : undefined;

	const findId = async () => {
		const filter = encodeURIComponent(JSON.stringify({ name: name.toLowerCase() }));
		const path = `${tables}?filter=${filter}`;
		const { data } = await client.request<{ data: Array<{ id: string }> }>('GET', path);
		if (!data[0]) throw new Error(`There is no table "${name}"`);
		return data[0].id;
	};
	const request = async <T,>(method: string, path: string, body?: object) =>
		await client.request<T>(method, `${tables}/${created?.id ?? (await findId())}${path}`, body);

	const add = async (rows: Array<Partial<Row>>) => {
		await request('POST', '/insert', { data: rows, returnType: 'count' });
	};
	const all = async () => {
		const rows: Row[] = [];
		do {
			const path = `/rows?take=${PAGE}&skip=${rows.length}`;
			rows.push(...(await request<{ data: Row[] }>('GET', path)).data);
		} while (rows.length > 0 && rows.length % PAGE === 0);
		return rows;
	};
	return {
		/** What is chosen in the nodes of an example. */
		get table() {
			return { name, id: created?.id };
		},
		/** Makes the table with other columns, as *Import CSV* into a new table does, by the type of each. */
		importAs: async (types: Record<string, string>, rows: Row[]) => {
			if (created) await request('DELETE', '');
			const columns = Object.entries(types).map(([column, type]) => ({ name: column, type }));
			const made = await client.request<{ id: string }>('POST', tables, { name, columns });
			if (created) created = made;
			await add(rows);
		},
		addColumn: async (column: string) =>
			await request('POST', '/columns', { name: column, type: 'string' }),
		/** Runs the "Set Up Once" of an example that has one. */
		setUp: async (workflow: Workflow) => {
			if (client.isVersion1 || !workflow.nodes.some((node) => node.name === SET_UP)) return;
			const { id, status } = await client.runToEnd(workflow.id, SET_UP);
			if (status !== 'success') throw new Error(`"${SET_UP}" ended as ${status}`);
			// What a test then counts is the same for both versions.
			await client.request('POST', '/rest/executions/delete', { ids: [id] });
		},
		add,
		/** Removes all rows. */
		clear: async () => {
			const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
			const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
			await request('DELETE', `/rows?filter=${filter}`);
		},
		/** As somebody does in the table. */
		correct: async (application_id: string, data: Partial<Row>) => {
			const filters = [{ columnName: 'application_id', condition: 'eq', value: application_id }];
			await request('PATCH', '/rows', { filter: { type: 'and', filters }, data });
		},
		/** As somebody does who wants another name for a column. Gives the way back. */
		renameColumn: async (name: string) => {
			const columns = await request<Array<{ id: string; name: string }>>('GET', '/columns');
			const { id: columnId } = columns.find((column) => column.name === name)!;
			// 1.x can't rename one.
			await request('DELETE', `/columns/${columnId}`);
			await request('POST', '/columns', { name: `my_${name}`, type: 'string' });
			return async () => {
				await request('POST', '/columns', { name, type: 'string' });
			};
		},
		/** Gives the way to a table of the same name, with these rows. */
		remove: async () => {
			await request('DELETE', '');
			return async (rows: Row[] = []) => {
				await create();
				if (rows.length > 0) await add(rows);
			};
		},
		/** All tables of n8n share one limit. Gives the way to make room again. */
		fillUp: async (bytes: number) => {
			const columns = [{ name: 'text', type: 'string' }];
			const filler = { name: `Filler ${randomUUID()}`, columns };
			const { id } = await client.request<{ id: string }>('POST', tables, filler);
			const text = 'x'.repeat(100_000);
			const data = Array.from({ length: Math.ceil(bytes / text.length) }, () => ({ text }));
			const rows = { data, returnType: 'count' };
			await client.request('POST', `${tables}/${id}/insert`, rows);
			return async () => {
				await client.request('DELETE', `${tables}/${id}`);
			};
		},
		all,
		/** By application ID. */
		rows: async (): Promise<Record<string, Row>> =>
			Object.fromEntries((await all()).map((row) => [row.application_id, row])),
	};
}
