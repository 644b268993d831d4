import { createHash } from 'crypto';
import type { IDataObject, INodeParameterResourceLocator } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import { field, includeOtherFields } from '../../parameters/field';
import { boolean, fail, identifier, isEmpty, string, url, type Rule } from '../../parameters/rules';
import { downloadPdf } from '../../transport/download';
import type { Operation } from '../operation';
import { CANDIDATES_PATH, isCandidate } from './invite';

/** Advice for a link that leads to nobody. */
const COPY_THE_ORIGINAL =
	"Mail systems rewrite links (Safe Links, urldefense), so copy the original one: 'invitation_link' from Invite.";

/** Specification, "2. Retrieve a candidate by invitation code". */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get candidate',
	description: 'Retrieve a candidate with scores and report links',
	properties: [
		field('Invitation', 'invitationCode', {
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
					hint: "Use the invitation code from the trigger's output. Its field may have another name. Don't use 'candidate_id'.",
				},
			],
		}),
		field('Simplify', 'simplify', {
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		}),
		field('Download Report', 'downloadReport', {
			type: 'boolean',
			default: false,
			description:
				"Whether to add the candidate's report, if there is one, to the output as a PDF file",
		}),
		field('Put Output File in Field', 'binaryPropertyName', {
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			displayOptions: { show: { downloadReport: [true] } },
			hint: 'The name of the output binary field to put the file in',
		}),
		includeOtherFields,
	],
	identifyingFields: ['invitationCode'],
	request(params) {
		const code = params.required('invitationCode', invitationCode);
		return { method: 'GET', path: `${CANDIDATES_PATH}/invitation/${encodeURIComponent(code)}` };
	},
	output(params) {
		const isSimplified = params.required('simplify', boolean);
		const field =
			params.optional('downloadReport', boolean) && params.required('binaryPropertyName', string());
		return async (data, client) => {
			const json = isSimplified ? simplified(data) : data;
			const { report_pdf_link: link } = data;
			if (!field || typeof link !== 'string' || link === '') return { json };
			const report = await downloadPdf(client, { link, fileName: reportName(data) });
			return { json, binary: { [field]: report } };
		};
	},
	isRepeatable: true,
	isRead: true,
	isConfirmedBy: isCandidate,
	statusMessages: {
		404: {
			message: 'No candidate with this invitation exists',
			description: `A 'candidate_id' doesn't work. Check that the credential belongs to the account that sent the invitation. ${COPY_THE_ORIGINAL}`,
		},
	},
};

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

/** Unique to the candidate whatever a file system makes of case and accents, the same in every run, at most 80 bytes. */
function reportName({ ext_reference_id: reference, candidate_id: candidate }: IDataObject): string {
	const whole = JSON.stringify([reference, candidate]);
	const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
	const text = String(reference ?? 'candidate').slice(0, 60);
	const bytes = Buffer.from(text.replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '_')).subarray(0, 60);
	// The cut may have left half a character at the end.
	return `report-${bytes.toString().replace(/\ufffd$/, '')}-${digest}.pdf`;
}

/** Returns ten fields, with every score by its type: `{ role_fit: 85, reasoning_verbal: 77 }`. */
function simplified(data: IDataObject): IDataObject {
	const scores = [data.scores, data.additional_scores].flat() as Array<IDataObject | null>;
	const byType = scores.flatMap((score) =>
		typeof score?.score_type === 'string' ? [[score.score_type, outOf100(score)]] : [],
	);
	const others = [
		...['ext_reference_id', 'job_id', 'email', 'first_name', 'last_name'],
		...['invitation_link', 'report_pdf_link', 'report_profile_link'],
	].map((name) => [name, data[name]]);
	return { status: data.status, scores: Object.fromEntries(byType), ...Object.fromEntries(others) };
}

/** Returns a score as a share of its scale, so that 4 of 5 and 4 of 100 differ. Specification, "Score". */
function outOf100({ score_value: value, score_format: scale }: IDataObject): IDataObject[string] {
	if (typeof value !== 'number' || typeof scale !== 'number' || !(scale > 0)) return value;
	return Math.round((value / scale) * 100 * 100) / 100;
}
