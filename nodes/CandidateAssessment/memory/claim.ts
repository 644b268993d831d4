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
	/** Its parts tell one application from another. Only a digest is kept. */
	identity: string[];
	ifAlreadySent: AlreadyInvitedChoice;
}

type ApplicationState =
	| 'new'
	| 'invited'
	/** Claimed, without a recorded end: no answer, a crash (of a lookup, too), or another process is sending it. */
	| 'inDoubt'
	/** Another execution in this process claimed it, and hasn't recorded its outcome yet. */
	| 'sending';

/** An application in a list. Once it's claimed, this execution sends or releases it. */
export interface Claim extends Pick<Application, 'ifAlreadySent'> {
	key: string;
	/** The first item that has it, whose choice counts. */
	index: number;
	/** The other items that have it. */
	duplicates: number[];
	/** Its state when the memory last read it: `new` if it hasn't. */
	state: ApplicationState;
}

/** A digest, which tells nothing about the candidate. */
export function applicationKey(identity: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	return digest.subarray(0, 16).toString('base64');
}

export function maySend(claim: Claim): boolean {
	return actionFor(claim) === 'send';
}

/** True for one in doubt that counts as invited from now on. */
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
