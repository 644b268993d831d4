import type { ErrorMessage } from './types';

/** Where nobody can tell whether an invitation was created. */
export const NOT_CONFIRMED = {
	message: "Couldn't confirm whether this candidate was invited",
	description:
		"Check the service for the invitation. If there is none, set 'If Already Invited' to 'Skip, but Resend Unknown', and run the workflow again.",
} satisfies ErrorMessage;
