import type { ICredentialDataDecryptedObject, IHookFunctions } from 'n8n-workflow';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { string, ValidationError, type Rule } from '../parameters/rules';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { readParameters, registrationOf } from './properties';
import { borrow, giveBack, publish, unpublish } from './registration';
import { digestOf, webhookSecret } from './secret';
import { getStaticData } from './staticData';
import { isHttpHeader } from './verify';

/** When n8n 1.x starts, it registers again what is published: that is left as it is. */
export function isRegistered(context: IHookFunctions): boolean {
	return (
		context.getActivationMode() === 'init' && getStaticData(context).secretDigest !== undefined
	);
}

/** n8n publishes, or begins a test. Throws the error that n8n is to show; after that it calls `remove`. */
export async function create(context: IHookFunctions): Promise<void> {
	try {
		const params = readParameters(context);
		params.optional('secretHeader', secretHeader);
		if (registrationOf(params) === 'manual') await register(context);
		else await (isTest(context) ? borrow(context) : publish(context));
	} catch (error) {
		// Of an error in a trigger, n8n's editor shows the message only: it has to say what to do as well.
		throw toNodeError(context, new Error(messageWithAdvice(error as Error)));
	}
}

/** n8n unpublishes, or a test has ended or could not begin. Never throws: n8n takes harm from that. */
export async function remove(context: IHookFunctions): Promise<void> {
	try {
		await (isTest(context) ? giveBack(context) : unpublish(context));
	} catch (error) {
		context.logger.warn(`The webhook is left as it is: ${(error as Error).message}`);
	}
}

/** A test runs in a workflow of its own, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}

/** All that the trigger needs if somebody else registers it: a secret. Throws `CredentialError`. */
async function register(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	getStaticData(context).secretDigest = digestOf(webhookSecret(credential));
}

/** RFC 9110, 5.6.2. Under any other name no call could carry the secret. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const secretHeader: Rule<string> = (value) => {
	const name = string()(value).trim();
	if (!HEADER_NAME.test(name) || isHttpHeader(name)) {
		throw new ValidationError(
			"that can't carry a secret. Enter the name of one header, such as X-Webhook-Secret, and none that every call has, or leave it empty.",
		);
	}
	return name;
};
