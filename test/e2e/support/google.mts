import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { withCredential } from '../../../demo/workflows/parts.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import { HOST } from '../../../tools/n8n/ports.mts';
import { readExample } from '../../support/example.mts';
import type { Row } from './applicationsTable.mts';

const SHEET = 'Applicants';
/** In an order of their own. */
const COLUMNS = [
	...['notes', 'first_name', 'application_id', 'last_name', 'status', 'problem'],
	...['invitation_link', 'role_fit', 'report_link', 'email', 'job_id'],
];

type Update = { data: Array<{ range: string; values: string[][] }> };

/** Stands in for Google's API: Gmail, and one sheet with column names in its first row. */
export async function startGoogle() {
	const google = {
		/** The rows below the column names. Tests may change them at any time. */
		rows: [] as Row[],
		/** The mails that Gmail has sent. */
		mails: [] as string[],
		/** How often cells were read, or written. */
		requests: 0,
		/** Called before cells are read or written. May sort rows, or return a status that refuses the request. */
		meanwhile: (_isWrite: boolean): number | void => {},
	};

	async function answer(request: IncomingMessage): Promise<object> {
		const { pathname, searchParams } = new URL(request.url!, 'https://google.example');
		if (pathname === '/token') return { access_token: 'access' };
		if (pathname.endsWith('/messages/send')) {
			const { raw } = (await json(request)) as { raw: string };
			// Long lines are split.
			const mail = Buffer.from(raw, 'base64url').toString();
			google.mails.push(mail.replace(/=\r?\n/g, ''));
			return { id: '1', threadId: '1', labelIds: ['SENT'] };
		}
		google.requests++;
		const isWrite = pathname.endsWith('/values:batchUpdate');
		if (!isWrite && !pathname.includes('/values/'))
			return { sheets: [{ properties: { sheetId: 0, title: SHEET } }] };
		const code = google.meanwhile(isWrite);
		if (code) return { error: { code, message: 'Not now' } };
		if (!isWrite) return read(searchParams.get('valueRenderOption'));
		for (const { range, values } of ((await json(request)) as Update).data) {
			const [, letter, number] = /!([A-Z])(\d+)$/.exec(range)!;
			const row = (google.rows[Number(number) - 2] ??= {});
			row[COLUMNS[letter!.charCodeAt(0) - 'A'.charCodeAt(0)]!] = String(values[0]![0]);
		}
		return {};
	}

	/** Leaves out empty cells at the end of a row. Digits are a number, whose format shows zeros in front. */
	function read(render: string | null) {
		const isNumber = (cell: string) => render === 'UNFORMATTED_VALUE' && /^\d+$/.test(cell);
		const values = google.rows.map((row) => {
			const cells = COLUMNS.map((name) => row[name] ?? '');
			while (cells.at(-1) === '') cells.pop();
			return cells.map((cell) => (isNumber(cell) ? Number(cell) : cell));
		});
		return { range: `${SHEET}!A1:Z1000`, majorDimension: 'ROWS', values: [COLUMNS, ...values] };
	}

	const server = createServer(async (request, response) => {
		const body = await answer(request);
		response.statusCode = 'error' in body ? (body.error as { code: number }).code : 200;
		response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
	});
	await once(server.listen(0, HOST), 'listening');
	const { port } = server.address() as AddressInfo;
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
	/** The environment that sends n8n's Google calls here. */
	const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
	return Object.assign(google, { environment: { NODE_OPTIONS }, close: () => server.close() });
}

/** A user's entries that make the example's nodes use a Google account and the sheet. */
export async function googleNodes(client: N8nClient) {
	const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
	const privateKey = key.export({ type: 'pkcs8', format: 'pem' });
	const data = { email: 'n8n@people.example', privateKey };
	const credential = await client.createCredential({ name: 'Google', type: 'googleApi', data });
	const parameters = {
		authentication: 'serviceAccount',
		documentId: { __rl: true, mode: 'id', value: 'document' },
		sheetName: { __rl: true, mode: 'name', value: SHEET },
	};
	const changed = { credentials: withCredential(credential), disabled: false, parameters };
	const { nodes } = await readExample('a-google-sheet');
	const ours = nodes.filter(({ type }) => /\.(googleSheets|gmail)$/.test(type));
	return Object.fromEntries(ours.map(({ name }) => [name, changed]));
}
