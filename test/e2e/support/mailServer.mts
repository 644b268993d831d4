import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import type { Credential, N8nClient } from '../../../tools/n8n/client.mts';
import { HOST } from '../../../tools/n8n/ports.mts';

export interface Mail {
	to: string;
	text: string;
}

/** A mail server that keeps all mails. */
export class MailServer {
	readonly mails: Mail[] = [];
	/** Whether it refuses all mails. */
	isDown = false;
	/** Refuses mails to this address. */
	refused?: string;
	readonly #server = createServer((socket) => {
		let to = '';
		let received = '';
		socket.on('error', () => {});
		socket.write('220 mail\r\n');
		socket.on('data', (chunk) => {
			received += chunk.toString();
			if (/^DATA/im.test(received)) {
				if (received.endsWith('\r\n.\r\n')) {
					this.mails.push({ to, text: decoded(received) });
					received = '';
					return socket.write('250 kept\r\n');
				}
				return /^DATA\r\n$/i.test(received) && socket.write('354 go on\r\n');
			}
			to = /^RCPT TO:<(.*)>/im.exec(received)?.[1] ?? to;
			const isRefused =
				(this.isDown && received.startsWith('MAIL')) ||
				(to === this.refused && received.startsWith('RCPT'));
			received = '';
			return socket.write(isRefused ? '451 out of order\r\n' : '250 fine\r\n');
		});
	});

	async start(): Promise<void> {
		await once(this.#server.listen(0, HOST), 'listening');
	}

	async createCredential(client: N8nClient): Promise<Credential> {
		const { port } = this.#server.address() as AddressInfo;
		const data = { host: HOST, port, secure: false, disableStartTls: true };
		return await client.createCredential({ name: 'Email', type: 'smtp', data });
	}

	close(): void {
		this.#server.close();
	}
}

/** SMTP splits long lines, and doubles a dot at the start of a line. */
function decoded(text: string): string {
	return text.replaceAll('\r\n..', '\r\n.').replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
