import { addHints } from '../../nodes/CandidateAssessment/batch/hints';

it('a hint that cannot be made fails nothing', () => {
	const fail = jest.fn(() => {
		throw new TypeError("Cannot read properties of undefined (reading 'name')");
	});
	const batch = {
		context: { getNode: fail },
		operation: { hints: fail },
		options: { checkOnly: false },
		items: [],
		client: { credentials: { baseUrl: '' } },
	};
	addHints(batch as never, { hints: [], warnings: [] } as never, []);
	expect(fail).toHaveBeenCalledTimes(1);
});
