import type { N8nClient, Workflow } from '../../tools/n8n/client.mts';

/** West of UTC: its days end within the next ones of UTC. */
export const LOS_ANGELES = 'America/Los_Angeles';

/** What a user chooses in a workflow's settings. */
export async function setTimeZone(
	client: N8nClient,
	{ id, settings, versionId }: Workflow,
	timezone: string,
): Promise<void> {
	const changed = { settings: { ...settings, timezone }, versionId };
	await client.request('PATCH', `/rest/workflows/${id}`, changed);
}

/** A day as it is written in the United States: "December 15". */
export function dayIn(timeZone: string, moment: string): string {
	const format = new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', month: 'long' });
	return format.format(new Date(moment));
}

/** The last second of a day there, so many days from now. */
export function lastMomentOf(timeZone: string, days: number): Date {
	const moment = new Date(Date.now() + days * 24 * 3_600_000);
	const dayOf = (date: Date) => new Intl.DateTimeFormat('sv', { timeZone }).format(date);
	const next = new Date(Math.ceil(moment.getTime() / 3_600_000) * 3_600_000);
	while (dayOf(next) === dayOf(moment)) next.setTime(next.getTime() + 3_600_000);
	return new Date(next.getTime() - 1000);
}
