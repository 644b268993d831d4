import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import type { N8nClient } from '../../../tools/n8n/client.mts';
import { HOST } from '../../../tools/n8n/ports.mts';

const OUT_OF_ORDER = Object.assign(new Error('out of order'), { responseCode: 451 });

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a mail server that keeps all mails, and creates a credential for it. */
export async function startMailServer(client: N8nClient) {
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onRcptTo: ({ address }, _session, done) =>
			done(mailServer.refused.test(address) ? OUT_OF_ORDER : null),
		onData: async (stream, { envelope }, done) => {
			// SMTP splits long lines.
			const text = (await textOf(stream)).replaceAll('=\r\n', '').replaceAll('=3D', '=');
			mailServer.mails.push({ to: envelope.rcptTo[0]!.address, text });
			done(null);
		},
	});
	await once(server.listen(0, HOST), 'listening');
	const { port } = server.server.address() as AddressInfo;
	const data = { host: HOST, port, secure: false, disableStartTls: true };
	const mailServer = {
		mails: [] as Array<{ to: string; text: string }>,
		/** Refuses mails to these addresses. */
		refused: /^$/,
		credential: await client.createCredential({ name: 'Email', type: 'smtp', data }),
		close: () => server.close(),
	};
	return mailServer;
}
