import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { HOST } from '../../../tools/n8n/ports.mts';
import type { Postgres } from './postgres.mts';

/** Matches the end of an answer: PostgreSQL is ready for the next statement. */
const IS_COMPLETE = /Z\0\0\0\x05[ITE]$/;

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** Starts a proxy between a process of n8n and PostgreSQL. */
export async function startDatabaseProxy(to: Postgres) {
	let holding: { pattern: RegExp; resolve: (pass: () => void) => void } | undefined;
	const server = createServer((n8n) => {
		const postgres = connect(to);
		let [statement, answer] = ['', ''];
		n8n.on('data', (chunk) => {
			statement += chunk.toString('latin1');
			postgres.write(chunk);
		});
		postgres.on('data', async (chunk) => {
			answer += chunk.toString('latin1');
			// At n8n's login, PostgreSQL asks for the password.
			if (!IS_COMPLETE.test(answer) && !answer.startsWith('R')) return;
			const held = holding?.pattern.test(statement + answer) ? holding : undefined;
			if (held) holding = undefined;
			if (held) await new Promise<void>(held.resolve);
			n8n.write(answer, 'latin1');
			[statement, answer] = ['', ''];
		});
		n8n.on('error', () => {}).on('close', () => postgres.end());
		postgres.on('error', () => {}).on('close', () => n8n.destroy());
	}).unref();
	await once(server.listen(0, HOST), 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		/**
		 * Waits until PostgreSQL has executed a statement that, with its answer, matches the pattern. Holds the answer
		 * back, and returns a function that passes it on.
		 */
		hold: async (pattern: RegExp) =>
			await new Promise<() => void>((resolve) => (holding = { pattern, resolve })),
	};
}
