import type { PartnerService } from '../../../mock-service/service.mts';
import { itemsOf, type Item } from '../../../tools/n8n/client.mts';
import { inviteAt } from '../../support/invite.mts';
import { ACTION_NODE, RESULT_READY, runAction } from '../../support/workflows.mts';
import { expect, test as base } from '../fixtures.mts';

const JOB = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
const API = '/partner/v1.0';
const NATHAN = { email: 'nathan@example.com', first_name: 'Nathan', last_name: 'Smith' };

/** Runs the action node in a real execution that must go well; gives the one item that comes out. */
type RunOperation = (parameters: Record<string, unknown>) => Promise<Item['json']>;

const test = base.extend<{ run: RunOperation }>({
	run: async ({ n8n, service, credential }, use) =>
		await use(async (parameters) => {
			service.clearRequests();
			const execution = await runAction(n8n.client, { name: 'Operation', credential, parameters });
			const { status, data } = execution;
			expect(status, data.resultData.error?.message).toBe('success');
			const items = itemsOf(execution, ACTION_NODE);
			expect(items).toHaveLength(1);
			return items[0].json;
		}),
});

const received = ({ requests }: PartnerService) =>
	requests.map(({ method, path, body }) => [method, path, body]);

test('Invite sends what was entered and gives the invitation', async ({ run, service }) => {
	const json = await run({
		...{ resource: 'candidate', operation: 'invite', jobId: JOB, extReferenceId: 'APP-1' },
		...{ email: 'nathan@example.com', firstName: 'Nathan', lastName: 'Smith' },
		additionalFields: {
			skillsJson: '={{ [{ "name": "SQL", "proficiency": "novice" }] }}',
			workExperiences: {
				workExperience: [{ organization: 'Example', startDate: '2020-02-01T00:00:00' }],
			},
		},
	});
	const body = {
		...{ job_id: JOB, ext_reference_id: 'APP-1', is_anonymous_candidate: false },
		...NATHAN,
		skills: [{ name: 'SQL', proficiency: 'novice' }],
		work_experiences: [{ organization: 'Example', is_current: false, start_date: '2020-02-01' }],
	};
	expect(received(service)).toEqual([['POST', `${API}/standard/candidates`, body]]);
	const { invitation_link } = service.invitations[0];
	expect(json).toMatchObject({ invitation_link, ext_reference_id: 'APP-1', status: 'invited' });
});

test('Get by code gives ten simple fields with the scores', async ({ run, service }) => {
	const { invitation_code: code } = await inviteAt(service, NATHAN);
	await service.finish(code);
	const json = await run({
		...{ resource: 'candidate', operation: 'get', simplify: true },
		invitationCode: { __rl: true, mode: 'code', value: code },
	});
	const path = `${API}/standard/candidates/invitation/${code}`;
	expect(received(service)).toEqual([['GET', path, undefined]]);
	const [known] = service.invitations;
	expect(known.scores.length).toBeGreaterThan(0);
	expect(json).toEqual({
		candidate_id: known.candidate_id,
		ext_reference_id: known.ext_reference_id,
		job_id: known.job_id,
		...NATHAN,
		status: 'completed',
		report_pdf_link: known.report_pdf_link,
		report_profile_link: known.report_profile_link,
		scores: Object.fromEntries(
			[...known.scores, ...known.additional_scores].map((score) => [
				score.score_type,
				score.score_value,
			]),
		),
	});
});

test('Get by link gives all that the service says', async ({ run, service }) => {
	const { invitation_code: code, invitation_link } = await inviteAt(service, NATHAN);
	await service.finish(code);
	const json = await run({
		...{ resource: 'candidate', operation: 'get', simplify: false },
		invitationCode: { __rl: true, mode: 'link', value: invitation_link },
	});
	const path = `${API}/standard/candidates/invitation/${code}`;
	expect(received(service)).toEqual([['GET', path, undefined]]);
	const [{ scores, additional_scores }] = service.invitations;
	expect(scores.length).toBeGreaterThan(0);
	expect(json).toMatchObject({ scores, additional_scores });
});

test('Update replaces a webhook', async ({ run, service }) => {
	const { webhookId } = service;
	const desired = { name: 'Results', url: 'https://hr.example.com/hook', events: [RESULT_READY] };
	const secret = 'a secret for hr.example.com';
	const json = await run({
		...{ resource: 'webhook', operation: 'update', webhookId, ...desired, secret },
	});
	const path = `${API}/webhooks/${webhookId}`;
	expect(received(service)).toEqual([['PUT', path, { ...desired, secret }]]);
	expect(service.webhooks[0].url).toBe(desired.url);
	expect(json).toMatchObject(desired);
	expect(JSON.stringify(json)).not.toContain(secret);
});

test('Set Status switches a webhook', async ({ run, service }) => {
	const { webhookId } = service;
	for (const status of ['active', 'inactive']) {
		const json = await run({ resource: 'webhook', operation: 'setStatus', webhookId, status });
		const path = `${API}/webhooks/${webhookId}/status`;
		expect(received(service)).toEqual([['PUT', path, { status }]]);
		expect(service.webhooks[0].status).toBe(status);
		expect(json.status).toBe(status);
	}
});

test('Delete deletes a webhook', async ({ run, service }) => {
	const { webhookId } = service;
	const json = await run({ resource: 'webhook', operation: 'delete', webhookId });
	expect(received(service)).toEqual([['DELETE', `${API}/webhooks/${webhookId}`, undefined]]);
	expect(service.webhooks[0].is_deleted).toBe(true);
	expect(json.is_deleted).toBe(true);
});
