import type { ErrorMessage } from './types';

/** Where nobody can tell whether an invitation was created. */
export const NOT_CONFIRMED = "Couldn't confirm whether this candidate was invited";

const LEAVE_OUT = "To leave such items out, set 'If Already Invited' to 'Leave Out'.";

/** What the node says where it remembers an earlier invitation, or could not remember one. */
export const MEMORY_MESSAGES = {
	alreadyInvited: {
		message: 'This candidate was already invited',
		description: LEAVE_OUT,
	},
	sameApplication: {
		message: 'This is the same application as {item}',
		description: LEAVE_OUT,
	},
	sameAsRefused: {
		message: 'Not sent: this is the same application as {item}',
		description: 'That one failed. Correct it or remove it, then run the workflow again.',
	},
	inDoubt: {
		message: NOT_CONFIRMED,
		description:
			"An earlier execution was cut off while it invited this candidate. Check the service for the invitation. To send it again, set 'If Already Invited' to 'Invite Again'.",
	},
	notRemembered: {
		message: "Not sent: the node couldn't remember it in n8n's database",
		description: 'Without that, a candidate could be invited twice.',
	},
	retryOnFail: {
		message: "'Retry On Fail' and 'Invite Again' together could invite candidates twice",
		description: "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.",
	},
} satisfies Record<string, ErrorMessage>;

/** Beside the output: what the user should know of a batch that did not fail. */
export const MEMORY_HINTS = {
	invitedBefore: {
		message: '{items} left out: already invited',
		description: "To send them anyway, set 'If Already Invited' to 'Invite Again'.",
	},
	duplicates: {
		message: '{items} left out: the same application as an earlier item.',
	},
	notRecorded: {
		message: "The node couldn't record who was invited ({reason})",
		description: "In the next execution, it can't confirm whether these candidates were invited.",
	},
	neverSaved: {
		message: "The node can't remember who was invited, because this workflow was never saved",
		description: 'Save it before you run it again.',
	},
} satisfies Record<string, ErrorMessage>;
