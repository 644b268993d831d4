import type { IDataObject, INodeParameterResourceLocator } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import { field } from '../../parameters/field';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { fail, identifier, isEmpty, url, type Rule } from '../../parameters/rules';
import { API_PATH } from '../../transport/credentials';
import type { StatusMessages } from '../../transport/types';

/** Specification, "Endpoints". */
export const CANDIDATES_PATH = `${API_PATH}/standard/candidates`;

/** True for `data` that is a candidate invitation. Specification, "Candidate invitation". */
export function isCandidate({ candidate_id: id, invitation_link: link }: IDataObject): boolean {
	return [id, link].some((field) => typeof field === 'string' && field !== '');
}

/** Identifies the invitation that an operation works on. Specification, "2. Retrieve a candidate by invitation code". */
export const invitationProperty = field('Invitation', 'invitationCode', {
	type: 'resourceLocator',
	required: true,
	// Invite returns a link.
	default: { mode: 'link', value: '' },
	builderHint: { propertyHint: propertyHints.invitationCode },
	modes: [
		{
			displayName: 'By Link',
			name: 'link',
			type: 'string',
			placeholder: 'e.g. https://assessment.example.com/invitations/inv-7Kq2mX9d',
			hint: "Use 'invitation_link' from Invite. The node reads the code from the end of the link.",
		},
		{
			displayName: 'By Code',
			name: 'code',
			type: 'string',
			placeholder: 'e.g. inv-7Kq2mX9d',
			hint: "Use the invitation code from the trigger's output. Its field may have a different name. Don't use 'candidate_id'.",
		},
	],
});

/** Throws `InvalidParameterError` if the invitation is missing, or is neither a link nor a code. */
export function invitationPath(params: NodeParameters): string {
	const code = params.required('invitationCode', invitationCode);
	return `${CANDIDATES_PATH}/invitation/${encodeURIComponent(code)}`;
}

/** Advice for a link that leads to nobody. */
const COPY_THE_ORIGINAL =
	"Mail systems rewrite links (Safe Links, urldefense), so copy the original one: 'invitation_link' from Invite.";

export const invitationMessages = {
	404: {
		message: 'No candidate with this invitation exists',
		description: `A 'candidate_id' doesn't work. Check that the credential belongs to the account that sent the invitation. ${COPY_THE_ORIGINAL}`,
	},
} satisfies StatusMessages;

/**
 * Takes the code itself, or the last part of a link: an assumption, made only here, since the specification doesn't say
 * how they are related. Why not n8n's `extractValue`: it only applies a pattern, and has its own error message.
 */
const invitationCode: Rule<string> = (value) => {
	const { mode, value: entered } =
		typeof value === 'object' ? (value as INodeParameterResourceLocator) : { mode: 'code', value };
	if (isEmpty(entered)) fail('required, but empty');
	const text = typeof entered === 'string' ? entered : '';
	if (mode !== 'link' && !text.includes('://')) return identifier(entered);
	if (text && !text.includes('/')) {
		fail(
			"not a link. Paste the full 'invitation_link' from Invite. A 'candidate_id' doesn't work. For an invitation code, select 'By Code'",
		);
	}
	const { pathname, hash } = new URL(url(text.trim().replace(SIGNS_AROUND, '')));
	// Some apps keep their path behind a "#": https://a.example/app#/invites/CODE
	const path = /^#\/[^?#]/.test(hash) ? hash.slice('#'.length).split(/[?#]/)[0] : pathname;
	const lastPart = path.split('/').filter(Boolean).pop();
	if (!lastPart) fail(`the link has no invitation code at its end. ${COPY_THE_ORIGINAL}`);
	return identifier(decoded(lastPart));
};

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		fail(`the link is damaged, it contains '%' without an escaped character. ${COPY_THE_ORIGINAL}`);
	}
}

/** Up to nine characters around a link in a sentence: brackets, quotation marks, and the end of a sentence. */
const SIGNS_AROUND = /^[\s<([{"'“‘«]{1,9}|[\s>)\]}"'”’».,;:!?…]{1,9}$/gu;
