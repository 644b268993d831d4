import type { ErrorMessage } from '../transport/types';

/** Where nobody can tell whether an invitation was created. */
export const NOT_CONFIRMED = "Couldn't confirm whether this candidate was invited";

/** What the node says where it remembers an earlier invitation, or could not remember one. */
export const MEMORY_MESSAGES = {
	alreadyInvited: {
		message: 'This candidate was already invited',
		description: "To leave such items out, set 'If Already Invited' to 'Leave Out'.",
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
