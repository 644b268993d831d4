import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import type { Credential, N8nClient } from '../../../tools/n8n/client.mts';
import { HOST } from '../../../tools/n8n/ports.mts';

export interface Mail {
	to: string;
	text: string;
}

const OUT_OF_ORDER = Object.assign(new Error('out of order'), { responseCode: 451 });

/** A mail server that keeps all mails. */
export class MailServer {
	readonly mails: Mail[] = [];
	/** Whether it refuses all mails. */
	isDown = false;
	/** Refuses mails to this address. */
	refused?: string;
	readonly #server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onMailFrom: (_address, _session, done) => done(this.isDown ? OUT_OF_ORDER : null),
		onRcptTo: ({ address }, _session, done) => done(address === this.refused ? OUT_OF_ORDER : null),
		onData: (stream, { envelope }, done) => {
			void textOf(stream).then((text) => {
				this.mails.push({ to: envelope.rcptTo[0]!.address, text: decoded(text) });
				done(null);
			});
		},
	});

	async start(): Promise<void> {
		await once(this.#server.listen(0, HOST), 'listening');
	}

	async createCredential(client: N8nClient): Promise<Credential> {
		const { port } = this.#server.server.address() as AddressInfo;
		const data = { host: HOST, port, secure: false, disableStartTls: true };
		return await client.createCredential({ name: 'Email', type: 'smtp', data });
	}

	close(): void {
		this.#server.close();
	}
}

/** SMTP splits long lines. */
function decoded(text: string): string {
	return text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
