/**
 * What the machine can do: invites with a plain fetch loop, in a process of its own like n8n. Prints the milliseconds
 * that the loop took. Arguments: the service's base URL, its access token, and the number of candidates.
 */
import process from 'node:process';

import pLimit from 'p-limit';

/** As many in flight as our node has by default. */
const limit = pLimit(30);
const [baseUrl, accessToken, items] = process.argv.slice(2);

const started = performance.now();
await Promise.all(
	Array.from({ length: Number(items) }, async (_, index) => {
		await limit(invite, index);
	}),
);
console.log(performance.now() - started);

async function invite(index: number): Promise<void> {
	const response = await fetch(`${baseUrl}/partner/v1.0/standard/candidates`, {
		method: 'POST',
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			authorization: `Bearer ${accessToken}`,
		},
		body: JSON.stringify({
			job_id: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
			ext_reference_id: `APP-${index + 1}`,
			is_anonymous_candidate: false,
			...{ email: `nathan${index}@example.com`, first_name: 'Nathan', last_name: 'Smith' },
		}),
	});
	await response.json();
}
