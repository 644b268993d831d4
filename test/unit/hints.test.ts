import { addHints } from '../../nodes/CandidateAssessment/batch/hints';

it('a hint that cannot be made fails nothing, and holds back no warning', () => {
	const shown: string[] = [];
	const fail = jest.fn(() => {
		throw new TypeError("Cannot read properties of undefined (reading 'name')");
	});
	const batch = {
		context: {
			getNode: fail,
			addExecutionHints: (hint: { message: string }) => shown.push(hint.message),
		},
		operation: { hints: fail },
		options: { checkOnly: false },
		items: [],
		client: { credentials: { baseUrl: '' } },
	};
	addHints(batch as never, { hints: [], warnings: ['Not saved'] } as never, []);
	expect(fail).toHaveBeenCalledTimes(2);
	expect(shown).toEqual(['Not saved']);
});
