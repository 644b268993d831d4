import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { setWebhookStatus, updateWebhook, webhookPolicy } from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { inTurn } from '../inTurn';
import { ApiClient } from '../transport/ApiClient';
import { readCredentials, type ApiCredentials } from '../transport/credentials';
import type { ApiRequest } from '../transport/types';
import type { Step, Webhook } from './lifecycle';
import { isSameUrl } from './registeredUrl';
import { webhookSecret } from './secret';

/**
 * After this time nothing more is sent. Together with the last attempt, a hook ends within a minute. n8n
 * 2.41 gives up a publication after 84 seconds, and a test after 120.
 */
const SEND_WITHIN_MS = 45_000;

/** The webhook that a trigger works with, at the service. */
export class RegisteredWebhook {
	private readonly client: ApiClient;
	private readonly stop = new AbortController();

	private constructor(
		private readonly context: IHookFunctions,
		private credentials: ApiCredentials,
		private readonly webhookId: string,
		maxRetries: number,
	) {
		const endsAt = Date.now() + SEND_WITHIN_MS;
		const message = "The service didn't respond in time. Try again later.";
		AbortSignal.timeout(SEND_WITHIN_MS).addEventListener('abort', () =>
			this.stop.abort(new ApiError({ message }, { outcome: 'notSent' })),
		);
		const options = {
			...{ concurrency: 1, maxRetries, timeout: 15 },
			get maxWait() {
				return (endsAt - Date.now()) / 1000;
			},
		};
		this.client = new ApiClient(context, credentials, options, this.stop);
	}

	/** Reads the credential. Throws `CredentialError`. */
	static async open(context: IHookFunctions, webhookId: string): Promise<RegisteredWebhook> {
		return new RegisteredWebhook(context, await readCredentials(context), webhookId, 3);
	}

	/**
	 * The same for work that is tried again from a look on, since somebody may take the webhook meanwhile.
	 * With the credential of then: its token may have been replaced. Keeps the old one if the new one can't
	 * be used, or is for another service, where the same ID is another webhook.
	 */
	async singleAttempt(): Promise<RegisteredWebhook> {
		try {
			const credentials = await readCredentials(this.context);
			webhookSecret(credentials, this.webhookId);
			if (credentials.baseUrl === this.baseUrl) this.credentials = credentials;
		} catch {
			// The old one may still do.
		}
		return new RegisteredWebhook(this.context, this.credentials, this.webhookId, 0);
	}

	get baseUrl(): string {
		return this.credentials.baseUrl;
	}

	/** Tells one webhook from another: a UUID, however it's written, by whatever name its service is called. */
	get key(): string {
		return `webhook ${this.webhookId.toLowerCase()}`;
	}

	/** The secret to register. Throws `CredentialError` if there is none that is safe. */
	secret(): string {
		return webhookSecret(this.credentials, this.webhookId);
	}

	/** Runs after all other work on this webhook. Throws if its turn comes too late to send anything. */
	async inTurn(run: () => Promise<void>): Promise<void> {
		const { signal } = this.stop;
		await new Promise<void>((resolve, reject) => {
			const giveUp = () => reject(signal.reason as Error);
			signal.addEventListener('abort', giveUp);
			const turn = inTurn(this.key, async () => {
				signal.removeEventListener('abort', giveUp);
				await run();
			});
			turn.then(resolve, reject);
		});
	}

	/** Looks at what is registered, which switches it on: the only way to see it. Throws `ApiError`. */
	async look(): Promise<Webhook> {
		return await this.change(setWebhookStatus(this.webhookId, 'active'));
	}

	/**
	 * Returns the URL that the service made of the one it was sent, if that is another. Throws `ApiError`
	 * at the first step that fails, and `CredentialError` like `secret`.
	 */
	async apply(steps: readonly Step[]): Promise<string | undefined> {
		let alteredUrl: string | undefined;
		for (const step of steps) {
			if (step.kind === 'setStatus') {
				await this.change(setWebhookStatus(this.webhookId, step.status));
				continue;
			}
			const secret = step.secret === 'own' ? this.secret() : randomBytes(32).toString('hex');
			const sent = { ...step.webhook, secret };
			const { url } = await this.change(updateWebhook(this.webhookId, sent));
			alteredUrl = isSameUrl(sent.url, url) ? undefined : url;
		}
		return alteredUrl;
	}

	private async change(request: ApiRequest): Promise<Webhook> {
		const policy = { ...webhookPolicy, hasNoOptions: true };
		const { name, url, events } = await this.client.request(request, policy);
		return {
			name: typeof name === 'string' && name ? name : 'n8n',
			url: typeof url === 'string' ? url : '',
			events: Array.isArray(events) ? events.map(String) : [],
		};
	}
}
