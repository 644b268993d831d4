import type { ICredentialDataDecryptedObject, IHookFunctions } from 'n8n-workflow';
import { adviceOf, toNodeError } from '../errors/toNodeError';
import { string, ValidationError, type Rule } from '../parameters/rules';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { readParameters, registrationOf } from './properties';
import { borrow, giveBack, publish, resume, unpublish } from './registration';
import { digestOf, webhookSecret } from './secret';
import { getStaticData } from './staticData';
import { isHttpHeader } from './verify';

/**
 * n8n publishes, starts, or begins a test. Throws the error that n8n is to show; after that it calls
 * `remove`.
 */
export async function create(context: IHookFunctions): Promise<void> {
	try {
		const params = readParameters(context);
		params.optional('secretHeader', secretHeader);
		if (registrationOf(params) === 'manual') await checkSecret(context);
		else if (isTest(context)) await borrow(context);
		else if (isStart(context)) await resume(context);
		else await publish(context);
	} catch (error) {
		throw toNodeError(context, withAdvice(error as Error));
	}
}

/** n8n unpublishes, or a test has ended or could not begin. Never throws: n8n takes harm from that. */
export async function remove(context: IHookFunctions): Promise<void> {
	await (isTest(context) ? giveBack(context) : unpublish(context));
}

/** Of an error in a trigger, n8n's editor shows the message only: it has to say what to do as well. */
function withAdvice(error: Error): Error {
	const advice = adviceOf(error);
	return advice ? new Error(`${error.message.replace(/\.$/, '')}. ${advice}`) : error;
}

/** A test runs in a workflow of its own, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}

/** n8n has started, and the workflow was published before. */
function isStart(context: IHookFunctions): boolean {
	const isStarting = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isStarting && getStaticData(context).secretDigest !== undefined;
}

/** All that the trigger needs if somebody else registers it. Throws `CredentialError`. */
async function checkSecret(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const staticData = getStaticData(context);
	staticData.secretDigest = digestOf(webhookSecret(credential, { registration: 'manual' }));
	delete staticData.publishedAddresses;
}

const secretHeader: Rule<string> = (value) => {
	const name = string()(value).trim();
	if (isHttpHeader(name)) {
		throw new ValidationError(
			`${name} belongs to HTTP itself and can't carry a secret. Enter the name of another header, or leave it empty.`,
		);
	}
	return name;
};
