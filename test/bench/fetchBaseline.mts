import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

import type { PartnerService } from '../../mock-service/service.mts';

const run = promisify(execFile);

/**
 * What the machine can do: invites with a plain fetch loop, in a process of its own like n8n.
 * Returns the time the loop took, in milliseconds.
 */
export async function fetchBaseline(
	{ baseUrl, accessToken }: PartnerService,
	items: number,
	concurrency: number,
): Promise<number> {
	const { stdout } = await run(process.execPath, [
		'--input-type=module',
		'--eval',
		`const started = performance.now();
		let next = 0;
		const worker = async () => {
			while (next < ${items}) {
				const index = next++;
				const response = await fetch(${JSON.stringify(`${baseUrl}/partner/v1.0/standard/candidates`)}, {
					method: 'POST',
					headers: {
						Accept: 'application/json',
						'Content-Type': 'application/json',
						Authorization: ${JSON.stringify(`Bearer ${accessToken}`)},
					},
					body: JSON.stringify({
						job_id: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
						ext_reference_id: 'APP-' + (index + 1),
						is_anonymous_candidate: false,
						email: 'nathan' + index + '@example.com',
						first_name: 'Nathan',
						last_name: 'Smith',
					}),
				});
				await response.json();
			}
		};
		await Promise.all(Array.from({ length: ${concurrency} }, worker));
		console.log(performance.now() - started);`,
	]);
	return Number(stdout);
}
