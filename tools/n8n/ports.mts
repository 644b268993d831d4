import { createServer, type AddressInfo } from 'node:net';

import { DemoError } from './errors.mts';

/** The address that everything listens on: other machines can't connect. */
export const HOST = '127.0.0.1';

/** Returns the port if it is free, or rejects; 0 picks any free port. */
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

/** Throws a DemoError if the port is taken. `flag` is the option that chooses another one. */
export async function requirePort(port: number, whose: string, flag: string): Promise<void> {
	await freePort(port).catch((error: NodeJS.ErrnoException) => {
		throw new DemoError(`Port ${port}, meant for ${whose}, cannot be used (${error.code}).`, [
			'If this demo is running already, use it, or stop it with Ctrl-C in its terminal.',
			`Or choose another port:  npm start -- ${flag} ${port + 1}`,
		]);
	});
}
