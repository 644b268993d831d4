import { connectAssistant, type Assistant } from './assistant.mts';
import { JOB } from '../../support/example.mts';
import { test as base } from './fixtures.mts';

export { expect } from './fixtures.mts';

/** Creates a workflow from code like the nodes' examples, with our credential and job. @returns its ID */
type Build = (...code: string[]) => Promise<string>;

export const test = base.extend<{ build: Build }, { assistant: Assistant }>({
	assistant: [
		async ({ n8n }, use) => {
			const assistant = await connectAssistant(n8n.client);
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
				.replace(/placeholder\('Job ID.+?'\)/, `'${JOB}'`);
			return await assistant.create(filledIn);
		});
	},
});
