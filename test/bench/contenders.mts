import { CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import type { PartnerService } from '../../mock-service/service.mts';
import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import { ACTION_NODE, actionNode, baseNode, type Part } from '../e2e/support/workflows.mts';
import { JOB } from '../support/example.mts';

/** The setup under measurement: n8n with the package, and a mock service that does nothing else. */
export interface BenchEnvironment {
	client: N8nClient;
	service: PartnerService;
	credential: Credential;
}

/** In the order of the page's columns: HTTP Request has our credential, or the token in plain text. */
const CONTENDERS = ['ours', 'httpRequest', 'httpRequestPlain'] as const;
export type Contender = (typeof CONTENDERS)[number];

/** The node that sends a list. */
export function nodeOf({ service, credential }: BenchEnvironment, contender: Contender): Part {
	if (contender === 'ours') {
		return actionNode(credential, {
			resource: 'candidate',
			operation: 'invite',
			jobId: JOB,
			extReferenceId: '={{ $json.ref }}',
			email: '={{ $json.email }}',
			firstName: '={{ $json.first }}',
			lastName: '={{ $json.last }}',
		});
	}
	const headers = [{ name: 'Accept', value: 'application/json' }];
	// HTTP Request at its best: one expression for the whole body, and everything sent at once.
	const http = baseNode(ACTION_NODE, 'httpRequest', 4.2, {
		method: 'POST',
		url: `${service.baseUrl}/partner/v1.0/standard/candidates`,
		sendHeaders: true,
		headerParameters: { parameters: headers },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ job_id: "${JOB}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: $json.first, last_name: $json.last }) }}`,
		options: { response: { response: { responseFormat: 'json' } } },
	});
	if (contender === 'httpRequestPlain') {
		headers.push({ name: 'Authorization', value: `Bearer ${service.accessToken}` });
		return http;
	}
	http.parameters.authentication = 'predefinedCredentialType';
	http.parameters.nodeCredentialType = CREDENTIAL;
	return { ...http, credentials: withCredential(credential) };
}

/**
 * Has each contender do the work some times, in turn (A B C A B C), so that other load on the machine affects all of
 * them. Returns a row of the page's table: medians, with half the range of all runs, and our time as a share of theirs.
 *
 * @param run returns the seconds that it took
 */
export async function compare(
	work: string,
	contenders: Contender[],
	times: number,
	run: (contender: Contender) => Promise<number>,
): Promise<string> {
	const taken = contenders.map((contender) => ({ contender, runs: [] as number[] }));
	for (let time = 0; time < times; time++) {
		for (const { contender, runs } of taken) runs.push(await run(contender));
	}
	const medians = new Map<Contender, number>();
	const cells = CONTENDERS.map((contender) => {
		const runs = taken.find((each) => each.contender === contender)?.runs;
		if (!runs) return '';
		const sorted = runs.sort((one, other) => one - other);
		const median = sorted[Math.ceil(times / 2) - 1];
		medians.set(contender, median);
		const spread = Math.round((50 * (sorted.at(-1)! - sorted[0])) / median);
		const share = (medians.get('ours')! / median).toFixed(2);
		return `${median.toFixed(2)} s ±${spread}%${contender === 'ours' ? '' : ` (${share})`}`;
	});
	const row = `| ${[work, ...cells].join(' | ')} |`;
	// Shows it as soon as it exists. Standard output is for the page.
	console.error(row);
	return row;
}
