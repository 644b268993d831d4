import { itemsOf, type Execution, type WorkflowNode } from '../../../tools/n8n/client.mts';
import { ACTION_NODE, runAction } from '../../support/workflows.mts';
import { expect, test as base } from '../fixtures.mts';

const SIZE = 20;
const BAD = 7;
const MAX_REFERENCE_LENGTH = 50;

/** References APP-1 to APP-20; the seventh is longer than the service takes. */
const REFERENCES = Array.from({ length: SIZE }, (_, index) =>
	`APP-${index + 1}`.padEnd(index + 1 === BAD ? MAX_REFERENCE_LENGTH + 1 : 0, '!'),
);
const GOOD = REFERENCES.filter(({ length }) => length <= MAX_REFERENCE_LENGTH);
const REASON = `External Reference ID: ${MAX_REFERENCE_LENGTH + 1} characters given`;

const test = base.extend<{
	/** Invites all references at once. */
	runBatch: (onError?: WorkflowNode['onError']) => Promise<Execution>;
}>({
	runBatch: async ({ n8n, credential }, use) =>
		await use(
			async (onError) =>
				await runAction(n8n.client, {
					name: 'Batch',
					credential,
					onError,
					items: JSON.stringify(REFERENCES.map((reference) => ({ reference }))),
					parameters: {
						...{ resource: 'candidate', operation: 'invite' },
						jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
						extReferenceId: '={{ $json.reference }}',
						isAnonymousCandidate: true,
					},
				}),
		),
});

test('a batch with one bad item sends nothing and names the item', async ({
	runBatch,
	service,
}) => {
	const { status, data } = await runBatch();
	expect(status).toBe('error');
	const { message = '', description } = data.resultData.error ?? {};
	expect(message).toMatch(new RegExp(`^Item ${BAD}: ${REASON}`));
	expect(description).toBe('Nothing was sent.');
	expect(service.requests).toHaveLength(0);
});

test('the error output gets the bad item, the others are invited in order', async ({
	runBatch,
	service,
}) => {
	const execution = await runBatch('continueErrorOutput');
	expect(execution.status).toBe('success');
	const [invited, failed] = [0, 2].map((output) =>
		itemsOf(execution, ACTION_NODE, output).map(({ json }) => json),
	);
	expect(invited.map((json) => json.ext_reference_id)).toEqual(GOOD);
	expect(failed).toHaveLength(1);
	expect(failed[0].error).toMatch(new RegExp(`^${REASON}`));
	const sent = service.requests.map(
		({ body }) => (body as { ext_reference_id: string }).ext_reference_id,
	);
	expect(sent.sort()).toEqual(GOOD.toSorted());
});
