import { createHash } from 'crypto';
import type { Application, ItemOutcome } from '../actions/operation';
import { ItemError } from '../errors/ItemError';

/**
 * What becomes of an application, depending on what the node remembers of it and on its item's setting:
 *
 *                   new    invited           inDoubt                       sending
 *   skip            send   Already Invited   error, unknown                error, notSent
 *   resendUnknown   send   Already Invited   send                          error, notSent
 *   skipUnknown     send   Already Invited   Already Invited from now on   error, notSent
 *   fail            send   error, invalid    error, unknown                error, notSent
 *   inviteAgain     send   send              send                          error, notSent
 *
 * With On Error: Stop, one such error keeps the whole list from being sent, or stops it if it's found only when
 * the application is claimed. With Continue, it's an error item, `{ error, outcome }`, and the others are sent.
 */
type ApplicationState =
	| 'new'
	| 'invited'
	/** Claimed, and no outcome recorded: its execution broke off, or another process is sending it. */
	| 'inDoubt'
	/** Another execution in this process claimed it, and hasn't recorded its outcome yet. */
	| 'sending';

/** An application in a list. Once it's claimed, this execution sends it or gives it back. */
export interface Claim extends Pick<Application, 'ifAlreadySent' | 'unknownOutcome'> {
	key: string;
	/** Of the first item in the list that has it. */
	firstIndex: number;
	/** As last looked up. */
	state: ApplicationState;
	/** Set once it was sent. */
	outcome?: ItemOutcome['kind'];
	/** Recording the outcome was tried, and may have worked: somebody else may have claimed it since. */
	mayBeRecorded?: boolean;
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(identity: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	return digest.subarray(0, 16).toString('base64');
}

export function maySend({ state, ifAlreadySent }: Claim): boolean {
	switch (state) {
		case 'new':
			return true;
		case 'invited':
			return ifAlreadySent === 'inviteAgain';
		case 'inDoubt':
			return ifAlreadySent === 'inviteAgain' || ifAlreadySent === 'resendUnknown';
		case 'sending':
			return false;
	}
}

/** In doubt, but counted as invited from now on. */
export function isSettledAsInvited({ state, ifAlreadySent }: Claim): boolean {
	return state === 'inDoubt' && ifAlreadySent === 'skipUnknown';
}

/** The outcome of an application that isn't to be sent; undefined if it is. */
export function outcomeWithoutSending(claim: Claim): ItemOutcome | undefined {
	const { ifAlreadySent, unknownOutcome, state } = claim;
	if (maySend(claim)) return undefined;
	if (state === 'sending') {
		const message = 'Another execution is inviting this candidate right now';
		const description = 'Wait until it has ended, then run the workflow again.';
		return { kind: 'notSent', error: new ItemError({ message, description }, 'notSent') };
	}
	if (state === 'inDoubt' && !isSettledAsInvited(claim)) {
		const { message, description: advice } = unknownOutcome;
		const description = `An earlier execution couldn't confirm it. ${advice}`;
		return { kind: 'unknown', error: new ItemError({ message, description }, 'unknown') };
	}
	const reason = 'This candidate was already invited';
	return ifAlreadySent === 'fail' ? alreadySentError(reason) : { kind: 'alreadySent', reason };
}

export function alreadySentError(message: string): ItemOutcome {
	const description = "To leave such items out, set 'If Already Invited' to 'Skip'.";
	return { kind: 'invalid', error: new ItemError({ message, description }, 'notSent') };
}
