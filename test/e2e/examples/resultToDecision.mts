import assert from 'node:assert/strict';

import { itemsOf } from '../../../tools/n8n/client.mts';
import { makeScores } from '../../../mock-service/assumptions.mts';
import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { importExample } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import type { Ground } from '../examples.mts';

const PERSON = { first_name: 'Maya', last_name: 'Okafor', email: 'maya.okafor@example.com' };
const THRESHOLD = 70;

/** Two candidates who finish, one with a good score and one without. */
export async function checkResultToDecision(ground: Ground): Promise<void> {
	const { demo, credential, imported, check } = ground;
	const { client, service } = demo;
	let id = '';

	await check('result-to-decision: publishing it registers the webhook', async () => {
		const webhookId = service.createWebhook();
		const workflow = await importExample(client, 'result-to-decision', {
			credentials: { 'When A Result Is Ready': credential, 'Get The Result': credential },
			parameters: { 'When A Result Is Ready': { webhookId } },
		});
		id = workflow.id;
		imported.set('result-to-decision', id);
		await client.publish(id);
		const webhook = service.webhooks.find((one) => one.id === webhookId);
		assert.equal(webhook?.status, 'active');
	});

	await check('result-to-decision: a good role fit writes to the candidate', async () => {
		const invitation = await invite(ground, (score) => score >= THRESHOLD);
		const { email, message } = await decisionOn(invitation);
		assert.deepEqual(message, []);
		assert.deepEqual(
			email.map(({ json }) => [json.to, json.subject, json.text.split('\n')[0]]),
			[[PERSON.email, 'Let us talk', 'Hello Maya,']],
		);
	});

	await check('result-to-decision: any other asks the team to have a look', async () => {
		const invitation = await invite(ground, (score) => score < THRESHOLD);
		const { email, message } = await decisionOn(invitation);
		assert.deepEqual(email, []);
		assert.equal(message.length, 1);
		const { text } = message[0].json;
		assert.equal(
			text,
			`Maya Okafor (${invitation.ext_reference_id}) has finished the assessment with a role fit of ` +
				`${roleFit(invitation)}. Please have a look: ` +
				`${service.baseUrl}/profiles/${invitation.invitation_code}`,
		);
	});

	await client.unpublish(id);

	/** Finishes the assessment, and gives what the workflow then wrote. */
	async function decisionOn({ invitation_code: code }: InvitationWithLinks) {
		const runs = (await client.allExecutions(id)).length;
		const delivery = await service.finish(code);
		assert.equal(delivery?.status, 200);
		const [newest] = await client.waitForExecutions(id, runs + 1);
		const execution = await client.waitForExecution(newest.id);
		assert.equal(execution.status, 'success');
		return {
			email: itemsOf(execution, 'Write E-Mail To Candidate'),
			message: itemsOf(execution, 'Write Message To Team'),
		};
	}
}

/** Invites until somebody will get such a score: at the stand-in it follows from the code. */
async function invite({ demo }: Ground, isWanted: (score: number) => boolean) {
	for (;;) {
		const invitation = await inviteAt(demo.service, PERSON);
		if (isWanted(roleFit(invitation))) return invitation;
	}
}

function roleFit({ invitation_code: code }: InvitationWithLinks): number {
	const score = makeScores(code).scores.find(({ score_type }) => score_type === 'role_fit');
	assert.ok(score);
	return score.score_value;
}
