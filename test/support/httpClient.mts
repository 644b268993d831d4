import { createRequire } from 'node:module';

interface HttpClient {
	defaults: { timeout: number };
	interceptors: { request: { use(run: () => never): number; eject(id: number): void } };
}

/** The client below n8n-core's helpers. */
export const httpClient = createRequire(require.resolve('n8n-core'))('axios') as HttpClient;
