import type { IExecuteFunctions } from 'n8n-workflow';
import { NOTHING_SENT } from './batchReport';

/** Without a hint, the run looks as if nothing happened, and n8n silently ends a loop. */
export function addNobodyInvitedHint(
	context: IExecuteFunctions,
	count: number,
	isNothingSent: boolean,
): void {
	const sent = isNothingSent ? ` ${NOTHING_SENT}` : '';
	addHint(
		context,
		`${candidates(count)} had already been invited.${sent} See the 'Already Invited' output. A loop ends here unless that output also leads back to it.`,
	);
}

/** Otherwise the output looks as if they had been invited. */
export function addCheckOnlyHint(context: IExecuteFunctions, count: number): void {
	addHint(context, `Check Only: nothing was sent. ${candidates(count)} would be invited.`);
}

const candidates = (count: number) => (count === 1 ? '1 candidate' : `${count} candidates`);

export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane' });
}
