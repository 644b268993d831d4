import { createHmac } from 'crypto';
import * as fc from 'fast-check';
import { webhookSecret } from '../../nodes/CandidateAssessment/trigger/secret';
import { CredentialError } from '../../nodes/CandidateAssessment/transport/credentials';

const ID = '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f';
const accessToken = 'token-of-this-account';

const token = fc.stringMatching(/^[!#-&(-~]{1,40}$/).filter((text) => !/^bearer$/i.test(text));
const chosen = fc.stringMatching(/^[!-~][ -~]{14,40}[!-~]$/);

describe('The secret', () => {
	it('is the one in the credential, without spaces around it', () => {
		fc.assert(
			fc.property(chosen, fc.constantFrom(ID, undefined), (secret, webhookId) => {
				expect(webhookSecret({ webhookSecret: `\n${secret} `, accessToken }, webhookId)).toBe(
					secret,
				);
			}),
		);
	});

	it.each([
		['x', 'must have at least 16 characters'],
		['fifteen letters', 'must have at least 16 characters'],
		['ein geheimer Schlüssel', 'can contain only letters without accents'],
		['a secret with an emoji \u{1F511}', 'can contain only letters without accents'],
		['two lines\nof a secret', 'can contain only letters without accents'],
	])('is refused if it is %j, and none is derived instead', (entered, reason) => {
		expect(() => webhookSecret({ webhookSecret: ` ${entered} `, accessToken }, ID)).toThrow(
			`The Webhook Secret in the credential ${reason}`,
		);
	});

	it.each(['', '  \n', undefined, 5, ['a list of letters']])(
		'is derived from access token and webhook ID if none is given: %j',
		(given) => {
			expect(webhookSecret({ webhookSecret: given, accessToken }, ID)).toBe(
				createHmac('sha256', accessToken).update(ID).digest('hex'),
			);
		},
	);

	it('that is derived is the same however the webhook ID and the token are pasted', () => {
		fc.assert(
			fc.property(token, fc.mixedCase(fc.uuid()), (pasted, webhookId) => {
				const secret = (accessTokenAsEntered: string, id: string) =>
					webhookSecret({ accessToken: accessTokenAsEntered }, id);
				const expected = createHmac('sha256', pasted).update(webhookId.toLowerCase()).digest('hex');
				expect(secret(pasted, webhookId)).toBe(expected);
				expect(secret(` Bearer ${pasted}\n`, webhookId.toUpperCase())).toBe(expected);
			}),
		);
	});

	it('that is derived is another one for every access token and every webhook', () => {
		const ids = [ID, ID.replace('8', '9')];
		const secrets = [accessToken, 'another-token'].flatMap((one) =>
			ids.map((webhookId) => webhookSecret({ accessToken: one }, webhookId)),
		);
		expect(new Set(secrets).size).toBe(4);
		for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
	});

	it('is not derived for whoever registers by hand: nobody could know it', () => {
		expect(() => webhookSecret({ accessToken })).toThrow(
			/^Enter a Webhook Secret in the credential/,
		);
	});

	it('is none if there is nothing safe to go by', () => {
		for (const nothing of ['', ' ', undefined, 0, {}, 'Bearer ']) {
			expect(() => webhookSecret({ accessToken: nothing }, ID)).toThrow(CredentialError);
		}
	});
});
