import type { IHookFunctions } from 'n8n-workflow';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { readParameters, registrationOf } from './properties';
import { borrow, giveBack, publish, register, unpublish } from './registration';
import { getStaticData } from './staticData';
import { secretHeader } from './verify';

/** n8n 1.x re-registers published workflows at startup. Ours are still registered. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	if (this.getActivationMode() !== 'init') return false;
	const isManual = registrationOf(readParameters(this)) === 'manual';
	return isManual || getStaticData(this).secretDigest !== undefined;
}

/** n8n publishes, or begins a test. Throws the error that n8n is to show; after that it calls `remove`. */
async function create(this: IHookFunctions): Promise<boolean> {
	try {
		if (isTest(this)) getStaticData(this).isBorrowed = false;
		const params = readParameters(this);
		params.optional('secretHeader', secretHeader);
		if (registrationOf(params) === 'manual') await register(this);
		else await (isTest(this) ? borrow(this) : publish(this));
		return true;
	} catch (error) {
		// Of an error in a trigger, n8n's editor shows only the message: it has to say what to do as well.
		throw toNodeError(this, new Error(messageWithAdvice(error as Error)));
	}
}

/**
 * n8n unpublishes; or a test has ended, could not begin, or is still beginning. Never throws: n8n would
 * leave the workflow's other triggers on, and could start no other test.
 */
async function remove(this: IHookFunctions): Promise<boolean> {
	try {
		if (registrationOf(readParameters(this)) === 'manual') return true;
		await (isTest(this) ? giveBack(this) : unpublish(this));
	} catch (error) {
		this.logger.warn(`The webhook stays as it is: ${(error as Error).message}`);
	}
	return true;
}

/** As n8n calls them. */
export const hooks = { checkExists, create, delete: remove };

/** A test runs in a workflow of its own, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
