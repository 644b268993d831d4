import { createServer, type AddressInfo } from 'node:net';

import { DemoError } from './errors.mts';

/** The one address that the demo listens on: nobody else on the network sees it. */
export const HOST = '127.0.0.1';

/** Listens on a port for a moment, and gives its number. */
function tryPort(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: HOST, exclusive: true }, () => {
			const taken = (server.address() as AddressInfo).port;
			server.close(() => resolve(taken));
		});
	});
}

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
	return await tryPort(0);
}

/** Fails with advice where the port cannot be had. `flag` is the option that chooses another. */
export async function requirePort(port: number, whose: string, flag: string): Promise<void> {
	try {
		await tryPort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const reason =
			code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
		throw new DemoError(`Port ${port}, meant for ${whose}, ${reason}.`, [
			'If that is this demo, started before: stop it with Ctrl-C in its terminal.',
			`Or choose another port:  npm start -- ${flag} ${port + 1}`,
		]);
	}
}
