import type { connectionCheck } from '../../nodes/CandidateAssessment/transport/connectionCheck';
import { CONNECTED, RESPONSES, RESPONSES_BY_BODY } from '../support/connectionTest.mts';

type Check = typeof connectionCheck;

/** The check as n8n loads it. Below 2.16, the newer exports are missing. */
function loadCheck(isBelow216: boolean): Check {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => {
		const { HIGHLIGHTED_SESSION_KEY, ...older } =
			jest.requireActual<Record<string, unknown>>('n8n-workflow');
		return isBelow216 ? older : { HIGHLIGHTED_SESSION_KEY, ...older };
	});
	const path = '../../nodes/CandidateAssessment/transport/connectionCheck';
	return (jest.requireActual(path) as { connectionCheck: Check }).connectionCheck;
}

const partOf = (whole: unknown, path: string) =>
	path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], whole);

/** n8n's message about a response, by the rules. A status that isn't ignored is an error. */
function said({ request, rules = [] }: Check, [status, type, body]: (typeof RESPONSES)[number]) {
	const isStream = request.encoding === 'stream';
	const { ignore, except } = request.ignoreHttpStatusErrors as {
		ignore: boolean;
		except: number[];
	};
	const isError = !isStream && status >= 300 && !(ignore && !except.includes(status));
	const headers = type && { 'content-type': type };
	const shown = isStream ? { statusCode: status, headers } : body;
	const rule = rules.find(({ type, properties }) => {
		if (type === 'responseCode') return isError && properties.value === status;
		return !isError && partOf(shown, (properties as { key: string }).key) === properties.value;
	});
	return rule?.properties.message ?? (isError ? "n8n's own words" : CONNECTED);
}

it.each([
	['from 2.16 on', false, [...RESPONSES, ...RESPONSES_BY_BODY]],
	['below 2.16', true, RESPONSES],
])('the connection test tells what is connected from what is not, %s', (_n8n, isBelow, all) => {
	const check = loadCheck(isBelow);
	for (const response of all) {
		expect([...response.slice(0, 3), said(check, response)]).toEqual(response);
	}
});
