import { Assistant } from '../../support/assistant.mts';
import { test as base } from '../fixtures.mts';

export { expect } from '../fixtures.mts';

export const test = base.extend<{}, { assistant: Assistant }>({
	assistant: [
		async ({ n8n }, use) => {
			const assistant = await Assistant.connect(n8n.client);
			await use(assistant);
			await assistant.close();
		},
		{ scope: 'worker' },
	],
});
