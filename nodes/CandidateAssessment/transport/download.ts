import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { withRetries } from './withRetries';
import { CREDENTIAL_TYPE, isSecureUrl } from './credentials';
import type { ApiClient } from './ApiClient';
import { networkError } from './send';
import type { Attempt, StatusMessages } from './types';

/** Larger files are not taken: they would fill the memory of n8n. In bytes. */
const MAX_FILE_BYTES = 25 * 2 ** 20;

/** A file that cannot be had as asked for; the message says why. */
export class DownloadError extends Error {}

/**
 * Downloads a PDF from a link that the service gave. The access token goes along only where the
 * link is on the base URL's own origin; elsewhere the link must work by itself.
 * Throws `FileProblem` where it is no PDF or too large, else like `call`.
 */
export async function downloadPdf(client: ApiClient, link: string): Promise<Buffer> {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	if (!url || !isSecureUrl(url)) {
		throw new DownloadError('The link to the report is not an https address');
	}
	const request = { method: 'GET' as const, path: link };
	const attempt = async () => await fetchFile(client, url);
	const file = await withRetries(
		client,
		request,
		attempt,
		(answer) => answer.file,
		LINK_STATUS_MESSAGES,
	);
	if (file.subarray(0, 5).toString() !== '%PDF-') {
		throw new DownloadError('The link to the report does not lead to a PDF');
	}
	return file;
}

const LINK_EXPIRED = {
	message: 'The report could not be downloaded',
	description: 'Its link may have expired: run Get again, which gives a new one.',
};
const LINK_STATUS_MESSAGES: StatusMessages = {
	401: LINK_EXPIRED,
	403: LINK_EXPIRED,
	404: LINK_EXPIRED,
	410: LINK_EXPIRED,
	413: {
		message: 'The report is larger than 25 MB',
		description: 'Download it by its link instead.',
	},
};

async function fetchFile({ context, credentials, timeout }: ApiClient, url: URL): Promise<Attempt> {
	const isOurs = url.origin === new URL(credentials.baseUrl).origin;
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		headers: { Accept: 'application/pdf' },
		timeout,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: isOurs,
	};
	try {
		const response = (await (isOurs
			? context.helpers.httpRequestWithAuthentication.call(
					context as IAllExecuteFunctions,
					CREDENTIAL_TYPE,
					options,
					{ credentialsDecrypted: credentials.decrypted },
				)
			: context.helpers.httpRequest(options))) as IN8nHttpFullResponse;
		const { statusCode: status, headers, body } = response;
		const file = await contentOf(body as unknown as AsyncIterable<Buffer>);
		if (!file) return { kind: 'response', status: 413, headers, text: '' };
		return { kind: 'response', status, headers, text: '', file };
	} catch (error) {
		return networkError(error);
	}
}

/** All of a stream; undefined where it is too large, of which the rest is not read. */
async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.length;
		if (size > MAX_FILE_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
