import type { INodePropertyOptions } from 'n8n-workflow';
import type { ErrorMessage } from '../errors/ItemError';
import { DOCUMENTS } from '../errors/toNodeError';

/** `skip`: it leaves at the second output. */
export type Action = 'send' | 'skip' | 'fail';

interface Choice extends Pick<INodePropertyOptions, 'name' | 'description'> {
	invited: Action;
	/** Nobody knows whether it was invited. */
	inDoubt: Action;
}

/**
 * The choices of *If Already Invited*, as workflows store them. Whatever is chosen, an application that is new is
 * sent, and one that is being sent right now fails. Other code names `skip` and `inviteAgain`. Words about all of them:
 * builderHints.ts.
 */
export const alreadyInvitedChoices = {
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
} as const satisfies Record<string, Choice>;

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
