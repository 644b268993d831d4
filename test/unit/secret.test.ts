import { createHash, createHmac } from 'crypto';
import * as fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	digestOf,
	MIN_SECRET_LENGTH,
	webhookSecret,
} from '../../nodes/CandidateAssessment/trigger/secret';
import { anything } from './arbitraries';

const ID = '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f';
const accessToken = 'token-of-this-account';
const filled = (minLength: number) =>
	fc.string({ minLength, maxLength: 40 }).filter((text) => text === text.trim() && text !== '');

describe('The secret', () => {
	it('is the one in the credential, without blanks around it', () => {
		fc.assert(
			fc.property(filled(MIN_SECRET_LENGTH), fc.uuid(), (chosen, id) => {
				expect(webhookSecret({ webhookSecret: `\n${chosen} `, accessToken }, id)).toBe(chosen);
			}),
		);
	});

	it('must have 16 characters: of a shorter one none is made, and none is derived instead', () => {
		expect(MIN_SECRET_LENGTH).toBe(16);
		const secretOf = (length: number) =>
			webhookSecret({ webhookSecret: 'x'.repeat(length), accessToken }, ID);
		expect(secretOf(16)).toBe('x'.repeat(16));
		for (const length of [1, 8, 15]) expect(secretOf(length)).toBeUndefined();
		expect(
			webhookSecret({ webhookSecret: ` ${'x'.repeat(15)} `, accessToken }, ID),
		).toBeUndefined();
	});

	it.each(['', '  \n', undefined, null, 5, ['a list of letters'], {}])(
		'is derived from access token and webhook ID where none is given: %j',
		(params) => {
			const credential = { webhookSecret: params, accessToken } as ICredentialDataDecryptedObject;
			expect(webhookSecret(credential, ID)).toBe(
				createHmac('sha256', accessToken).update(ID).digest('hex'),
			);
		},
	);

	it('that is derived is another one for every access token and every webhook', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(filled(1), { minLength: 2, maxLength: 2 }),
				fc.uuid(),
				fc.uuid(),
				(tokens, id, other) => {
					fc.pre(id !== other);
					const secrets = tokens.flatMap((one) =>
						[id, other].map((webhookId) => webhookSecret({ accessToken: one }, webhookId)),
					);
					expect(new Set(secrets).size).toBe(4);
					for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
					expect(webhookSecret({ accessToken: ` ${tokens[0]}\n` }, id)).toBe(secrets[0]);
				},
			),
		);
	});

	it('is none where there is nothing safe to go by', () => {
		for (const nothing of ['', ' ', undefined, null, 0, [], {}]) {
			const credential = { accessToken: nothing } as ICredentialDataDecryptedObject;
			expect(webhookSecret(credential, ID)).toBeUndefined();
		}
	});

	it('is a text of some length or none, whatever the credential holds', () => {
		fc.assert(
			fc.property(anything, anything, fc.string(), (params, token, id) => {
				const credential = { webhookSecret: params, accessToken: token };
				const secret = webhookSecret(credential as ICredentialDataDecryptedObject, id);
				expect(secret?.length ?? MIN_SECRET_LENGTH).toBeGreaterThanOrEqual(MIN_SECRET_LENGTH);
			}),
			{ numRuns: 500 },
		);
	});

	it('is remembered as a digest from which it cannot be read', () => {
		fc.assert(
			fc.property(filled(MIN_SECRET_LENGTH), (secret) => {
				expect(digestOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
				expect(digestOf(secret)).not.toContain(secret);
			}),
		);
	});
});
