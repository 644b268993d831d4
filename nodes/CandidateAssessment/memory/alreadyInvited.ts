import type { INodePropertyOptions } from 'n8n-workflow';
import { ItemError, NotSentError, type ErrorMessage, type ItemOutcome } from '../errors/ItemError';
import { DOCUMENTS } from '../errors/toNodeError';
import type { RecordedState } from './entries';

/** `skip`: it leaves at the second output. */
export type Action = 'send' | 'skip' | 'fail';

/**
 * The choices of *If Already Invited*, as workflows store them. Whatever is chosen, an application that is new is
 * sent, and one that is being sent right now fails. Other code names `skip` and `inviteAgain`. Words about all of them:
 * builderHints.ts.
 */
const alreadyInvitedChoices = {
	inviteAgain: {
		name: 'Invite Again',
		description: 'Send the invitation even if it was sent before',
		invited: 'send',
		inDoubt: 'send',
	},
	skip: {
		name: 'Skip',
		description: "Pass the input item to 'Already Invited' without sending",
		invited: 'skip',
		inDoubt: 'fail',
	},
	skipUnknown: {
		name: 'Skip, and Treat Unconfirmed as Invited',
		description:
			'Count unconfirmed invitations as invited from now on. Use it only for candidates you found in the service.',
		invited: 'skip',
		inDoubt: 'skip',
	},
	resendUnknown: {
		name: 'Skip, but Resend Unconfirmed',
		description:
			"Send unconfirmed invitations again. Use it only for candidates you didn't find in the service.",
		invited: 'skip',
		inDoubt: 'send',
	},
} as const;

export type AlreadyInvitedChoice = keyof typeof alreadyInvitedChoices;

/** For an application in doubt. */
export const UNCONFIRMED: ErrorMessage = {
	message:
		"Couldn't confirm whether this candidate was invited, so look for the invitation in the service",
	description: `If you find it, run only this item with 'If Already Invited' set to 'Skip, and Treat Unconfirmed as Invited'; if you don't, with 'Skip, but Resend Unconfirmed'. Then switch back to 'Skip'. For an unattended workflow, use an expression there that reads the choice from a column. See ${DOCUMENTS}inviting.md#unconfirmed-invitations.`,
};

export const alreadyInvitedOptions: INodePropertyOptions[] = Object.entries(
	alreadyInvitedChoices,
).map(([value, { name, description }]) => ({ name, value, description }));

export interface ApplicationId {
	/** Tells one application from another. */
	key: string;
	ifAlreadySent: AlreadyInvitedChoice;
}

/** `sending`: another execution in this process claimed it, and hasn't recorded its outcome yet. */
export type ApplicationState = RecordedState | 'sending';

/** An application in a list. */
export interface Application extends ApplicationId {
	/** The first item that has it, whose choice counts. */
	index: number;
	/** The other items that have it. */
	duplicates: number[];
}

export function actionFor({ ifAlreadySent }: ApplicationId, state: ApplicationState): Action {
	if (state === 'new') return 'send';
	return state === 'sending' ? 'fail' : alreadyInvitedChoices[ifAlreadySent][state];
}

/** The outcome of an application that isn't to be sent; undefined if it is. */
export function outcomeUnsent(
	application: ApplicationId,
	state: ApplicationState,
): ItemOutcome | undefined {
	const action = actionFor(application, state);
	if (action === 'send') return undefined;
	const reason = 'This candidate was already invited';
	if (action === 'skip') return { kind: 'alreadySent', reason, wasInDoubt: state === 'inDoubt' };
	if (state === 'sending') {
		const message = 'Another execution is inviting this candidate right now';
		const description = 'Wait until it has ended, then run the workflow again.';
		return { kind: 'notSent', error: new NotSentError({ message, description }) };
	}
	const description = `An earlier run or try couldn't confirm the invitation. ${UNCONFIRMED.description}`;
	return { kind: 'unknown', error: new ItemError({ ...UNCONFIRMED, description }) };
}
