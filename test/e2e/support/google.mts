import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { N8nClient } from '../../../tools/n8n/client.mts';
import { readExample } from '../../support/example.mts';
import { HOST } from '../../../tools/n8n/ports.mts';
import type { Row } from './applicationsTable.mts';

const SHEET = 'Applicants';
const COLUMNS =
	'notes first_name application_id last_name status problem invitation_link role_fit report_link email job_id';

type Answer = [status: number, body: object];
interface Update {
	data: Array<{ range: string; values: string[][] }>;
}

/** Stands in for Google's API: Gmail, and one sheet with column names in its first row. Tests may change `rows` at any time. */
export class Google {
	columns: string[] = [];
	/** The rows below the column names. */
	rows: Row[] = [];
	/** What Gmail has sent. */
	mails: string[] = [];
	/** How often cells were read, or written. */
	requests = 0;
	/** Called before cells are read or written. May sort rows, or return a status that refuses the request. */
	meanwhile: (isWrite: boolean) => number | void = () => {};
	readonly #server = createServer((request, response) => {
		void this.#answer(request).then(([status, body]) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		});
	});

	async start(): Promise<void> {
		await once(this.#server.listen(0, HOST), 'listening');
	}

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	/** Starts over with a new sheet. */
	begin(rows: Row[]): void {
		const columns = COLUMNS.split(' ');
		Object.assign(this, { columns, rows, mails: [], requests: 0, meanwhile: () => {} });
	}

	/** The environment that sends n8n's Google calls here. */
	get environment(): Record<string, string> {
		const { port } = this.#server.address() as AddressInfo;
		const address = { protocol: 'http:', hostname: HOST, host: HOST, port, agent: null };
		const code = `
			import http from 'node:http';
			import https from 'node:https';
			const { request } = https;
			https.request = (options, ...rest) => {
				if (!/\\.googleapis\\.com$/.test(options?.hostname)) return request(options, ...rest);
				const { agent, agents, createConnection, lookup, ...others } = options;
				return http.request({ ...others, ...${JSON.stringify(address)}, agent: undefined }, ...rest);
			};`;
		return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
	}

	/** A user's entries that make these nodes use the account and the sheet. */
	async connects(client: N8nClient, nodes: string[]) {
		const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
		const privateKey = key.export({ type: 'pkcs8', format: 'pem' });
		const data = { email: 'n8n@people.example', privateKey };
		const credential = await client.createCredential({ name: 'Google', type: 'googleApi', data });
		const each = <T,>(value: T) => Object.fromEntries(nodes.map((node) => [node, value]));
		const account = { authentication: 'serviceAccount' };
		const sheet = {
			documentId: { __rl: true, mode: 'id', value: 'document' },
			sheetName: { __rl: true, mode: 'name', value: SHEET },
		};
		const example = await readExample('a-google-sheet');
		const changed = example.nodes
			.filter(({ name }) => nodes.includes(name))
			.map(({ name, type }) => [
				name,
				{ ...account, ...(type.endsWith('.googleSheets') && sheet) },
			]);
		return {
			activate: nodes,
			credentials: each(credential),
			parameters: Object.fromEntries(changed) as Record<string, object>,
		};
	}

	/** The rows, by application. */
	byId(): Record<string, Row> {
		return Object.fromEntries(this.rows.map((row) => [row.application_id, row]));
	}

	async #answer(request: IncomingMessage): Promise<Answer> {
		const { pathname, searchParams } = new URL(request.url!, 'https://google.example');
		if (pathname === '/token') return [200, { access_token: 'access' }];
		if (pathname.endsWith('/messages/send')) {
			const { raw } = (await json(request)) as { raw: string };
			const mail = Buffer.from(raw, 'base64url').toString();
			// Long lines are split.
			this.mails.push(mail.replaceAll('=\r\n', '').replaceAll('=\n', ''));
			return [200, { id: '1', threadId: '1', labelIds: ['SENT'] }];
		}
		this.requests++;
		const isWrite = pathname.endsWith('/values:batchUpdate');
		if (!isWrite && !pathname.includes('/values/'))
			return [200, { sheets: [{ properties: { sheetId: 0, title: SHEET } }] }];
		const code = this.meanwhile(isWrite);
		if (code) return [code, { error: { code, message: 'Not now' } }];
		if (isWrite) return this.#write((await json(request)) as Update);
		return this.#read(searchParams.get('valueRenderOption'));
	}

	/**
	 * Google leaves out empty cells at the end of a row, and empty rows at the end of a sheet. Digits are a number,
	 * whose format shows zeros in front.
	 */
	#read(render: string | null): Answer {
		const isNumber = (cell: string) => render === 'UNFORMATTED_VALUE' && /^\d+$/.test(cell);
		const cells = this.rows.map((row) => this.columns.map((name) => row[name] ?? ''));
		const values = [this.columns, ...cells].map((row) =>
			row.map((cell) => (isNumber(cell) ? Number(cell) : cell)),
		);
		for (const row of values) while (row.at(-1) === '') row.pop();
		while (values.at(-1)?.length === 0) values.pop();
		return [200, { range: `${SHEET}!A1:Z1000`, majorDimension: 'ROWS', values }];
	}

	#write({ data }: Update): Answer {
		for (const { range, values } of data) {
			const [, letter, number] = /!([A-Z])(\d+)$/.exec(range)!;
			const row = (this.rows[Number(number) - 2] ??= { application_id: '' });
			row[this.columns[letter!.charCodeAt(0) - 'A'.charCodeAt(0)]!] = String(values[0]![0]);
		}
		return [200, { totalUpdatedCells: data.length }];
	}
}
