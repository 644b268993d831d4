import { createHash } from 'crypto';
import { alreadyInvitedChoices, type Action } from '../actions/alreadyInvited';
import type { Application, ItemOutcome } from '../actions/operation';
import { ItemError, NotSentError, type ErrorMessage } from '../errors/ItemError';

type ApplicationState =
	| 'new'
	| 'invited'
	/**
	 * Claimed, and no end recorded: the request had no answer, the execution broke off, or another process is sending it.
	 * A crash during a lookup looks the same.
	 */
	| 'inDoubt'
	/** Another execution in this process claimed it, and hasn't recorded its outcome yet. */
	| 'sending';

/** An application in a list. Once it's claimed, this execution sends it or gives it back. */
export interface Claim extends Pick<Application, 'ifAlreadySent'> {
	key: string;
	/** Of the first item in the list that has it, whose choice counts. */
	index: number;
	/** Of the other items that have it. */
	duplicates: number[];
	/** As the memory last read it. */
	state: ApplicationState;
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(identity: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	return digest.subarray(0, 16).toString('base64');
}

export function maySend(claim: Claim): boolean {
	return actionFor(claim) === 'send';
}

/** In doubt, but counted as invited from now on. */
export function isSettledAsInvited(claim: Claim): boolean {
	return claim.state === 'inDoubt' && actionFor(claim) === 'skip';
}

function actionFor({ state, ifAlreadySent }: Claim): Action {
	if (state === 'new') return 'send';
	return state === 'sending' ? 'fail' : alreadyInvitedChoices[ifAlreadySent][state];
}

/** What the user hears of an application that was sent before. They're the operation's own. */
export interface ClaimWords {
	alreadySent: string;
	/** Right now, by another execution. */
	sending: string;
	inDoubt: ErrorMessage;
}

/** The outcome of an application that isn't to be sent; undefined if it is. */
export function outcomeWithoutSending(claim: Claim, words: ClaimWords): ItemOutcome | undefined {
	const action = actionFor(claim);
	if (action === 'send') return undefined;
	if (action === 'skip') return { kind: 'alreadySent', reason: words.alreadySent };
	if (claim.state === 'sending') {
		const description = 'Wait until it has ended, then run the workflow again.';
		const error = new NotSentError({ message: words.sending, description });
		return { kind: 'notSent', error };
	}
	const { message, description: advice } = words.inDoubt;
	const description = `An earlier run couldn't confirm the invitation. ${advice}`;
	return { kind: 'unknown', error: new ItemError({ message, description }) };
}
