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

const NAMES = {
	ours: 'Candidate Assessment',
	httpRequest: 'HTTP Request with our credential',
	httpRequestPlain: 'HTTP Request, token in plain text',
};
export type Contender = keyof typeof NAMES;

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
 * them. Ours is the first. Returns rows of the page's table: medians, with half the range of all runs.
 *
 * @param run returns the seconds that it took
 */
export async function compare(
	work: string,
	contenders: Contender[],
	times: number,
	run: (contender: Contender) => Promise<number>,
): Promise<string[]> {
	const taken = contenders.map((contender) => ({ contender, runs: [] as number[] }));
	for (let time = 0; time < times; time++) {
		for (const { contender, runs } of taken) runs.push(await run(contender));
	}
	const [ours, ...others] = taken.map(({ contender, runs }) => {
		const sorted = runs.sort((one, other) => one - other);
		const median = sorted[Math.ceil(times / 2) - 1];
		const spread = Math.round((50 * (sorted.at(-1)! - sorted[0])) / median);
		return { name: NAMES[contender], median, figure: `${median.toFixed(2)} s ±${spread} %` };
	});
	const rows = others.map(({ name, median, figure }, index) => {
		const start = index === 0 ? [work, ours.figure] : ['', ''];
		return `| ${[...start, name, figure, (ours.median / median).toFixed(2)].join(' | ')} |`;
	});
	// Shows them as soon as they exist. Standard output is for the page.
	console.error(rows.join('\n'));
	return rows;
}
