import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { persist } from './withRetries';
import { CREDENTIAL_TYPE, isPrivateEnough } from './credentials';
import type { Line } from './ApiClient';
import { noAnswer } from './send';
import type { Attempt, StatusWords } from './types';

/** Larger files are not taken: they would fill the memory of n8n. In bytes. */
const LARGEST_FILE = 25 * 2 ** 20;

/** A file that cannot be had as asked for; the message says why. */
export class FileProblem extends Error {}

/**
 * Downloads a PDF from a link that the service gave. The access token goes along only where the
 * link is on the base URL's own origin; elsewhere the link must work by itself.
 * Throws `FileProblem` where it is no PDF or too large, else like `call`.
 */
export async function downloadPdf(line: Line, link: string): Promise<Buffer> {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	if (!url || !isPrivateEnough(url)) {
		throw new FileProblem('The link to the report is not an https address');
	}
	const request = { method: 'GET' as const, path: link };
	const once = async () => await fetchFile(line, url);
	const file = await persist(line, request, once, (answer) => answer.file, LINK_WORDS);
	if (file.subarray(0, 5).toString() !== '%PDF-') {
		throw new FileProblem('The link to the report does not lead to a PDF');
	}
	return file;
}

const LINK_NO_LONGER_WORKS = {
	message: 'The report could not be downloaded',
	description: 'Its link may have expired: run Get again, which gives a new one.',
};
const LINK_WORDS: StatusWords = {
	401: LINK_NO_LONGER_WORKS,
	403: LINK_NO_LONGER_WORKS,
	404: LINK_NO_LONGER_WORKS,
	410: LINK_NO_LONGER_WORKS,
	413: {
		message: 'The report is larger than 25 MB',
		description: 'Download it by its link instead.',
	},
};

async function fetchFile({ sender, connection, timeout }: Line, url: URL): Promise<Attempt> {
	const isOurs = url.origin === new URL(connection.baseUrl).origin;
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
			? sender.helpers.httpRequestWithAuthentication.call(
					sender as IAllExecuteFunctions,
					CREDENTIAL_TYPE,
					options,
					{ credentialsDecrypted: connection.decrypted },
				)
			: sender.helpers.httpRequest(options))) as IN8nHttpFullResponse;
		const { statusCode: status, headers, body } = response;
		const file = await contentOf(body as unknown as AsyncIterable<Buffer>);
		if (!file) return { kind: 'answer', status: 413, headers, text: '' };
		return { kind: 'answer', status, headers, text: '', file };
	} catch (error) {
		return noAnswer(error);
	}
}

/** All of a stream; undefined where it is too large, of which the rest is not read. */
async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.length;
		if (size > LARGEST_FILE) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
