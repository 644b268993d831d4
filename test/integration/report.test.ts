import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { ApiClient } from '../../nodes/CandidateAssessment/transport/ApiClient';
import { parseCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import { downloadPdf } from '../../nodes/CandidateAssessment/transport/download';
import { startPartnerService } from '../../mock-service/service.mts';
import { getByCode, setUp } from './support/setup';

const setup = setUp();
const PDF = '%PDF-1.7 a report';
const WITHOUT_IT = "To get the scores without it, turn off 'Download Report'.";

const getReport = (code: string, more: INodeParameters = {}) =>
	getByCode(code, { downloadReport: true, ...more });

/** The path of a report whose link leads to the service itself. */
const path = '/partner/v1.0/standard/candidates/invitation/r';
const reportLink = () => setup.service.baseUrl + path;

/** The service's response at that path. */
const answered = (fault: object, end = '/r') =>
	setup.service.faults.inject({
		route: 'getCandidate',
		when: (request) => request.path.endsWith(end),
		...fault,
	});

/** Runs Get with a service that returns this report link. */
async function getWithLink(link?: string | null, more: INodeParameters = {}) {
	const data = { candidate_id: 'C-1', status: 'completed', report_pdf_link: link };
	setup.service.faults.inject({ route: 'getCandidate', status: 200, body: { data, meta: null } });
	return await setup.harness.run(getReport('any', more));
}

const content = (item: INodeExecutionData, field = 'data') =>
	Buffer.from(item.binary?.[field].data ?? '', 'base64').toString('latin1');

describe('A report', () => {
	it('is added as a PDF beside the scores, in the field of your choice', async () => {
		const { code } = await setup.invite('APP/2026/1');
		await setup.service.finish(code);
		const { outputs } = await setup.harness.run(getReport(code, { binaryPropertyName: 'report' }));
		const [item] = outputs[0];
		expect(item.json).toMatchObject({ status: 'completed' });
		expect(item.binary?.report).toMatchObject({
			mimeType: 'application/pdf',
			fileName: expect.stringMatching(/^report-APP_2026_1-[\da-f]{8}\.pdf$/),
		});
		expect(content(item, 'report')).toMatch(/^%PDF-/);
	});

	it('is missing where there is none, and the others have theirs', async () => {
		const items = [await setup.invite('APP-1'), await setup.invite('APP-2')];
		await setup.service.finish(items[1].code);
		const { outputs, error } = await setup.harness.run(getReport('={{ $json.code }}'), items);
		expect(error).toBeUndefined();
		expect(outputs[0].map(({ json }) => json.status)).toEqual(['invited', 'completed']);
		expect(outputs[0].map(({ binary }) => binary?.data.mimeType)).toEqual([
			undefined,
			'application/pdf',
		]);
	});

	it.each([null, '', undefined])('is missing where its link is %j', async (link) => {
		const { outputs, error } = await getWithLink(link);
		expect(error).toBeUndefined();
		expect(outputs[0]).toMatchObject([{ json: { status: 'completed' } }]);
		expect(outputs[0][0].binary).toBeUndefined();
	});

	const NOT_HTTPS = /^The link to the report is not an https address/;
	const NOT_DOWNLOADED = /^The report couldn't be downloaded/;
	it.each<[what: string, link: string | undefined, answer: object, message: RegExp]>([
		['an http address', 'http://reports.example.com/1.pdf', {}, NOT_HTTPS],
		['a path of this machine', 'file:///etc/passwd', {}, NOT_HTTPS],
		['a relative address', 'report.pdf', {}, NOT_HTTPS],
		['a redirect to http', undefined, { redirectTo: 'http://reports.example.com/1' }, NOT_HTTPS],
		['a redirect in circles', undefined, { redirectTo: path, times: 10 }, /redirects too often/],
		['a host that cannot be found', 'https://reports.invalid/1.pdf', {}, NOT_DOWNLOADED],
		['a host that is down', 'http://127.0.0.1:1/1.pdf', {}, NOT_DOWNLOADED],
		['an expired link', undefined, { status: 403 }, NOT_DOWNLOADED],
		['a server that fails', undefined, { status: 500 }, NOT_DOWNLOADED],
		['a web page', undefined, { body: '<html></html>' }, /doesn't lead to a PDF/],
		['a huge file', undefined, { body: PDF + ' '.repeat(25 * 2 ** 20) }, /larger than 25 MB/],
	])(
		'is not taken from %s, and the error says how to go on',
		async (_what, link, answer, message) => {
			answered({ status: 'redirectTo' in answer ? undefined : 200, ...answer });
			const { error } = await getWithLink(link ?? reportLink(), { options: { maxRetries: 0 } });
			expect(error?.message).toMatch(message);
			if (message === NOT_DOWNLOADED) expect(error?.description).toMatch(/Run Get again/);
			expect(error?.description).toContain(WITHOUT_IT);
			expect(error?.description).not.toContain('Base URL');
			expect(setup.service.requests.length).toBeLessThanOrEqual(7);
		},
	);

	it('is asked of nothing that runs beside n8n, unless the Base URL leads there', async () => {
		const client = {
			credentials: parseCredentials({ baseUrl: 'https://a.example', accessToken: 't' }),
		} as ApiClient;
		for (const host of ['localhost:5678', '0.0.0.0', '[::ffff:127.0.0.1]']) {
			const link = `https://${host}/1.pdf`;
			await expect(downloadPdf(client, { link, fileName: '1.pdf' })).rejects.toThrow(
				"The link to the report leads to n8n's own machine",
			);
		}
	});

	it('is fetched from where a redirect leads, with the access token on the Base URL only', async () => {
		const elsewhere = await startPartnerService();
		try {
			elsewhere.faults.inject({ route: '*', status: 200, body: PDF });
			answered({ redirectTo: './other' });
			answered({ redirectTo: elsewhere.baseUrl + path }, '/other');
			const { outputs } = await getWithLink(reportLink());
			expect(content(outputs[0][0])).toBe(PDF);
			expect(setup.service.requests.at(-1)?.headers).toHaveProperty('authorization');
			expect(elsewhere.requests).toHaveLength(1);
			expect(elsewhere.requests[0].headers).not.toHaveProperty('authorization');
		} finally {
			await elsewhere.close();
		}
	});

	it('is not taken from an http address that another host redirects to', async () => {
		const elsewhere = await startPartnerService();
		try {
			elsewhere.faults.inject({ route: '*', redirectTo: 'http://reports.example.com/1' });
			const options = { options: { maxRetries: 0 } };
			const { error } = await getWithLink(elsewhere.baseUrl + path, options);
			expect(error?.message).toMatch(NOT_HTTPS);
		} finally {
			await elsewhere.close();
		}
	});

	it('is asked for again where the service is busy', async () => {
		answered({ status: 503, times: 2, retryAfter: 0 });
		answered({ status: 200, body: PDF });
		const { outputs } = await getWithLink(reportLink());
		expect(content(outputs[0][0])).toBe(PDF);
	});
});
