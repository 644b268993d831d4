import { once } from 'node:events';
import { connect } from 'node:net';

import { freePort, HOST } from '../../tools/n8n/ports.mts';
import { debianPrograms } from './debian.mts';
import { startServer, type Server } from './server.mts';

/** An empty Redis of the tests' own. */
export interface Redis extends Server {
	host: string;
	port: number;
}

/** A Redis beside the system's own: a free port, this machine only, nothing kept on disk. */
export async function startRedis(folder: string, logFile: string): Promise<Redis> {
	const [redis] = await debianPrograms({ program: 'redis-server', package: 'redis-server' });
	const port = await freePort();
	const settings = { port, bind: HOST, dir: folder, save: '', appendonly: 'no' };
	const server = await startServer({
		program: redis,
		args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
		cwd: folder,
		logFile,
		endWith: 'SIGTERM',
		isReady: () => answersPing(port),
	});
	return { host: HOST, port, stop: server.stop };
}

async function answersPing(port: number): Promise<boolean> {
	const socket = connect(port, HOST);
	socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
	try {
		socket.write('PING\r\n');
		const [answer] = await once(socket, 'data');
		return String(answer).startsWith('+PONG');
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
