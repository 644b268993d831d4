import { HOST } from './ports.mts';

/** n8n's commands: all of n8n, or one process of queue mode. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

/** Settings for an n8n that listens on this machine only, and sends nothing on its own. */
export function n8nEnvironment(options: {
	/** n8n's version. An older n8n doesn't start with a setting that it doesn't know. */
	version: string;
	command: N8nCommand;
	userFolder: string;
	port: number;
	brokerPort: number;
}): Record<string, string> {
	const port = String(options.port);
	const [major, minor] = options.version.split('.').map(Number);
	const ofVersion1 = major === 1;
	const noisy = NOISY.slice(0, Number(minor > 0) + Number(minor > 33)).join();
	return {
		N8N_USER_FOLDER: options.userFolder,
		N8N_LISTEN_ADDRESS: HOST,
		N8N_HOST: HOST,
		N8N_PORT: port,
		[ofVersion1 || minor < 30 ? 'WEBHOOK_URL' : 'N8N_WEBHOOK_URL']: `http://${HOST}:${port}/`,
		// The editor is served over plain http, where a browser would drop a secure cookie.
		N8N_SECURE_COOKIE: 'false',
		// Each n8n needs a port of its own for the broker of its task runners.
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: HOST,
		...(options.command === 'worker' && {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: port,
			N8N_WORKER_SERVER_ADDRESS: HOST,
		}),
		...QUIET,
		...(!ofVersion1 && { N8N_DISABLED_MODULES: noisy }),
		// n8n 1.x recommends this: on a single connection, transactions sometimes end one another.
		...(ofVersion1 && { DB_SQLITE_POOL_SIZE: '3' }),
		GENERIC_TIMEZONE: process.env.GENERIC_TIMEZONE ?? 'UTC',
	};
}

/** The environment without settings for another n8n. */
export function withoutN8nVariables(env: Record<string, string>): Record<string, string> {
	const ofN8n = /^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|EXTERNAL|NODES|WORKFLOWS)_|^WEBHOOK_URL$/;
	const ofNode = /^NODE_(OPTIONS|ENV|PATH|FUNCTION_.*)$/;
	return Object.fromEntries(
		Object.entries(env).filter(([name]) => !ofN8n.test(name) && !ofNode.test(name)),
	);
}

/** Turns off what a demo doesn't need: telemetry, update checks, templates and the like. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	// n8n loads our package, and offers no catalog of others.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_REINSTALL_MISSING_PACKAGES: 'false',
	N8N_PYTHON_ENABLED: 'false',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
	N8N_LOG_LEVEL: 'info',
};

/** These modules send requests to n8n's servers. The first came after 2.0, the second after 2.33. */
const NOISY = ['mcp-registry', 'instance-reporting'];
