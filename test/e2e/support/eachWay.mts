import type { PartnerService } from '../../../mock-service/service.mts';
import type { N8nClient, WorkflowNode } from '../../../tools/n8n/client.mts';
import { JOB, NOTE, readExample, type ExampleName } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import type { Mail } from './mailServer.mts';
import { expect, PERSON, test as base, type Imported, type Row } from './exampleFixtures.mts';

// To try an example without sending, users add Check Only, or deactivate a node, which then passes on its input.
// Left out: triggers, *First result*, *Import a spreadsheet*, *A Google Sheet*, *AI agent invites*, *Monitor the trigger*.

const CHECK_ONLY = 'Check Only';
const OWN = ['application_id', 'first_name', 'last_name', 'email', 'job_id'] as const;
const WEEKS = new Date(Date.now() + 10 * 86_400_000).toISOString();

/** The data table or sheet with the rows. */
interface World {
	begin: (rows: readonly Row[]) => Promise<void>;
	rows: () => Promise<Row[]>;
	mails: Mail[];
}

/** A new applicant's row. */
const newRow = (id: string): Row => ({ ...PERSON, application_id: id, email: id, job_id: JOB });

/** The nodes that can be deactivated: all that run after a start, except for *Set Up Once*. */
export async function nodesOf(name: ExampleName): Promise<string[]> {
	const { nodes } = await readExample(name);
	const all = nodes.filter(({ type }) => type !== NOTE && !/Trigger$/i.test(type));
	return all.map((node) => node.name).filter((node) => node !== 'Create The Table');
}

/** Saves an example changed in one way, or as it was. */
export async function change(client: N8nClient, { id, nodes }: Imported, what = '', more?: object) {
	const changed = (node: WorkflowNode): WorkflowNode => {
		if (node.name === what) return { ...node, disabled: true };
		if (what !== CHECK_ONLY || node.parameters.operation !== 'invite') return node;
		const options = { ...(node.parameters.options as object), checkOnly: true };
		return { ...node, parameters: { ...node.parameters, options } };
	};
	const { versionId } = await client.getWorkflow(id);
	const body = { nodes: nodes.map(changed), versionId, ...more };
	await client.request('PATCH', `/rest/workflows/${id}`, body);
}

/** Mails must contain their candidate's link, and rows must be true. @returns everything that is wrong */
function wrongIn(
	service: PartnerService,
	before: readonly Row[],
	rows: readonly Row[],
	mails: readonly Mail[],
): string[] {
	const hasLink = ({ to, text }: Mail) =>
		service.invitations.some((each) => each.email === to && text.includes(each.invitation_link));
	const wrong = mails
		.filter((mail) => !hasLink(mail))
		.map(({ to, text }) => `mailed to ${to}: ${text.slice(-200)}`);
	for (const row of rows) {
		const id = row.application_id;
		const said = (key: string) => wrong.push(`${id || 'a row'}: ${key} is ${row[key]}`);
		const old = before.find(({ application_id }) => application_id === id);
		for (const key of OWN) if (!row[key] || (old && row[key] !== old[key])) said(key);
		const invitation = service.invitations.find((each) => each.ext_reference_id === id);
		const { status, invitation_link: link, link_sent_at, problem } = row;
		if (status && !(invitation && ['invited', invitation.status].includes(status))) said('status');
		if (link && link !== invitation?.invitation_link) said('invitation_link');
		const wasMailed = mails.some(({ to, text }) => to === row.email && text.includes(link));
		if (link_sent_at && link_sent_at !== old?.link_sent_at && !wasMailed) said('link_sent_at');
		if (old?.problem && old.problem !== problem && !wasMailed) said('problem');
	}
	return wrong;
}

/** One candidate who was invited and has no mail yet, and two who have a result. */
async function invitedAndCompleted(service: PartnerService): Promise<Row[]> {
	const rows: Row[] = [];
	// The last candidate's result was missed.
	for (const status of ['invited', 'completed', 'invited']) {
		const { invitation_code, ext_reference_id: id, invitation_link } = await inviteAt(service, JOB);
		const link_sent_at = rows.length === 0 ? '' : '2026-11-02';
		if (link_sent_at) await service.finish(invitation_code);
		const own = { ...PERSON, application_id: id, job_id: JOB, status, invitation_link };
		rows.push({ ...own, open_until: WEEKS, link_sent_at });
	}
	return rows;
}

/** The changes to a row once its link was emailed. */
export const SENT = { status: 'invited', problem: '', link_sent_at: expect.stringMatching(/^20/) };

/** Runs a workflow once. Expects success, or a failure with these words. @returns the execution's ID */
export type Run = (words?: RegExp) => Promise<string>;

/** Runs a workflow that a schedule starts. */
export const runOf = ({ id, nodes }: Imported, client: N8nClient): Run => {
	const start = nodes.find(({ type }) => type.endsWith('.scheduleTrigger'))!.name;
	return async (words) => {
		const { data, ...run } = await client.runToEnd(id, start);
		expect([run.status, data.resultData.error?.message]).toEqual(
			words ? ['error', expect.stringMatching(words)] : ['success', undefined],
		);
		return run.id;
	};
};

export const test = base.extend<{
	/** Puts rows into the table, and imports an example without its sample data. */
	schedule: (name: ExampleName, rows: Array<Partial<Row>>, how?: object) => Promise<Run>;
}>({
	schedule: async ({ n8n: { client }, applications, importExample }, use) =>
		await use(async (name, rows, how) => {
			const workflow = await importExample(name, { unpin: true, ...how });
			await applications.add(rows);
			return runOf(workflow, client);
		}),
});

/** The parts of a trial. */
interface Trial {
	client: N8nClient;
	service: PartnerService;
	world: World;
	workflow: Imported;
	name: ExampleName;
	/** Runs it, or fills in its form. @returns everything wrong with what the page shows */
	run: (news: readonly Row[]) => Promise<string[]>;
	/** Whether new people fill in a form, and so have no row yet. */
	isForm?: boolean;
}

/** Tries an example in each way with new people, and then unchanged. @returns everything wrong, by way */
export async function tryInEachWay({ client, service, world, workflow, name, run, isForm }: Trial) {
	const others = await invitedAndCompleted(service);
	if (name === 'catch-up') others[0]!.problem = 'on vacation';
	const found: Record<string, string[]> = {};
	// n8n's code for deactivated nodes is the same in both.
	const ways = [CHECK_ONLY, ...(client.isVersion1 ? [] : await nodesOf(name))];
	for (const [index, way] of ways.entries()) {
		const letters = isForm ? ['a'] : ['a', 'b', 'c'];
		const news = letters.map((letter) => newRow(`${letter}-${index}@people.example`));
		const before = isForm ? others : [...news, ...others];
		const wrong = async () => wrongIn(service, before, await world.rows(), world.mails);
		await world.begin(before);
		world.mails.length = 0;
		await change(client, workflow, way);
		const seen = await run(news);
		const first = [...seen, ...(await wrong())];
		await change(client, workflow);
		const then = [...(await run(news)), ...(await wrong())];
		for (const { application_id: id } of name === 'catch-up' ? [] : news) {
			const { length } = service.invitations.filter((each) => each.ext_reference_id === id);
			if (length !== 1) then.push(`${id} is invited ${length} times`);
			const row = (await world.rows()).find((each) => each.application_id === id);
			// One has no table. Without the other's row, the run fails, and the link is on the page.
			if (name !== 'cv-to-invitation' && way !== 'Make The Row' && row?.status !== 'invited')
				then.push(`${id} is ${row?.status}`);
		}
		if (first.length + then.length > 0) found[way] = [...first, 'then:', ...then];
	}
	return found;
}

export const TITLE =
	'tried with Check Only, or with any one node deactivated, nobody is mailed without a link, no row says what is not so, and the next run invites everybody';
