import { createServer, type AddressInfo } from 'node:net';

import { DemoError } from './errors.mts';

/** The one address that the demo listens on: nobody else on the network sees it. */
export const HOST = '127.0.0.1';

/** Listens on a port for a moment, and gives its number; 0 is one that nothing listens on. */
export function freePort(port = 0): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: HOST, exclusive: true }, () => {
			const taken = (server.address() as AddressInfo).port;
			server.close(() => resolve(taken));
		});
	});
}

/** Fails with advice where the port cannot be had. `flag` is the option that chooses another. */
export async function requirePort(port: number, whose: string, flag: string): Promise<void> {
	await freePort(port).catch((error: NodeJS.ErrnoException) => {
		throw new DemoError(`Port ${port}, meant for ${whose}, cannot be used (${error.code}).`, [
			'If this demo is running already, use it, or stop it with Ctrl-C in its terminal.',
			`Or choose another port:  npm start -- ${flag} ${port + 1}`,
		]);
	});
}
