import type { IHookFunctions } from 'n8n-workflow';
import { eventNames } from '../actions/webhook/events';
import { webhookId } from '../actions/webhook/webhookId';
import { ApiError } from '../errors/ApiError';
import { fillText } from '../errors/fillIn';
import type { NodeParameters } from '../parameters/NodeParameters';
import { boolean, string } from '../parameters/rules';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { inTurn } from '../transport/inTurn';
import {
	cancel,
	cancelWhere,
	finish,
	logLine,
	TASK_MESSAGES,
	type BackgroundTask,
} from './background';
import {
	borrowing,
	givingBack,
	publishing,
	resuming,
	unpublishing,
	type Obstacle,
	type Self,
	type Step,
	type Webhook,
} from './lifecycle';
import { readParameters, registrationOf } from './properties';
import { RegisteredWebhook } from './RegisteredWebhook';
import { addressOf } from './registeredUrl';
import { digestOf } from './secret';
import { getStaticData } from './staticData';

/**
 * What n8n asks of the trigger, done at the service. `lifecycle.ts` decides which requests that takes;
 * here they are sent, again if need be, and what has to be remembered is.
 */

/** Somebody is waiting. */
const IN_FOREGROUND = { maxRetries: 3 };
/** What fails is tried again later. */
const IN_BACKGROUND = { maxRetries: 0 };
/** A proxy whose service is away says 404 too, but not for long. */
const GONE_AFTER_MS = 60_000;
/** Whatever takes longer was sent more than once. */
const SLOW_MS = 10_000;

/**
 * The nodes that this process has begun to publish, and whether a request may still take effect: n8n 1.x
 * keeps no static data of a failure.
 */
const begun = new Map<string, { isUnsettled: boolean }>();

/** Points the webhook to this workflow and switches it on. Throws what n8n is to show. */
export async function publish(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = selfOf(context);
	const desired = desiredFrom(context, params);
	const webhook = await RegisteredWebhook.open(context, webhookId(params), IN_FOREGROUND);
	const secret = webhook.secret();
	const steps = publishing(self, desired);
	await inTurn(webhook.key, async () => {
		const started = Date.now();
		try {
			await webhook.apply(steps);
		} finally {
			const isUnsettled = Date.now() - started > SLOW_MS;
			// Otherwise there is nothing to switch off, and a look would switch on what is somebody else's.
			if (webhook.mayHaveChanged) begun.set(nodeKey(context), { isUnsettled });
		}
		for (const kind of TASK_KINDS) cancel(taskKey(context, kind, webhook));
	});
	const staticData = getStaticData(context);
	staticData.secretDigest = digestOf(secret);
	delete staticData.seenDigest;
	staticData.publishedAddresses = [self.address];
}

/**
 * n8n 1.x registers every published workflow when it starts. What was registered before stays so:
 * without an answer from the service too, and with whoever has taken the webhook over since. Never throws.
 */
export async function resume(context: IHookFunctions): Promise<void> {
	await inBackground(context, 'resume', {
		...TASKS.resume,
		async prepare() {
			const params = readParameters(context);
			const self = selfOf(context);
			const desired = desiredFrom(context, params);
			const webhook = await RegisteredWebhook.open(context, webhookId(params), IN_BACKGROUND);
			cancel(taskKey(context, 'unpublish', webhook));
			const { publishedAddresses = [] } = self;
			getStaticData(context).publishedAddresses = [
				...new Set([self.address, ...publishedAddresses]),
			];
			const next = (now: Webhook) => resuming(now, self, desired);
			return { webhook, next, done: 'The webhook is registered' };
		},
	});
}

/** Switches the webhook off, unless it points to somebody else by now. Never throws. */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const staticData = getStaticData(context);
	const published = begun.get(nodeKey(context));
	// n8n also calls this after publishing has failed, maybe before anything was sent.
	if (!published && staticData.secretDigest === undefined) return;
	begun.delete(nodeKey(context));
	await inBackground(context, 'unpublish', {
		...TASKS.unpublish,
		...published,
		async prepare() {
			const params = readParameters(context);
			if (registrationOf(params) === 'manual') return undefined;
			const self = selfOf(context);
			const webhook = await RegisteredWebhook.open(context, webhookId(params), IN_BACKGROUND);
			cancel(taskKey(context, 'resume', webhook));
			const next = (now: Webhook) => unpublishing(now, self, Date.now());
			return { webhook, next, done: 'The webhook is switched off' };
		},
	});
	delete staticData.secretDigest;
	delete staticData.seenDigest;
}

/** Ends what still goes on of the node's own registration: somebody else registers it now. */
export function cancelRegistration(context: IHookFunctions): void {
	const node = nodeKey(context);
	cancelWhere((key) => /^(unpublish|resume) /.test(key) && key.endsWith(` ${node}`));
}

/**
 * What the tests of this process have borrowed, by node. n8n forgets a test when another one of the same
 * workflow begins, and a draft or a credential can change while it goes on.
 */
const tests = new Map<string, RegisteredWebhook>();

/** Points the webhook to a test of this workflow, if it can be given back. Throws what n8n is to show. */
export async function borrow(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = selfOf(context);
	const events = params.required('events', eventNames);
	const takeOver = params.optional('takeOver', boolean) ?? false;
	const webhook = await RegisteredWebhook.open(context, webhookId(params), IN_FOREGROUND);
	const node = nodeKey(context);
	const earlier = tests.get(node);
	if (earlier && earlier.key !== webhook.key) await giveBack(context);

	const staticData = getStaticData(context);
	staticData.secretDigest = digestOf(webhook.secret());
	await inTurn(webhook.key, async () => {
		const started = Date.now();
		const remember = () => {
			staticData.isBorrowed = true;
			tests.set(node, webhook);
		};
		try {
			const now = await webhook.look();
			const steps = borrowing(now, self, events, { takeOver, time: Date.now() });
			if (!Array.isArray(steps)) throw new NotBorrowed(steps);
			remember();
			await webhook.apply(steps, now);
		} finally {
			// A look that failed may have switched it on, and it is to be switched off again then.
			if (webhook.mayHaveChanged) remember();
			webhook.isUnsettled = Date.now() - started > SLOW_MS;
		}
		cancel(taskKey(context, 'giveBack', webhook));
	});
}

/** Gives back what a test has borrowed. Never throws, and goes on in the background. */
export async function giveBack(context: IHookFunctions): Promise<void> {
	const node = nodeKey(context);
	const staticData = getStaticData(context);
	const borrowed = tests.get(node)?.withoutRetries();
	if (!borrowed && !staticData.isBorrowed) return;
	tests.delete(node);
	delete staticData.isBorrowed;
	await inBackground(context, 'giveBack', {
		...TASKS.giveBack,
		isUnsettled: borrowed?.isUnsettled,
		async prepare() {
			const self = selfOf(context);
			// It was borrowed in another process, or n8n has lost sight of it.
			const open = async () => {
				const id = webhookId(readParameters(context));
				return await RegisteredWebhook.open(context, id, IN_BACKGROUND);
			};
			const webhook = borrowed ?? (await open());
			const next = (now: Webhook) => givingBack(now, self);
			return { webhook, next, done: 'The webhook is restored after a test' };
		},
	});
}

interface Work extends Pick<BackgroundTask, 'purpose' | 'advice' | 'isUnsettled'> {
	/** Reads everything that n8n gives out only while it waits. Undefined if there is nothing to do. */
	prepare(): Promise<
		{ webhook: RegisteredWebhook; next: (now: Webhook) => Step[]; done: string } | undefined
	>;
}

async function inBackground(
	context: IHookFunctions,
	kind: TaskKind,
	{ prepare, ...task }: Work,
): Promise<void> {
	const { logger } = context;
	try {
		const prepared = await prepare();
		if (!prepared) return;
		const { webhook, next, done } = prepared;
		let missingSince: number | undefined;
		const run = async (signal: AbortSignal) =>
			await inTurn(webhook.key, async () => {
				if (signal.aborted) return undefined;
				await webhook.refresh();
				const now = await webhook.look().catch((error: Error) => {
					missingSince = isNotFound(error) ? (missingSince ?? Date.now()) : undefined;
					if (Date.now() - (missingSince ?? Date.now()) < GONE_AFTER_MS) throw error;
				});
				if (!now) return NOTHING_TO_DO.gone;
				missingSince = undefined;
				const steps = next(now);
				await webhook.apply(steps, now);
				if (steps.length > 0) return done;
				return fillText(NOTHING_TO_DO.elsewhere, { address: addressOf(now.url) });
			});
		await finish(taskKey(context, kind, webhook), { ...task, run, logger });
	} catch (error) {
		logger.warn(logLine(TASK_MESSAGES.failed, task, (error as Error).message));
	}
}

const TASK_KINDS = ['resume', 'unpublish', 'giveBack'] as const;
type TaskKind = (typeof TASK_KINDS)[number];

/** What the trigger does in the background, as n8n's log has it. */
export const TASKS: Record<TaskKind, Pick<BackgroundTask, 'purpose' | 'advice'>> = {
	resume: {
		purpose: 'check the webhook',
		advice: 'If no results arrive, unpublish the workflow and publish it again.',
	},
	unpublish: {
		purpose: 'switch the webhook off',
		advice: 'Set its status to inactive, or ask the assessment service to do so.',
	},
	giveBack: {
		purpose: 'give the webhook back after a test',
		advice: 'Until it is, results go nowhere: unpublish the workflow and publish it again.',
	},
};

/** Why a task has ended without changing the webhook, as n8n's log has it. */
export const NOTHING_TO_DO = {
	gone: "The webhook doesn't exist any more",
	elsewhere: 'The webhook points to {address} and is left as it is',
};

function nodeKey(context: IHookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

function taskKey(context: IHookFunctions, kind: TaskKind, { id }: RegisteredWebhook): string {
	return `${kind} ${id} ${nodeKey(context)}`;
}

function selfOf(context: IHookFunctions): Self {
	const address = String(context.getNodeWebhookUrl('default'));
	if (!URL.canParse(address)) throw new NoAddress(address);
	return {
		address,
		publishedAddresses: getStaticData(context).publishedAddresses,
		credentialId: String(context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? ''),
	};
}

function desiredFrom(context: IHookFunctions, params: NodeParameters): Omit<Webhook, 'url'> {
	return {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
}

function isNotFound(error: Error): boolean {
	return error instanceof ApiError && error.httpStatus === 404;
}

/** n8n's own address is configured in a way that nobody can call. */
class NoAddress extends Error {
	readonly description = NO_ADDRESS.description;

	constructor(address: string) {
		super(fillText(NO_ADDRESS.message, { address }));
	}
}

export const NO_ADDRESS = {
	message: "n8n's own address isn't a web address: {address}",
	description:
		"Set n8n's environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in n8n 1.x) to its full address, e.g. https://n8n.example.com/, and restart n8n.",
};

/** A webhook that could not be given back as it was. */
class NotBorrowed extends Error {
	readonly description: string;

	constructor({ reason, address }: Obstacle) {
		const { message, description } = OBSTACLES[reason];
		super(fillText(message, { address }));
		this.description = description;
	}
}

export const OBSTACLES: Record<Obstacle['reason'], { message: string; description: string }> = {
	foreign: {
		message: 'This webhook sends its events to another receiver: {address}',
		description:
			"Testing would replace that receiver's secret for good. Ask the assessment service for a separate webhook, publish this workflow to redirect the webhook here (if it's published, unpublish it first), or turn on 'Take Over' in the options to test anyway.",
	},
	otherCredential: {
		message: 'This webhook is in use with another credential: {address}',
		description:
			"After a test, the published workflow couldn't recognize the service's calls. Select the credential it was published with, or publish the workflow with this one.",
	},
	busy: {
		message: 'Another workflow is testing with this webhook: {address}',
		description: 'Stop that test or wait two minutes, then try again.',
	},
};
