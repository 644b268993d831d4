import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

import type { PartnerService } from '../../mock-service/service.mts';

/**
 * What the machine can do: invites with a plain fetch loop, in a process of its own like n8n.
 * Returns the time the loop took, in milliseconds.
 */
export async function fetchLoop(
	{ baseUrl, accessToken }: PartnerService,
	items: number,
	concurrency: number,
): Promise<number> {
	const url = `${baseUrl}/partner/v1.0/standard/candidates`;
	const headers = {
		Accept: 'application/json',
		'Content-Type': 'application/json',
		Authorization: `Bearer ${accessToken}`,
	};
	const program = `const started = performance.now();
		let next = 0;
		const worker = async () => {
			while (next < ${items}) {
				const index = next++;
				const body = JSON.stringify({
					job_id: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
					ext_reference_id: 'APP-' + (index + 1),
					is_anonymous_candidate: false,
					email: 'nathan' + index + '@example.com',
					first_name: 'Nathan',
					last_name: 'Smith',
				});
				const headers = ${JSON.stringify(headers)};
				await (await fetch('${url}', { method: 'POST', headers, body })).json();
			}
		};
		await Promise.all(Array.from({ length: ${concurrency} }, worker));
		console.log(performance.now() - started);`;
	const options = ['--input-type=module', '--eval', program];
	return Number((await promisify(execFile)(process.execPath, options)).stdout);
}
