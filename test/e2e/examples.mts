/** The workflows in `examples/`, imported and run as whoever finds them there would. */
import type { Credential } from '../../tools/n8n/client.mts';
import type { Demo } from '../../demo/demo.mts';
import type { Check, Checks } from '../support/checks.mts';
import { createCredential } from '../support/credentials.mts';
import { withRealN8n } from '../support/testEnvironment.mts';
import { checkAiAgentInvites } from './examples/aiAgentInvites.mts';
import { checkFiles } from './examples/files.mts';
import { checkInEditor } from './examples/inEditor.mts';
import { checkInviteFromAList } from './examples/inviteFromAList.mts';
import { checkNightlyFollowUp } from './examples/nightlyFollowUp.mts';
import { checkResultToDecision } from './examples/resultToDecision.mts';

/** What every example is tried with. */
export interface Ground {
	demo: Demo;
	/** Of the stand-in service. */
	credential: Credential;
	/** The workflows that were imported and filled in, by the example's name. */
	imported: Map<string, string>;
	check: Check;
}

export default async function examples(checks: Checks): Promise<void> {
	const run = async (demo: Demo) => {
		const { client, service, state } = demo;
		// The demo's own workflow would be called, too.
		await client.unpublish(state.resultWorkflowId);
		const credential = await createCredential(client, service);
		const check = checks.about(`examples on n8n ${client.version}`);
		const ground = { demo, credential, imported: new Map<string, string>(), check };
		await checkFiles(ground);
		await checkInviteFromAList(ground);
		await checkResultToDecision(ground);
		await checkNightlyFollowUp(ground);
		await checkAiAgentInvites(ground);
		await checkInEditor(ground);
	};
	await withRealN8n('examples', '2.41', async (demo) => await run(demo), checks);
}
