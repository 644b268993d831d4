import type { PackageDirectoryLoader } from 'n8n-core';
import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';
import {
	startPartnerService,
	type Fault,
	type PartnerService,
} from '../../../mock-service/service.mts';
import type { Credential } from './credentialsStore.mts';
import {
	createNodeTestHarness,
	deduplicator,
	loadPackage,
	type NodeTestHarness,
} from './NodeTestHarness';

class Setup {
	service!: PartnerService;
	harness!: NodeTestHarness;
	loader!: PackageDirectoryLoader;

	async start(): Promise<void> {
		this.loader = await loadPackage();
		this.service = await startPartnerService();
		this.harness = this.createNodeTestHarness({});
	}

	/** Creates a harness whose credential differs from the working one. */
	createNodeTestHarness(
		credential: Credential,
		workflowId?: string,
		credentialId?: string,
	): NodeTestHarness {
		const { baseUrl, accessToken } = this.service;
		const data = { baseUrl, accessToken, ...credential };
		return createNodeTestHarness(this.loader, data, workflowId, credentialId);
	}

	/** Creates a harness whose workflow was "never saved", or is unknown to n8n's database. */
	withoutMemory(workflow: string, words = 'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed') {
		deduplicator.failure = () => new Error(words);
		return workflow === 'never saved' ? this.createNodeTestHarness({}, '') : this.harness;
	}

	/** Injects a fault into the next invitation, or into that of one application: "APP-" and its number. */
	fault(fault: Omit<Fault, 'route'>, number?: number): void {
		const isMeant = ({ body }: { body?: unknown }) =>
			(body as { ext_reference_id?: string }).ext_reference_id === `APP-${number}`;
		const when = number === undefined ? undefined : isMeant;
		this.service.faults.inject({ route: 'createInvitation', ...fault, when });
	}

	/** Invites a candidate. Returns the link and the code at its end. */
	async invite(extReferenceId = 'APP-1'): Promise<{ link: string; code: string }> {
		const { json } = await this.harness.run(invitation({ extReferenceId }));
		const link = String(json[0].invitation_link);
		return { link, code: link.slice(link.lastIndexOf('/') + 1) };
	}

	/** Waits until the service has received this many requests. */
	async firstRequest(count = 1): Promise<void> {
		while (this.service.requests.length < count) await sleep(1);
	}

	/** The bodies of the requests that the service received, in order. */
	sent(): unknown[] {
		return this.service.requests.map(({ body }) => body);
	}

	/** The references of the invitations among these requests. */
	references(): string[] {
		return (this.sent() as Array<{ ext_reference_id: string }>).map(
			(body) => body.ext_reference_id,
		);
	}
}

/** Starts a mock service for each test file, and a harness whose credential fits it. */
export function setUp(): Setup {
	const setup = new Setup();
	beforeAll(async () => await setup.start());
	afterEach(() => {
		deduplicator.startNewWorkflow();
		setup.service.faults.clear();
		setup.service.clearRequests();
	});
	afterAll(async () => await setup.service.close());
	return setup;
}

/** Hints about a node's first list of several items, before it's sent and afterwards. */
export const FIRST_LIST = expect.stringMatching(
	/^This is this node's first list, .* counts as new\. Stop here if .* would be invited again\.$/,
);
export const WAS_FIRST_LIST = expect.stringMatching(
	/^This was this node's first list, .* counted as new\. If another node had invited some .* may have been invited again\.$/,
);

/** Failed items become items, and the others are still sent. */
export const CONTINUE = { onError: 'continueRegularOutput' as const };
/** The type of the node that an agent uses as a tool. */
export const TOOL = { type: 'n8n-nodes-candidate-assessment.candidateAssessmentTool' };

export const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** Valid parameters of an invitation; `more` replaces or adds. */
export function invitation(more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'candidate',
		operation: 'invite',
		jobId: JOB_ID,
		extReferenceId: 'APP-1',
		isAnonymousCandidate: false,
		email: 'nathan@example.com',
		firstName: 'Nathan',
		lastName: 'Smith',
		...more,
	};
}

/** Parameters of Get by code; `more` replaces or adds. */
export function getByCode(value: string, more: INodeParameters = {}): INodeParameters {
	const invitationCode = { __rl: true, mode: 'code', value };
	return { resource: 'candidate', operation: 'get', invitationCode, ...more };
}

/** Parameters of Webhook: Update; `more` replaces or adds. */
export function webhookUpdate(webhookId: string, more: INodeParameters = {}): INodeParameters {
	const url = 'https://hr.example.com/results';
	const events = ['candidate_application_result_ready'];
	const update = { name: 'Results', url, events };
	return { resource: 'webhook', operation: 'update', webhookId, ...update, ...more };
}

/** Parameters of invitations that take their reference from each item, and this many items: APP-1, … */
export function invitations(
	count: number,
	more: INodeParameters = {},
	prefix = 'APP',
): [INodeParameters, IDataObject[]] {
	const items = Array.from({ length: count }, (_, index) => ({ ref: `${prefix}-${index + 1}` }));
	// The first is the candidate of `invitation`; the others are other people.
	const name = '$json.ref === "APP-1" ? "nathan" : String($json.ref).replace(/\\W/g, "-")';
	const email = `={{ ${name} }}@example.com`;
	return [invitation({ extReferenceId: '={{ $json.ref }}', email, ...more }), items];
}
