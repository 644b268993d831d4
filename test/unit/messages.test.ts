import { describeError } from '../../nodes/CandidateAssessment/errors/messages';

const UNKNOWN_OUTCOME = {
	message: "Couldn't confirm whether this candidate was invited",
	description: 'Check the service for the invitation before sending it again.',
};

it('a failure has a message and what to do about it for every status, known outcome or not', () => {
	for (let status = 200; status <= 999; status++) {
		for (const isUnknown of [false, true]) {
			const { message, description } = describeError(
				{ kind: 'response', status, text: '' },
				{ unknownOutcome: UNKNOWN_OUTCOME },
				{ isUnknown, redact: (text) => text },
			);
			expect(message === UNKNOWN_OUTCOME.message).toBe(isUnknown);
			expect(message.length).toBeGreaterThan(20);
			expect(description).toMatch(/\.$/);
			expect(`${message}${description}`).not.toMatch(/undefined|null|\[object/);
			if (!isUnknown) expect(description!.includes('response was empty')).toBe(status < 300);
		}
	}
});
