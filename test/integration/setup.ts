import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import {
	createNodeTestHarness,
	deduplicator,
	loadPackage,
	type Credential,
	type NodeTestHarness,
} from './NodeTestHarness';

export interface Setup {
	service: PartnerService;
	harness: NodeTestHarness;
	/** A harness whose credential differs from the one that works. */
	createNodeTestHarness(
		credential: Partial<Credential>,
		timezone?: string,
		workflowId?: string,
	): NodeTestHarness;
	/** The bodies of the requests that the service was sent, in order. */
	sent(): unknown[];
	/** The references of the invitations among them. */
	references(): string[];
}

/** A mock service of its own for each test file, and a harness whose credential fits it. */
export function setUp(): Setup {
	const setup = {} as Setup;
	beforeAll(async () => {
		const loader = await loadPackage();
		const service = await startPartnerService();
		const credential = { baseUrl: service.baseUrl, accessToken: service.accessToken };
		setup.service = service;
		setup.createNodeTestHarness = (other, ...workflow) =>
			createNodeTestHarness(loader, { ...credential, ...other } as Credential, ...workflow);
		setup.harness = setup.createNodeTestHarness({});
		setup.sent = () => service.requests.map(({ body }) => body);
		setup.references = () =>
			(setup.sent() as Array<{ ext_reference_id: string }>).map((body) => body.ext_reference_id);
	});
	afterEach(() => {
		deduplicator.startNewWorkflow();
		setup.service.faults.clear();
		setup.service.clearRequests();
	});
	afterAll(async () => await setup.service.close());
	return setup;
}

export const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** Parameters of an invitation that is right; `more` replaces or adds. */
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

/** Tells the request that invites an application: "APP-" and its number. */
export const forThe = (number: number) => (request: { body?: unknown }) =>
	(request.body as { ext_reference_id?: string }).ext_reference_id === `APP-${number}`;

/** Parameters of Get by code; `more` replaces or adds. */
export function getByCode(value: string, more: INodeParameters = {}): INodeParameters {
	const invitationCode = { __rl: true, mode: 'code', value };
	return { resource: 'candidate', operation: 'get', invitationCode, ...more };
}

/** Parameters of invitations that take their reference from each item, and so many items. */
export function invitations(count: number): [INodeParameters, IDataObject[]] {
	const items = Array.from({ length: count }, (_, index) => ({ ref: `APP-${index + 1}` }));
	return [invitation({ extReferenceId: '={{ $json.ref }}' }), items];
}
