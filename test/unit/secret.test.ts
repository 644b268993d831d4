import { createHmac } from 'crypto';
import * as fc from 'fast-check';
import { webhookSecret } from '../../nodes/CandidateAssessment/trigger/secret';
import { CredentialError } from '../../nodes/CandidateAssessment/transport/credentials';

const ID = '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f';
const token = fc.stringMatching(/^[!#-&(-~]{1,40}$/);

it.each([
	['x', 'must have at least 16 characters'],
	['fifteen letters', 'must have at least 16 characters'],
	['ein geheimer Schlüssel', 'can contain only letters without accents'],
	['a secret with an emoji \u{1F511}', 'can contain only letters without accents'],
	['two lines\nof a secret', 'can contain only letters without accents'],
])('the secret is refused if it is %j, and none is derived instead', (entered, reason) => {
	const read = () => webhookSecret({ accessToken: 'a-token', webhookSecret: entered }, ID);
	expect(read).toThrow(CredentialError);
	expect(read).toThrow(`The Webhook Secret in the credential ${reason}`);
});

it('the secret is derived from access token and webhook ID if none is entered, however the ID is written', () => {
	fc.assert(
		fc.property(token, fc.mixedCase(fc.uuid()), (accessToken, webhookId) => {
			const expected = createHmac('sha256', accessToken).update(webhookId.toLowerCase());
			const secret = webhookSecret({ accessToken, webhookSecret: '' }, webhookId);
			expect(secret).toBe(expected.digest('hex'));
		}),
	);
});
