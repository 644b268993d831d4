import { makeScores } from '../../../mock-service/assumptions.mts';
import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import { itemsOf } from '../../../tools/n8n/client.mts';
import { importExample } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { expect, test as base } from '../fixtures.mts';

const PERSON = { first_name: 'Maya', last_name: 'Okafor', email: 'maya.okafor@example.com' };
const THRESHOLD = 70;

const test = base.extend<{
	/** The example, published. */
	workflowId: string;
	/** Finishes the assessment, and gives what the workflow then wrote. */
	decisionOn: (invitation: InvitationWithLinks) => Promise<Record<'email' | 'message', any[]>>;
}>({
	workflowId: async ({ n8n: { client }, service, credential }, use) => {
		const { id } = await importExample(client, 'result-to-decision', {
			credentials: { 'When A Result Is Ready': credential, 'Get The Result': credential },
			parameters: { 'When A Result Is Ready': { webhookId: service.webhookId } },
		});
		await client.publish(id);
		await use(id);
		await client.unpublish(id);
	},

	decisionOn: async ({ n8n: { client }, service, workflowId }, use) =>
		await use(async ({ invitation_code: code }) => {
			const delivery = await service.finish(code);
			expect(delivery?.status).toBe(200);
			const [{ id }] = await client.waitForExecutions(workflowId, 1);
			const execution = await client.waitForExecution(id);
			expect(execution.status).toBe('success');
			return {
				email: itemsOf(execution, 'Write E-Mail To Candidate').map(({ json }) => json),
				message: itemsOf(execution, 'Write Message To Team').map(({ json }) => json),
			};
		}),
});

test('result-to-decision: publishing it registers the webhook', async ({
	workflowId,
	service,
	n8n,
}) => {
	expect((await n8n.client.getWorkflow(workflowId)).active).toBe(true);
	expect(service.webhooks.map(({ status }) => status)).toEqual(['active']);
});

test('result-to-decision: a good role fit writes to the candidate', async ({
	decisionOn,
	service,
}) => {
	const { email, message } = await decisionOn(await invite(service, (score) => score >= THRESHOLD));
	expect(message).toEqual([]);
	expect(email.map(({ to, subject, text }) => [to, subject, text.split('\n')[0]])).toEqual([
		[PERSON.email, 'Let us talk', 'Hello Maya,'],
	]);
});

test('result-to-decision: any other asks the team to have a look', async ({
	decisionOn,
	service,
}) => {
	const invitation = await invite(service, (score) => score < THRESHOLD);
	const { email, message } = await decisionOn(invitation);
	expect(email).toEqual([]);
	expect(message.map(({ text }) => text)).toEqual([
		`Maya Okafor (${invitation.ext_reference_id}) has finished the assessment with a role fit of ` +
			`${roleFit(invitation)}. Please have a look: ` +
			`${service.baseUrl}/profiles/${invitation.invitation_code}`,
	]);
});

/** Invites until somebody will get such a score: in the mock service it follows from the code. */
async function invite(service: PartnerService, isWanted: (score: number) => boolean) {
	for (;;) {
		const invitation = await inviteAt(service, PERSON);
		if (isWanted(roleFit(invitation))) return invitation;
	}
}

function roleFit({ invitation_code: code }: InvitationWithLinks): number {
	const score = makeScores(code).scores.find(({ score_type }) => score_type === 'role_fit');
	if (!score) throw new Error('The mock service gives no role fit');
	return score.score_value;
}
