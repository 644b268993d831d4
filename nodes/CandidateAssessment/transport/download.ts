import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { ApiError, type ErrorMessage } from '../errors/ItemError';
import { isSuccess } from '../errors/statusMeaning';
import type { ApiClient } from './ApiClient';
import { isSecureUrl, isThisMachine } from './credentials';
import { exchange, type OpenResponse } from './exchange';
import { decide } from './retryPolicy';
import type { Attempt, RetryPolicy } from './types';

/** Larger files are not downloaded: they would fill n8n's disk. In bytes. */
const MAX_FILE_BYTES = 25 * 2 ** 20;

const MAX_REDIRECTS = 5;

const WITHOUT_IT = "To get the scores without it, turn off 'Download Report'.";

const LINK_POLICY = {
	isRepeatable: true,
	isRead: true,
	fallbackMessage: {
		message: "The report couldn't be downloaded",
		description: `Its link may have expired, or its host may be down. Run Get again: the service may return a new link. ${WITHOUT_IT}`,
	},
} satisfies RetryPolicy;

class DownloadError extends ApiError {
	constructor({ message, description = WITHOUT_IT, cause }: ErrorMessage) {
		super({ message, description, cause }, 'refused');
	}
}

/** Downloads a PDF into n8n's storage. Checks each redirect like the link itself. Throws `ApiError`. */
export async function downloadPdf(
	client: ApiClient,
	{ link, fileName }: { link: string; fileName: string },
): Promise<IBinaryData> {
	let url = checkedUrl(client, link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const result = await fetchPdf(client, url, fileName);
		if (typeof result !== 'string') return result;
		url = checkedUrl(client, result, url);
	}
	throw new DownloadError({ message: 'The link to the report redirects too often' });
}

/** Returns the file, or the address of a redirect. Streams it: thirty in memory would be too many. */
async function fetchPdf(client: ApiClient, { href, origin }: URL, fileName: string) {
	const { helpers } = client.context as IExecuteFunctions;
	const read = async ({
		status,
		headers,
		body,
	}: OpenResponse): Promise<Attempt<IBinaryData | string>> => {
		if (isSuccess(status)) {
			let size = 0;
			let beginning = '';
			const pdf = body.map((chunk: Buffer) => {
				if (beginning.length < 1024) beginning += chunk.toString('latin1');
				size += chunk.length;
				if (size > MAX_FILE_BYTES) {
					const description = `Download it from its link instead. ${WITHOUT_IT}`;
					throw new DownloadError({ message: 'The report is larger than 25 MB', description });
				}
				return chunk;
			});
			const data = await helpers.prepareBinaryData(pdf, fileName, 'application/pdf');
			// Some PDFs begin with a blank line.
			if (!beginning.slice(0, 1024).includes('%PDF-')) {
				throw new DownloadError({ message: "The link to the report doesn't lead to a PDF" });
			}
			return { kind: 'success', data };
		}
		if (status < 400 && typeof headers.location === 'string') {
			return { kind: 'success', data: headers.location };
		}
		const failure = { kind: 'response', status, headers, text: '' } as const;
		const { isThrottled } = decide(failure, LINK_POLICY, { mayBeDone: false, now: Date.now() });
		// Only the service may make the whole list wait.
		if (isThrottled && origin !== new URL(client.credentials.baseUrl).origin) {
			throw new DownloadError(LINK_POLICY.fallbackMessage);
		}
		return failure;
	};
	const options = { url: href, headers: { Accept: 'application/pdf' } };
	const attempt = async () => await exchange(client, options, read);
	return await client.withRetries(LINK_POLICY, attempt).catch((error: Error) => {
		// It says nothing about the service, which has returned the candidate.
		throw error instanceof ApiError ? new DownloadError(error) : error;
	});
}

function checkedUrl({ credentials }: ApiClient, link: string, from?: URL): URL {
	const url = URL.canParse(link, from?.href) ? new URL(link, from) : undefined;
	if (!url || !isSecureUrl(url)) {
		throw new DownloadError({ message: 'The link to the report is not an https address' });
	}
	// A link must not make n8n query services on its own machine.
	if (isThisMachine(url) && !isThisMachine(new URL(credentials.baseUrl))) {
		throw new DownloadError({ message: "The link to the report leads to n8n's own machine" });
	}
	return url;
}
