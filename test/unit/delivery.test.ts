import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	forwardableHeaders,
	parseBody,
	toItem,
} from '../../nodes/CandidateAssessment/trigger/delivery';
import { digestOf } from '../../nodes/CandidateAssessment/trigger/secret';
import { findSecretHeaders } from '../../nodes/CandidateAssessment/trigger/verify';
import { anything, token, treacherousKey } from './arbitraries';

/** A delivered body: JSON of any shape, with any keys. */
const body = fc.oneof(anything, fc.dictionary(treacherousKey, anything));

it('the body of a delivery is parsed if it is JSON text, and otherwise kept', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(parseBody(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
			if (typeof value !== 'string') expect(parseBody(value)).toBe(value);
		}),
	);
	for (const text of ['', 'ready', '{"event":', '<event/>']) expect(parseBody(text)).toBe(text);
	expect(parseBody(undefined)).toBeUndefined();
});

it('the item of a delivery is the whole body, and an object whatever the body is', () => {
	fc.assert(
		fc.property(body, (delivered) => {
			const item = toItem(delivered);
			expect(typeof item === 'object' && item !== null && !Array.isArray(item)).toBe(true);
			const isObject =
				typeof delivered === 'object' && delivered !== null && !Array.isArray(delivered);
			if (isObject) expect(item).toBe(delivered);
			else expect(Object.entries(item)).toEqual([['body', delivered]]);
		}),
	);
});

it('the item of a delivery has the headers beside it where they are wanted', () => {
	const headers = { 'x-request-id': '7' };
	expect(toItem({ a: 1 }, headers)).toEqual({ a: 1, requestHeaders: headers });
	for (const body of [[1], null])
		expect(toItem(body, headers)).toEqual({ body, requestHeaders: headers });
});

it('the item of a delivery keeps a key called __proto__ as a key, and no prototype is changed', () => {
	const delivered = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}') as IDataObject;
	for (const item of [toItem(delivered), toItem(delivered, {})]) {
		expect(Object.keys(item)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
		expect(item.isAdmin).toBeUndefined();
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
	}
	expect(({} as IDataObject).isAdmin).toBeUndefined();
});

const name = fc
	.oneof(
		fc.string({
			unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-'),
			minLength: 1,
		}),
		fc.constantFrom('authorization', 'cookie', 'proxy-authorization', 'host', '__proto__'),
	)
	.filter((header) => header !== 'set-cookie');

it('headers that are passed on never hold the secret, in whatever form, nor a login', () => {
	const headersOf = (secret: string) =>
		fc.record({
			others: fc.dictionary(name, fc.string()),
			inOtherForm: fc.dictionary(name, fc.constant(`key="${secret}"`)),
			carriers: fc.dictionary(name, fc.constantFrom(secret, `Bearer ${secret}`), { minKeys: 1 }),
		});
	const call = token.chain((secret) => fc.tuple(fc.constant(secret), headersOf(secret)));
	fc.assert(
		fc.property(call, ([secret, { others, inOtherForm, carriers }]) => {
			const headers: IDataObject = { ...others, ...inOtherForm, ...carriers };
			const raw = Object.entries(headers).flatMap(([header, value]) => [header, String(value)]);
			const withSecret = findSecretHeaders(raw, digestOf(secret));
			const passedOn = forwardableHeaders(headers, withSecret);
			expect(JSON.stringify(passedOn)).not.toContain(secret);
			const logins = ['authorization', 'proxy-authorization', 'cookie'];
			const kept = Object.entries(headers)
				.filter(([header, value]) => !logins.includes(header) && !String(value).includes(secret))
				.map(([header]) => header);
			expect(Object.keys(passedOn).sort()).toEqual(kept.sort());
		}),
	);
});

it('headers that are passed on do not hold what came in the same header beside the secret', () => {
	const secret = 'a secret of many letters';
	const raw = ['X-Secret', 'other', 'x-secret', secret];
	const headers = { 'x-secret': `other, ${secret}`, host: 'n8n.example.com' };
	expect(forwardableHeaders(headers, findSecretHeaders(raw, digestOf(secret)))).toEqual({
		host: 'n8n.example.com',
	});
});
