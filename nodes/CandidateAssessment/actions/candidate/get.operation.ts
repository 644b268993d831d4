import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { field, includeOtherFields } from '../../parameters/field';
import { boolean, string } from '../../parameters/rules';
import { downloadPdf } from '../../transport/download';
import type { Operation } from '../operation';
import { invitationMessages, invitationPath, invitationProperty, isCandidate } from './invitation';

/** Specification, "2. Retrieve a candidate by invitation code". */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get candidate',
	description: 'Retrieve a candidate with scores and report links',
	properties: [
		invitationProperty,
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
	request: (params) => ({ method: 'GET', path: invitationPath(params) }),
	output(params) {
		const isSimplified = params.required('simplify', boolean);
		const binaryField =
			params.optional('downloadReport', boolean) && params.required('binaryPropertyName', string());
		return async (data, client) => {
			const json = isSimplified ? simplified(data) : data;
			const { report_pdf_link: link } = data;
			if (!binaryField || typeof link !== 'string' || link === '') return { json };
			const report = await downloadPdf(client, { link, fileName: reportName(data) });
			return { json, binary: { [binaryField]: report } };
		};
	},
	isRepeatable: true,
	isRead: true,
	isConfirmedBy: isCandidate,
	statusMessages: invitationMessages,
};

/** Unique to the candidate whatever a file system makes of case and accents, the same in every run, at most 80 bytes. */
function reportName({ ext_reference_id: reference, candidate_id: candidate }: IDataObject): string {
	const whole = JSON.stringify([reference, candidate]);
	const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
	const text = String(reference ?? 'candidate').slice(0, 60);
	const bytes = Buffer.from(text.replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '_')).subarray(0, 60);
	// The cut may have left half a character at the end.
	return `report-${bytes.toString().replace(/\ufffd$/, '')}-${digest}.pdf`;
}

/** Returns at most ten fields, with every score by its type: `{ role_fit: 85, reasoning_verbal: 77 }`. */
function simplified(data: IDataObject): IDataObject {
	const scores = [data.scores, data.additional_scores].flat() as Array<IDataObject | null>;
	const byType = scores.flatMap((score) =>
		typeof score?.score_type === 'string' ? [[score.score_type, outOf100(score)]] : [],
	);
	// What the service leaves out replaces nothing of the input item.
	const pick = (...names: string[]) =>
		Object.fromEntries(
			names.map((name) => [name, data[name]]).filter(([, value]) => value !== undefined),
		);
	return {
		...pick('status'),
		scores: Object.fromEntries(byType),
		...pick('ext_reference_id', 'job_id', 'email', 'first_name', 'last_name'),
		...pick('invitation_link', 'report_pdf_link', 'report_profile_link'),
	};
}

/** Returns a score as a share of its scale, so that 4 of 5 and 4 of 100 differ. Specification, "Score". */
function outOf100({ score_value: value, score_format: scale }: IDataObject): IDataObject[string] {
	if (typeof value !== 'number' || typeof scale !== 'number' || !(scale > 0)) return value;
	return Math.round((value / scale) * 100 * 100) / 100;
}
