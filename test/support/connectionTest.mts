export const CONNECTED = 'Connection successful!';

const JSON_TYPE = 'application/json';
const NO_API = "No assessment API found at this address. Check 'Base URL' in the credential.";
const PAGE = `${NO_API} If it's correct, ask your n8n administrator about a proxy or firewall.`;
const REFUSED = 'The access token was refused. Enter a current access token.';
const REFUSED_BY_ANY =
	'The access token was refused, or a proxy or firewall refused the request. Enter a current access token, or ask your n8n administrator.';
const REFUSED_BY_PROXY =
	"The proxy between n8n and the service refused the request. Ask your n8n administrator to check the proxy user name and password in n8n's HTTPS_PROXY setting.";
const NONE_LEFT =
	"The service refused the request: your account may have no invitations left. Ask the service's support.";

/** Status, content type and body of a response, and the connection test's message. */
export const RESPONSES: Array<[status: number, type: string, body: string, says: string]> = [
	[200, JSON_TYPE, '{"data":{}}', CONNECTED],
	[404, JSON_TYPE, '{}', CONNECTED],
	[401, JSON_TYPE, '{}', REFUSED],
	[403, JSON_TYPE, '{}', REFUSED_BY_ANY],
	[403, 'text/html', '<html>', REFUSED_BY_ANY],
	[407, 'text/html', '<html>', REFUSED_BY_PROXY],
	[302, 'text/html', '', NO_API],
	[300, JSON_TYPE, '{}', NO_API],
	[200, 'text/html; charset=utf-8', '<html>', PAGE],
	[404, 'Text/HTML', '<html>', PAGE],
	[200, '', '', PAGE],
	[402, JSON_TYPE, '{}', NONE_LEFT],
	[405, JSON_TYPE, '{}', 'The service refused the request (405)'],
	[429, JSON_TYPE, '{}', 'The service is receiving too many requests. Try again later.'],
	[500, JSON_TYPE, '{}', "The service couldn't process the request. Try again later."],
	[502, 'text/html', '<html>', "The service couldn't process the request. Try again later."],
	[599, JSON_TYPE, '{}', "The service couldn't process the request. Try again later."],
];

/** Responses that n8n below 2.16 can't tell apart: it only shows status and headers. */
export const RESPONSES_BY_BODY: typeof RESPONSES = ['', 'null', '[{"data":{}}]', '"text"', '~'].map(
	(body) => [200, JSON_TYPE, body, PAGE],
);
