import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { ApiClient } from '../../nodes/CandidateAssessment/transport/ApiClient';
import { parseCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import { downloadPdf } from '../../nodes/CandidateAssessment/transport/download';
import { startPartnerService } from '../../mock-service/service.mts';
import { getByCode, invitation, setUp } from './setup';

const setup = setUp();
const PDF = '%PDF-1.7 a report';
const WITHOUT_IT = "To get the scores without it, turn off 'Download Report'.";

const getReport = (code: string, more: INodeParameters = {}) =>
	getByCode(code, { downloadReport: true, ...more });

/** Where a report is whose link leads to the service itself. */
const path = '/partner/v1.0/standard/candidates/invitation/r';
const reportLink = () => setup.service.baseUrl + path;

/** What the service answers there. */
const answered = (fault: object, end = '/r') =>
	setup.service.faults.inject({
		route: 'getCandidate',
		when: (request) => request.path.endsWith(end),
		...fault,
	});

async function invited(extReferenceId = 'APP-1'): Promise<string> {
	const { json } = await setup.harness.run(invitation({ extReferenceId }));
	return String(json[0].invitation_link).split('/').pop() ?? '';
}

/** Runs Get where the service's answer has this report link. */
async function getWithLink(link: string | null, more: INodeParameters = {}) {
	const data = { candidate_id: 'C-1', status: 'completed', report_pdf_link: link };
	setup.service.faults.inject({ route: 'getCandidate', status: 200, body: { data, meta: null } });
	return await setup.harness.run(getReport('any', more));
}

const content = (item: INodeExecutionData, field = 'data') =>
	Buffer.from(item.binary?.[field].data ?? '', 'base64').toString('latin1');

describe('Candidate: Get, Download Report', () => {
	it('adds the report as a PDF beside the scores, in the field of your choice', async () => {
		const code = await invited('APP/2026/1');
		await setup.service.finish(code);
		const { outputs } = await setup.harness.run(getReport(code, { binaryPropertyName: 'report' }));
		const [item] = outputs[0];
		expect(item.json).toMatchObject({ status: 'completed' });
		expect(item.binary?.report).toMatchObject({
			mimeType: 'application/pdf',
			fileName: 'report-APP_2026_1.pdf',
		});
		expect(content(item, 'report')).toMatch(/^%PDF-/);
	});

	it('gives a candidate without a report without a file, and the others with theirs', async () => {
		const codes = [await invited('APP-1'), await invited('APP-2')];
		await setup.service.finish(codes[1]);
		const { outputs, error } = await setup.harness.run(
			getReport('={{ $json.code }}'),
			codes.map((code) => ({ code })),
		);
		expect(error).toBeUndefined();
		expect(outputs[0].map(({ json }) => json.status)).toEqual(['invited', 'completed']);
		expect(outputs[0].map(({ binary }) => binary?.data.mimeType)).toEqual([
			undefined,
			'application/pdf',
		]);
	});

	it.each(['http://reports.example.com/1.pdf', 'file:///etc/passwd', 'report.pdf'])(
		'takes no link such as %s',
		async (link) => {
			const { error } = await getWithLink(link);
			expect(error?.message).toBe('The link to the report is not an https address');
			expect(error?.description).toContain(WITHOUT_IT);
		},
	);

	it.each([
		['cannot be found', 'https://reports.invalid/1.pdf'],
		['refuses the connection', 'http://127.0.0.1:1/1.pdf'],
	])('speaks of the report where its host %s, and not of the Base URL', async (_case, link) => {
		const { error } = await getWithLink(link, { options: { maxRetries: 0 } });
		expect(error?.message).toBe("The report couldn't be downloaded");
		expect(error?.description).toContain(WITHOUT_IT);
		expect(error?.description).not.toContain('Base URL');
	});

	it('asks nothing that runs beside n8n, unless the Base URL leads there', async () => {
		const client = {
			credentials: parseCredentials({ baseUrl: 'https://a.example', accessToken: 't' }),
		} as ApiClient;
		for (const link of ['http://localhost:5678/1.pdf', 'https://127.0.0.1/1.pdf']) {
			await expect(downloadPdf(client, { link, fileName: '1.pdf' })).rejects.toThrow(
				'The link to the report leads to the machine that n8n runs on',
			);
		}
	});

	describe('behind a redirect', () => {
		it('is fetched, with the access token on the Base URL only', async () => {
			const elsewhere = await startPartnerService();
			try {
				elsewhere.faults.inject({ route: '*', status: 200, body: PDF });
				answered({ redirectTo: elsewhere.baseUrl + path });
				const { outputs } = await getWithLink(reportLink());
				expect(content(outputs[0][0])).toBe(PDF);
				expect(setup.service.requests.at(-1)?.headers).toHaveProperty('authorization');
				expect(elsewhere.requests).toHaveLength(1);
				expect(elsewhere.requests[0].headers).not.toHaveProperty('authorization');
			} finally {
				await elsewhere.close();
			}
		});

		it('follows a relative address', async () => {
			answered({ redirectTo: './other' });
			answered({ status: 200, body: PDF }, '/other');
			const { outputs } = await getWithLink(reportLink());
			expect(content(outputs[0][0])).toBe(PDF);
		});

		it('that leads to no https address is not followed', async () => {
			answered({ redirectTo: 'http://reports.example.com/1.pdf' });
			const { error } = await getWithLink(reportLink());
			expect(error?.message).toBe('The link to the report is not an https address');
		});

		it('that leads in circles ends', async () => {
			answered({ redirectTo: reportLink(), times: 10 });
			const { error } = await getWithLink(reportLink());
			expect(error?.message).toBe('The link to the report redirects too often');
			expect(error?.description).toContain(WITHOUT_IT);
			expect(setup.service.requests.length).toBeLessThanOrEqual(7);
		});
	});

	describe('on the Base URL', () => {
		it('tries again where the service is busy', async () => {
			answered({ status: 503, times: 2, retryAfter: 0 });
			answered({ status: 200, body: PDF });
			const { outputs } = await getWithLink(reportLink());
			expect(content(outputs[0][0])).toBe(PDF);
		});

		it.each([
			['an expired link', { status: 403 }, /^The report couldn't be downloaded/, 'Run Get again'],
			['a server that fails', { status: 500 }, /^The report couldn't be downloaded/, 'may be down'],
			['no PDF', { body: '<html></html>' }, /^The link to the report doesn't lead to a PDF/, ''],
			[
				'more than 25 MB',
				{ body: PDF + ' '.repeat(25 * 2 ** 20) },
				/^The report is larger/,
				'link',
			],
		])(
			'does not take %s, and says how to go on without it',
			async (_case, answer, message, advice) => {
				answered({ status: 200, ...answer });
				const { error } = await getWithLink(reportLink());
				expect(error?.message).toMatch(message);
				expect(error?.description).toMatch(new RegExp(`${advice}.* ?${WITHOUT_IT}`));
				expect(error?.description).not.toContain('Base URL');
			},
		);
	});
});
