import { startPartnerService } from '../../../mock-service/service.mts';
import { inviteAt } from '../../support/invite.mts';

export type RestartableService = Awaited<ReturnType<typeof startRestartableService>>;

/**
 * Starts a mock service that can stop and restart at the same address with its data.
 * @param dataFile keeps its data; must not exist yet
 */
export async function startRestartableService(dataFile: string) {
	let running = await startPartnerService({ dataFile });
	const { webhookId, baseUrl } = running;
	const port = Number(new URL(baseUrl).port);
	return {
		webhookId,
		get running() {
			return running;
		},
		get webhook() {
			const webhook = running.webhooks.find(({ id }) => id === webhookId);
			if (!webhook) throw new Error('The service has lost its webhook');
			return webhook;
		},
		stop: async () => await running.close(),
		restart: async (accessToken = running.accessToken) => {
			running = await startPartnerService({ port, accessToken, webhookId, dataFile });
		},
		/** Invites a candidate, who finishes at once. Returns the delivery, if there was one. */
		finishOne: async () => await running.finish((await inviteAt(running)).invitation_code),
	};
}
