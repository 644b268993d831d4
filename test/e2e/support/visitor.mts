import { setTimeout as sleep } from 'node:timers/promises';

/** Submits an n8n form without a browser, as its page does. Returns the next page, or the status if there is none. */
export async function fillIn(address: string, fields: Array<string | File>): Promise<string> {
	const body = new FormData();
	for (const [index, value] of fields.entries()) body.set(`field-${index}`, value);
	// n8n may close a kept-alive connection just as it's reused.
	const headers = { connection: 'close' };
	const response = await fetch(address, { method: 'POST', body, headers });
	const text = await response.text();
	if (!response.ok) throw new Error(`The form answered ${response.status}: ${text}`);
	const next = new URL((text.startsWith('{') && JSON.parse(text).formWaitingUrl) || address);
	const status = `${next.origin}${next.pathname}/n8n-execution-status${next.search}`;
	for (;;) {
		const said = (await (await fetch(status, { headers })).text()).trim();
		if (said === 'form-waiting') break;
		if (/^(success|error|canceled|crashed|null)$/.test(said)) return said;
		await sleep(50);
	}
	const page = await (await fetch(next, { headers })).text();
	// An ending page lets the rest of the workflow run.
	await fetch(next, { method: 'POST', headers });
	return page;
}
