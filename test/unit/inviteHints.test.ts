import { inviteHints } from '../../nodes/CandidateAssessment/actions/candidate/invite.operation';

const SERVICE = 'https://assessment.example.com';

it.each([
	['one and the same link', ['login', '2', 'login', 'login'], ['a', 'b', 'c', 'c'], 1],
	['the same link for two people without an address', ['login', 'login'], [], 1],
	['the same link for one person under two IDs', ['login', 'login'], ['a', 'a'], 0],
	['a link for each', ['1', '2', '12'], ['a', 'b', 'c'], 0],
])('a hint says if several candidates got the same link: %s', (_case, paths, emails, count) => {
	const answers = paths.map((path, at) => ({
		...{ invitation_link: `https://a.example/${path}`, ext_reference_id: `APP-${at}` },
		email: emails[at],
	}));
	expect(inviteHints([], answers, SERVICE)).toEqual(
		Array(count).fill(
			"Several candidates received the same invitation link, 'https://a.example/login'. Before you send it, ask the service's support whether it's right.",
		),
	);
});

it.each<[link: unknown, baseUrl: string, isNowhere: boolean]>([
	['http://localhost:3000/i/1', SERVICE, true],
	['https://127.0.0.1/i/1', SERVICE, true],
	['http://localhost:3000/i/1', 'http://127.0.0.1:3000', false],
	['/invites/1', SERVICE, true],
	['https://a.example/undefined', SERVICE, true],
	['https://a.example/i/null?lang=en', SERVICE, true],
	['https://undefined/i/1', SERVICE, true],
	[null, SERVICE, true],
	['https://a.example/i/1', SERVICE, false],
	['http://a.example/i/undefined-behavior', SERVICE, false],
	['https://a.example/i/1?next=%2Fnull%20#nullable', SERVICE, false],
])('a hint says if a link leads nowhere: %s from %s', (invitation_link, baseUrl, isNowhere) => {
	const hints = inviteHints([], [{ invitation_link }] as never, baseUrl);
	const hint = `1 of 1 invitation links don't work, such as '${String(invitation_link)}'. Don't send them: ask the service's support to correct them.`;
	expect(hints).toEqual(isNowhere ? [hint] : []);
});
