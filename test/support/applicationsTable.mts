import { randomUUID } from 'node:crypto';

import type { N8nClient } from '../../tools/n8n/client.mts';
import { readExample, TABLE, type FilledIn } from './example.mts';

/** A row of the table that the examples share: its columns are theirs. */
export type Row = { application_id: string } & Record<string, any>;

/** n8n 1.x gives no more rows at once. */
const PAGE = 50;

/** n8n 1.x has no node that makes a table, and finds none by its name: there a user does both by hand. */
export class ApplicationsTable {
	readonly #client: N8nClient;
	readonly #path: string;
	readonly #name: string;
	#id?: string;

	private constructor(client: N8nClient, path: string, name: string) {
		this.#client = client;
		this.#path = path;
		this.#name = name;
	}

	static async forTest(client: N8nClient): Promise<ApplicationsTable> {
		const project = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const path = `/rest/projects/${project.id}/data-tables`;
		const name = `${TABLE} ${randomUUID().slice(0, 8)}`;
		const applications = new ApplicationsTable(client, path, name);
		if (client.isVersion1) await applications.#create();
		return applications;
	}

	/** What is chosen in the nodes of an example. */
	get table(): NonNullable<FilledIn['table']> {
		return { name: this.#name, id: this.#id };
	}

	/** Runs an example's "Set Up Once". */
	async setUp(workflowId: string): Promise<void> {
		if (this.#client.isVersion1) return;
		const execution = await this.#client.runToEnd(workflowId, 'Set Up Once');
		if (execution.status !== 'success')
			throw new Error(`"Set Up Once" ended as ${execution.status}`);
		// What a test then counts is the same for both versions.
		await this.#client.request('POST', '/rest/executions/delete', { ids: [execution.id] });
	}

	async add(rows: Row[]): Promise<void> {
		const path = `${this.#path}/${await this.#findId()}/insert`;
		await this.#client.request('POST', path, { data: rows, returnType: 'count' });
	}

	/** As somebody does in the table. */
	async correct(application_id: string, data: Partial<Row>): Promise<void> {
		const path = `${this.#path}/${await this.#findId()}/rows`;
		const filters = [{ columnName: 'application_id', condition: 'eq', value: application_id }];
		await this.#client.request('PATCH', path, { filter: { type: 'and', filters }, data });
	}

	async all(): Promise<Row[]> {
		const path = `${this.#path}/${await this.#findId()}/rows?take=${PAGE}`;
		const rows: Row[] = [];
		do {
			const url = `${path}&skip=${rows.length}`;
			rows.push(...(await this.#client.request<{ data: Row[] }>('GET', url)).data);
		} while (rows.length > 0 && rows.length % PAGE === 0);
		return rows;
	}

	/** By application ID. */
	async rows(): Promise<Record<string, Row>> {
		return Object.fromEntries((await this.all()).map((row) => [row.application_id, row]));
	}

	async remove(): Promise<void> {
		const id = await this.#findId().catch(() => undefined);
		if (id) await this.#client.request('DELETE', `${this.#path}/${id}`);
	}

	/** The columns are those that the examples create. */
	async #create(): Promise<void> {
		const { nodes } = await readExample('invite-from-a-list');
		const create = nodes.find(({ name }) => name === 'Create The Table');
		const { column: columns } = create?.parameters.columns as { column: object[] };
		await this.#client.request('POST', this.#path, { name: this.#name, columns });
		this.#id = await this.#findId();
	}

	async #findId(): Promise<string> {
		if (this.#id) return this.#id;
		const filter = encodeURIComponent(JSON.stringify({ name: this.#name.toLowerCase() }));
		const path = `${this.#path}?filter=${filter}`;
		const { data } = await this.#client.request<{ data: Array<{ id: string }> }>('GET', path);
		if (!data[0]) throw new Error(`There is no table "${this.#name}"`);
		return data[0].id;
	}
}
