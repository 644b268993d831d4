import { Assistant } from '../../support/assistant.mts';
import { test as base } from '../fixtures.mts';

export { expect } from '../fixtures.mts';

export const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** Creates a workflow from code like that of the nodes' examples, with our credential and job. Gives its ID. */
type Build = (...code: string[]) => Promise<string>;

export const test = base.extend<{ build: Build }, { assistant: Assistant }>({
	assistant: [
		async ({ n8n }, use) => {
			const assistant = await Assistant.connect(n8n.client);
			await use(assistant);
			await assistant.close();
		},
		{ scope: 'worker' },
	],

	build: async ({ assistant, credential: { id, name } }, use) => {
		await use(async (...code) => {
			const filledIn = code
				.join('\n')
				.replaceAll("'Candidate Assessment API'", `'${name}', '${id}'`)
				.replace(/placeholder\('Job ID.+?'\)/, `'${JOB_ID}'`);
			return await assistant.create(filledIn);
		});
	},
});
