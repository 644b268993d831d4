import { ItemError, NotSentError } from '../errors/ItemError';
import type { ItemOutcome } from '../errors/ItemOutcome';
import {
	alreadyInvitedChoices,
	UNCONFIRMED,
	type Action,
	type AlreadyInvitedChoice,
} from './alreadyInvited';
import type { RecordedState } from './entries';

export interface Application {
	/** Tells one application from another. */
	key: string;
	ifAlreadySent: AlreadyInvitedChoice;
}

/** `sending`: another execution in this process claimed it, and hasn't recorded its outcome yet. */
export type ApplicationState = RecordedState | 'sending';

/** An application in a list, to be claimed: from then on, this execution sends it or gives it back. */
export interface Listed extends Application {
	/** The first item that has it, whose choice counts. */
	index: number;
	/** The other items that have it. */
	duplicates: number[];
}

export function actionFor({ ifAlreadySent }: Listed, state: ApplicationState): Action {
	if (state === 'new') return 'send';
	return state === 'sending' ? 'fail' : alreadyInvitedChoices[ifAlreadySent][state];
}

/** The outcome of an application that isn't to be sent; undefined if it is. */
export function outcomeUnsent(claim: Listed, state: ApplicationState): ItemOutcome | undefined {
	const action = actionFor(claim, state);
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
