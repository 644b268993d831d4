import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import type { Delivery, StoredWebhook } from '../../mock-service/types.mts';
import { inviteAt } from './invite.mts';

/** A mock service that can stop, and restart at the same address with its data. */
export class RestartableService {
	#service: PartnerService;
	readonly #dataFile: string;
	readonly webhookId: string;
	readonly baseUrl: string;

	private constructor(service: PartnerService, dataFile: string) {
		this.#service = service;
		this.#dataFile = dataFile;
		this.webhookId = service.webhookId;
		this.baseUrl = service.baseUrl;
	}

	/** @param dataFile keeps its data; must not exist yet */
	static async start(dataFile: string): Promise<RestartableService> {
		return new RestartableService(await startPartnerService({ dataFile }), dataFile);
	}

	get running(): PartnerService {
		return this.#service;
	}

	get webhook(): Readonly<StoredWebhook> {
		const webhook = this.#service.webhooks.find(({ id }) => id === this.webhookId);
		if (!webhook) throw new Error('The service has lost its webhook');
		return webhook;
	}

	async stop(): Promise<void> {
		await this.#service.close();
	}

	/** @param accessToken the token that the service accepts from now on; by default the same */
	async restart(accessToken = this.#service.accessToken): Promise<void> {
		this.#service = await startPartnerService({
			port: Number(new URL(this.baseUrl).port),
			accessToken,
			webhookId: this.webhookId,
			dataFile: this.#dataFile,
		});
	}

	/** Invites a candidate, who finishes at once. Returns the delivery, if there was one. */
	async finishOne(): Promise<Delivery | undefined> {
		const { invitation_code } = await inviteAt(this.#service);
		return await this.#service.finish(invitation_code);
	}
}
