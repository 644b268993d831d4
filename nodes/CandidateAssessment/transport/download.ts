import type { IBinaryData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { ApiError } from '../errors/ApiError';
import type { ApiClient } from './ApiClient';
import { isSecureUrl } from './credentials';
import { exchange, type Readable, type StreamedResponse } from './exchange';
import { isSuccess } from './retryPolicy';
import type { ErrorMessage } from '../errors/types';
import type { Attempt, RequestPolicy } from './types';
import { withRetries } from './withRetries';

/** Larger files are not downloaded: they would fill n8n's memory or disk. In bytes. */
const MAX_FILE_BYTES = 25 * 2 ** 20;

const MAX_REDIRECTS = 5;
const REDIRECT_STATUS_CODES = new Set([301, 302, 303, 307, 308]);

/** A file that cannot be downloaded as asked for. The request itself was settled. */
class DownloadError extends ApiError {
	constructor(message: ErrorMessage) {
		super(message, 'refused');
	}
}

/** What may be downloaded, for whom. */
export interface BinaryDownload {
	/** An absolute link that the service gave. */
	link: string;
	fileName: string;
}

/**
 * Downloads a PDF from a link that the service gave into n8n's binary data, as a stream. Redirects are
 * followed, each checked like the first link. The access token goes along only on the base URL's own
 * origin; elsewhere the link must work by itself. Throws `ApiError`, and `DownloadError` if the link is
 * not secure, or leads to no PDF or to one that is too large.
 */
export async function downloadPdf(
	client: ApiClient,
	{ link, fileName }: BinaryDownload,
): Promise<IBinaryData> {
	let url = checkedUrl(link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const found = await withRetries<IBinaryData | URL>(
			client,
			LINK_POLICY,
			async () => await fetchPdf(client, url, fileName),
			({ status, headers, file }) => file ?? redirectTarget(status, headers.location, url),
			(text) => client.redact(text),
		);
		if (!(found instanceof URL)) return found;
		url = found;
	}
	throw new DownloadError(redirectsTooOften);
}

const WITHOUT_IT = "To get the scores without it, turn off 'Download Report'.";

/** What keeps a report from being downloaded. */
export const DOWNLOAD_MESSAGES = {
	linkExpired: {
		message: "The report couldn't be downloaded",
		description: `Its link may have expired. Run Get again to receive a new one. ${WITHOUT_IT}`,
	},
	notSecure: {
		message: 'The link to the report is not an https address',
		description: WITHOUT_IT,
	},
	redirectsTooOften: {
		message: 'The link to the report redirects too often',
		description: WITHOUT_IT,
	},
	notAPdf: {
		message: "The link to the report doesn't lead to a PDF",
		description: WITHOUT_IT,
	},
	tooLarge: {
		message: 'The report is larger than 25 MB',
		description: `Download it from its link instead. ${WITHOUT_IT}`,
	},
} satisfies Record<string, ErrorMessage>;

const { linkExpired, notSecure, redirectsTooOften, notAPdf, tooLarge } = DOWNLOAD_MESSAGES;

const LINK_POLICY: RequestPolicy = {
	isRepeatable: true,
	statusMessages: { 401: linkExpired, 403: linkExpired, 404: linkExpired, 410: linkExpired },
};

function checkedUrl(link: string): URL {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	if (url && isSecureUrl(url)) return url;
	throw new DownloadError(notSecure);
}

function redirectTarget(status: number, location: unknown, from: URL): URL | undefined {
	if (!REDIRECT_STATUS_CODES.has(status) || typeof location !== 'string') return undefined;
	return checkedUrl(URL.canParse(location, from.href) ? new URL(location, from).href : '');
}

async function fetchPdf(client: ApiClient, url: URL, fileName: string): Promise<Attempt> {
	const { context, credentials, timeout } = client;
	// Only the action node downloads, and its context has this helper.
	const { prepareBinaryData } = (context as IExecuteFunctions).helpers;
	const isOwnOrigin = url.origin === new URL(credentials.baseUrl).origin;
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		headers: { Accept: 'application/pdf' },
	};
	let problem: DownloadError | undefined;
	const store = async ({ status, headers, body }: StreamedResponse): Promise<Attempt> => {
		const response = { kind: 'response' as const, status, headers, text: '' };
		if (!isSuccess(response)) {
			body.destroy();
			return response;
		}
		const pdf = new PdfStream(body);
		try {
			const file = await prepareBinaryData(pdf.checked, fileName, 'application/pdf');
			pdf.checkSignature();
			return { ...response, file };
		} finally {
			problem = pdf.problem;
		}
	};
	const own = isOwnOrigin ? credentials : undefined;
	const attempt = await exchange(context, options, timeout, own, store);
	if (problem) throw problem;
	return attempt;
}

const PDF_SIGNATURE = '%PDF-';
/** In bytes. Readers of PDF files look for the signature so far in, such as behind a byte order mark. */
const SIGNATURE_WITHIN = 1024;

/** Passes a body on while it is a PDF of an acceptable size. */
class PdfStream {
	readonly checked: Readable;
	/** Why the body cannot be used. */
	problem?: DownloadError;
	private size = 0;
	private beginning = '';

	constructor(body: Readable) {
		this.checked = body.map((chunk: Buffer) => this.check(chunk));
	}

	/** Call it once more when all has been read: that may be little. */
	checkSignature(): void {
		if (!this.beginning.includes(PDF_SIGNATURE)) this.problem = new DownloadError(notAPdf);
	}

	private check(chunk: Buffer): Buffer {
		this.size += chunk.length;
		this.beginning += chunk.toString('latin1', 0, SIGNATURE_WITHIN - this.beginning.length);
		if (this.beginning.length === SIGNATURE_WITHIN) this.checkSignature();
		if (this.size > MAX_FILE_BYTES) this.problem = new DownloadError(tooLarge);
		if (this.problem) throw this.problem;
		return chunk;
	}
}
