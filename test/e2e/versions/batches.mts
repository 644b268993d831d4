import assert from 'node:assert/strict';

import { itemsOf } from '../../../tools/n8n/client.mts';
import type { Demo } from '../../../demo/demo.mts';
import type { Check } from '../../support/checks.mts';
import { createCredential } from '../../support/credentials.mts';
import { ACTION_NODE, runAction } from '../../support/workflows.mts';

const SIZE = 20;
const BAD = 7;
const LONGEST_REFERENCE = 50;

/** References APP-1 to APP-20; the seventh is longer than the service takes. */
const REFERENCES = Array.from({ length: SIZE }, (_, index) =>
	`APP-${index + 1}`.padEnd(index + 1 === BAD ? LONGEST_REFERENCE + 1 : 0, '!'),
);
const GOOD = REFERENCES.filter(({ length }) => length <= LONGEST_REFERENCE);

/** A batch with one bad item, stopping on errors and not. */
export async function checkBatches(check: Check, demo: Demo): Promise<void> {
	const { client, service } = demo;
	const credential = await createCredential(client, service);
	const run = async (onError?: 'continueErrorOutput') => {
		service.clearRequests();
		return await runAction(client, {
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
		});
	};
	const wrong = `External Reference ID: ${LONGEST_REFERENCE + 1} characters given`;

	await check('a batch with one bad item sends nothing and names the item', async () => {
		const { status, data } = await run();
		assert.equal(status, 'error');
		const { message = '', description } = data.resultData.error ?? {};
		assert.ok(message.startsWith(`Item ${BAD}: ${wrong}`), message);
		assert.equal(description, 'Nothing was sent.');
		assert.equal(service.requests.length, 0);
	});

	await check('the error output gets the bad item, the others are invited in order', async () => {
		const execution = await run('continueErrorOutput');
		assert.equal(execution.status, 'success');
		const [invited, failed] = [0, 1].map((output) =>
			itemsOf(execution, ACTION_NODE, output).map(({ json }) => json),
		);
		assert.deepEqual(
			invited.map((json) => json.ext_reference_id),
			GOOD,
		);
		assert.equal(failed.length, 1);
		assert.ok(String(failed[0].error).startsWith(wrong), JSON.stringify(failed[0]));
		const sent = service.requests.map(({ body }) => (body as any).ext_reference_id);
		assert.deepEqual(sent.sort(), GOOD.toSorted());
	});
}
