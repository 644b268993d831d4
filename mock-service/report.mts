import PDFDocument from 'pdfkit';
import { candidateName } from './candidates.mts';
import { dateLabel, scoreLabel } from './labels.mts';
import type { Invitation, Score } from './types.mts';

const ink = '#1f2937';
const quiet = '#6b7280';
const accent = '#4f46e5';
const track = '#e5e7eb';
const margin = 56;

type Document = InstanceType<typeof PDFDocument>;

/**
 * Makes the report of a finished assessment (specification, report_pdf_link).
 *
 * @returns a PDF of one page: who, for what, and the scores as bars
 */
export function makeReport(invitation: Invitation): Promise<Buffer> {
	const name = printable(candidateName(invitation)) || invitation.candidate_id;
	const finishedAt = invitation.completed_at ?? invitation.created_at;
	const document = new PDFDocument({
		size: 'A4',
		margin,
		lang: 'en',
		info: {
			Title: `Assessment report: ${name}`,
			CreationDate: new Date(finishedAt),
		},
	});

	drawHeader(document, name);
	drawFacts(document, [
		['Reference', printable(invitation.ext_reference_id)],
		['Job', invitation.job_id],
		['Candidate ID', invitation.candidate_id],
		['Finished', dateLabel(finishedAt)],
	]);
	drawScores(document, 'Fit', invitation.scores);
	drawScores(document, 'Reasoning', invitation.additional_scores);
	drawFooter(document);
	return bytes(document);
}

function drawHeader(document: Document, name: string) {
	const { width } = document.page;
	document.rect(0, 0, width, 8).fill(accent);
	document.font('Helvetica').fontSize(11).fillColor(quiet);
	document.text('ASSESSMENT REPORT', margin, 64, { characterSpacing: 1.5 });
	document.font('Helvetica-Bold').fontSize(26).fillColor(ink);
	// A very long name ends in dots: it must not push the scores off the page.
	document.text(name, margin, 84, { width: width - 2 * margin, height: 62, ellipsis: true });
	document.moveDown(0.6);
}

function drawFacts(document: Document, facts: Array<[string, string]>) {
	for (const [label, value] of facts) {
		const { y } = document;
		document.font('Helvetica').fontSize(10.5).fillColor(quiet).text(label, margin, y);
		document.fillColor(ink).text(value, margin + 100, y);
		document.y = y + 19;
	}
}

function drawScores(document: Document, title: string, scores: Score[]) {
	const width = document.page.width - 2 * margin;
	document.y += 26;
	document.font('Helvetica-Bold').fontSize(14).fillColor(ink).text(title, margin, document.y);
	document.y += 8;
	for (const { score_type, score_value, score_format } of scores) {
		const { y } = document;
		document.font('Helvetica').fontSize(11).fillColor(ink).text(scoreLabel(score_type), margin, y);
		document.font('Helvetica-Bold').text(`${score_value}`, margin, y, {
			width: width - 32,
			align: 'right',
		});
		document.font('Helvetica').fillColor(quiet).text(`/ ${score_format}`, margin, y, {
			width,
			align: 'right',
		});
		document.roundedRect(margin, y + 18, width, 8, 4).fill(track);
		document.roundedRect(margin, y + 18, (width * score_value) / score_format, 8, 4).fill(accent);
		document.y = y + 42;
	}
}

function drawFooter(document: Document) {
	const y = document.page.height - margin - 12;
	document.font('Helvetica').fontSize(9).fillColor(quiet);
	document.text('Made by a stand-in for demonstrations. The scores are not real.', margin, y, {
		lineBreak: false,
	});
}

/** The letters of another alphabet's Latin, which do not come apart into a letter and an accent. */
const plainLetters: Record<string, string> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' };

/**
 * What a PDF's built-in fonts can print of a text: Latin letters with western accents as they are, others
 * without their accents. Letters of other scripts cannot be printed and are left out.
 */
export function printable(text: string): string {
	const printed = Array.from(text.normalize('NFC'), (character) => {
		if (/[ -~\u00a0-\u00ff]/.test(character)) return character;
		return plainLetters[character] ?? character.normalize('NFD').replace(/[^ -~]/gu, '');
	});
	return printed.join('').trim();
}

function bytes(document: Document): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		document.on('data', (chunk: Buffer) => chunks.push(chunk));
		document.on('end', () => resolve(Buffer.concat(chunks)));
		document.on('error', reject);
		document.end();
	});
}
