import type { IHookFunctions } from 'n8n-workflow';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { readParameters, registrationOf } from './properties';
import { borrow, giveBack, publish, register, unpublish } from './registration';
import { getStaticData } from './staticData';
import { secretHeader } from './verify';

/** n8n 1.x re-registers published workflows at startup. Ours are still registered. */
export function isRegistered(context: IHookFunctions): boolean {
	if (context.getActivationMode() !== 'init') return false;
	const isManual = registrationOf(readParameters(context)) === 'manual';
	return isManual || getStaticData(context).secretDigest !== undefined;
}

/** n8n publishes, or begins a test. Throws the error that n8n is to show; after that it calls `remove`. */
export async function create(context: IHookFunctions): Promise<void> {
	try {
		if (isTest(context)) getStaticData(context).isBorrowed = false;
		const params = readParameters(context);
		params.optional('secretHeader', secretHeader);
		if (registrationOf(params) === 'manual') await register(context);
		else await (isTest(context) ? borrow(context) : publish(context));
	} catch (error) {
		// Of an error in a trigger, n8n's editor shows the message only: it has to say what to do as well.
		throw toNodeError(context, new Error(messageWithAdvice(error as Error)));
	}
}

/**
 * n8n unpublishes; or a test has ended, could not begin, or is still beginning. Never throws: n8n would
 * leave the workflow's other triggers on, and could start no other test.
 */
export async function remove(context: IHookFunctions): Promise<void> {
	try {
		if (registrationOf(readParameters(context)) === 'manual') return;
		await (isTest(context) ? giveBack(context) : unpublish(context));
	} catch (error) {
		context.logger.warn(`The webhook stays as it is: ${(error as Error).message}`);
	}
}

/** A test runs in a workflow of its own, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
