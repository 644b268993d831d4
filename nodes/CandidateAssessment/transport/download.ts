import type { IBinaryData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { ApiError } from '../errors/ApiError';
import type { ErrorMessage } from '../errors/types';
import type { ApiClient } from './ApiClient';
import { isLoopback, isSecureUrl } from './credentials';
import { exchange, type Readable, type StreamedResponse } from './exchange';
import { isSuccess } from './retryPolicy';
import type { Attempt, RequestPolicy } from './types';

/** Larger files are not downloaded: they would fill n8n's memory or disk. In bytes. */
const MAX_FILE_BYTES = 25 * 2 ** 20;

const MAX_REDIRECTS = 5;
const REDIRECT_STATUS_CODES = new Set([301, 302, 303, 307, 308]);

const WITHOUT_IT = "To get the scores without it, turn off 'Download Report'.";

const LINK_EXPIRED: ErrorMessage = {
	message: "The report couldn't be downloaded",
	description: `Its link may have expired. Run Get again to receive a new one. ${WITHOUT_IT}`,
};

const LINK_POLICY: RequestPolicy = {
	isRepeatable: true,
	statusMessages: { 401: LINK_EXPIRED, 403: LINK_EXPIRED, 404: LINK_EXPIRED, 410: LINK_EXPIRED },
};

/** A file that cannot be downloaded as asked for. The request itself was settled. */
class DownloadError extends ApiError {
	constructor(message: string, description = WITHOUT_IT) {
		super({ message, description }, 'refused');
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
 * not safe, or leads to no PDF or to one that is too large.
 */
export async function downloadPdf(
	client: ApiClient,
	{ link, fileName }: BinaryDownload,
): Promise<IBinaryData> {
	let url = checkedUrl(client, link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const found = await client.withRetries<IBinaryData | URL>(
			LINK_POLICY,
			[],
			async () => await fetchPdf(client, url, fileName),
		);
		if (!(found instanceof URL)) return found;
		url = found;
	}
	throw new DownloadError('The link to the report redirects too often');
}

function checkedUrl({ credentials }: ApiClient, link: string, from?: URL): URL {
	const url = URL.canParse(link, from?.href) ? new URL(link, from) : undefined;
	if (!url || !isSecureUrl(url)) {
		throw new DownloadError('The link to the report is not an https address');
	}
	// Nobody may have n8n ask what runs beside it.
	if (isLoopback(url) && !isLoopback(new URL(credentials.baseUrl))) {
		throw new DownloadError('The link to the report leads to the machine that n8n runs on');
	}
	return url;
}

async function fetchPdf(
	client: ApiClient,
	url: URL,
	fileName: string,
): Promise<Attempt<IBinaryData | URL>> {
	const { context, timeout, credentials } = client;
	const isOwnOrigin = url.origin === new URL(credentials.baseUrl).origin;
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		headers: { Accept: 'application/pdf' },
	};
	const store = async (response: StreamedResponse): Promise<Attempt<IBinaryData | URL>> => {
		const { status, headers, body } = response;
		if (isSuccess(response)) {
			return {
				kind: 'success',
				data: await storePdf(context as IExecuteFunctions, body, fileName),
			};
		}
		body.destroy();
		if (REDIRECT_STATUS_CODES.has(status) && typeof headers.location === 'string') {
			return { kind: 'success', data: checkedUrl(client, headers.location, url) };
		}
		return { kind: 'response', status, headers, text: '' };
	};
	const connection = { context, timeout, credentials: isOwnOrigin ? credentials : undefined };
	return await exchange(connection, options, store);
}

/** In bytes. Readers of PDF files look for its signature so far in, such as behind a byte order mark. */
const SIGNATURE_WITHIN = 1024;

/** Passes the body on to n8n's binary data chunk by chunk, up to the largest size. */
async function storePdf(
	{ helpers }: IExecuteFunctions,
	body: Readable,
	fileName: string,
): Promise<IBinaryData> {
	let size = 0;
	let beginning = '';
	const checked = body.map((chunk: Buffer) => {
		beginning += chunk.toString('latin1', 0, SIGNATURE_WITHIN - beginning.length);
		size += chunk.length;
		if (size <= MAX_FILE_BYTES) return chunk;
		throw new DownloadError(
			'The report is larger than 25 MB',
			`Download it from its link instead. ${WITHOUT_IT}`,
		);
	});
	const file = await helpers.prepareBinaryData(checked, fileName, 'application/pdf');
	if (beginning.includes('%PDF-')) return file;
	throw new DownloadError("The link to the report doesn't lead to a PDF");
}
