import { createHash } from 'crypto';
import { ItemError, NotSentError } from '../errors/ItemError';
import type { ItemOutcome } from '../errors/ItemOutcome';
import {
	alreadyInvitedChoices,
	UNCONFIRMED,
	type Action,
	type AlreadyInvitedChoice,
} from './alreadyInvited';

export interface Application {
	/** Tells one application from another. Only a digest of it is kept. */
	identity: string[];
	ifAlreadySent: AlreadyInvitedChoice;
}

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

/** The outcome of an application that isn't to be sent; undefined if it is. */
export function outcomeWithoutSending(claim: Claim): ItemOutcome | undefined {
	const action = actionFor(claim);
	if (action === 'send') return undefined;
	if (action === 'skip')
		return { kind: 'alreadySent', reason: 'This candidate was already invited' };
	if (claim.state === 'sending') {
		const message = 'Another execution is inviting this candidate right now';
		const description = 'Wait until it has ended, then run the workflow again.';
		return { kind: 'notSent', error: new NotSentError({ message, description }) };
	}
	const description = `An earlier run or try couldn't confirm the invitation. ${UNCONFIRMED.description}`;
	return { kind: 'unknown', error: new ItemError({ ...UNCONFIRMED, description }) };
}
