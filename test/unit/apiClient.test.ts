import { useVirtualTime } from '../integration/n8n/virtualTime.mts';
import { STOPPED } from '../../nodes/CandidateAssessment/batch/runBatch';
import { ApiClient } from '../../nodes/CandidateAssessment/transport/ApiClient';
import { parseCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';

const lost = (wasSent: boolean): Attempt<void> => ({
	kind: 'networkError',
	code: 'ECONNRESET',
	wasSent,
});
const UNKNOWN = lost(true);
const NOT_SENT = lost(false);

it.each([
	['stopped before its retry, is unknown', [UNKNOWN], 'unknown'],
	['not sent in its retry, is unknown', [UNKNOWN, NOT_SENT], 'unknown'],
	['sent in its retry, is unknown', [NOT_SENT, UNKNOWN], 'unknown'],
	['never sent, and stopped before its retry, is not sent', [NOT_SENT], 'notSent'],
	['never sent is not sent', [NOT_SENT, NOT_SENT], 'notSent'],
])('a request that was %s', async (_what, attempts, outcome) => {
	const stop = new AbortController();
	const clock = useVirtualTime();
	// Before the retry, which is the only one.
	if (attempts.length === 1) clock.after(1, () => stop.abort(STOPPED));
	const client = new ApiClient(
		undefined as never,
		parseCredentials({ baseUrl: 'https://example.com', accessToken: 't' }),
		{ concurrency: 1, maxRetries: 1, timeout: 1, maxWait: 1 },
		stop,
	);
	const left = [...attempts];
	const sent = client.withRetries({ isRepeatable: true }, [], async () => left.shift()!);
	await expect(clock.until(sent)).rejects.toMatchObject({ outcome });
	expect(left).toEqual([]);
});
