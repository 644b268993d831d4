import * as fc from 'fast-check';
import { extractErrorMessage } from '../../nodes/CandidateAssessment/errors/extractErrorMessage';
import { anyCodeUnits, anyText, treacherousKey } from './arbitraries';

describe("The service's own words", () => {
	it.each([
		['an object with a message', '{"message":"No such job"}', 'No such job'],
		['a nested error', '{"error":{"code":7,"detail":"No such job"}}', 'No such job'],
		['a list of errors', '{"errors":["One","Two"]}', 'One; Two'],
		['the same twice', '{"error":"One","message":"One"}', 'One'],
		['errors by field', '{"errors":{"email":["is taken"]}}', 'email: is taken'],
		['a JSON text', '"No such job"', 'No such job'],
		['plain text', ' No such\n job ', 'No such job'],
		['a web page', '<html><title>502</title><p>Bad <b>Gateway</b></html>', '502 Bad Gateway'],
		['a page with a script', '<html><script>let a = "<b>";</script>Down</html>', 'Down'],
		['a page with a script that does not end', '<html>Down<script>let a', 'Down'],
		['text with an angle', '1 < 2', '1 < 2'],
		['nothing', '', ''],
		['blanks', ' \n ', ''],
		['JSON without a word', '{"code":7,"ok":false,"data":null}', ''],
	])('are read from %s', (_shape, body, words) => {
		expect(extractErrorMessage(body)).toBe(words);
	});

	it('are at most 500 characters and a sign that there was more', () => {
		expect(extractErrorMessage('x'.repeat(500))).toBe('x'.repeat(500));
		expect(extractErrorMessage('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
		expect(extractErrorMessage(`${'x'.repeat(499)}😀y`)).toBe(`${'x'.repeat(499)}…`);
		expect(extractErrorMessage(`${'x'.repeat(498)}😀y`)).toBe(`${'x'.repeat(498)}😀…`);
	});

	const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

	it('are a short line of whole characters, whatever the body is', () => {
		const json = fc.anything({ key: fc.oneof(treacherousKey, anyText()) }).map((value) => {
			return JSON.stringify(value) ?? '';
		});
		const page = fc
			.array(
				fc.oneof(
					fc.constantFrom(
						'<html>',
						'<script>',
						'</script>',
						'<style',
						'<',
						'>',
						'</',
						'<!--',
						'&lt;',
					),
					anyText({ maxLength: 100 }),
				),
				{ maxLength: 60 },
			)
			.map((parts) => `<!doctype html>${parts.join('')}`);
		const long = anyText({ minLength: 450, maxLength: 600 });
		fc.assert(
			fc.property(fc.oneof(json, page, anyText(), anyCodeUnits, long), (body) => {
				const words = extractErrorMessage(body);
				expect(words.length).toBeLessThanOrEqual(501);
				expect(words).toBe(words.trim());
				expect(words).not.toMatch(/[\n\r\t]| {2}/);
				if (isWhole(body) && !body.includes('\\u')) expect(isWhole(words)).toBe(true);
			}),
			{ numRuns: 3000 },
		);
	});

	it('are found in deeply nested JSON without a crash', () => {
		const depth = 50_000;
		expect(extractErrorMessage('['.repeat(depth) + ']'.repeat(depth))).toBe('');
		expect(extractErrorMessage(`${'{"error":'.repeat(depth)}"x"${'}'.repeat(depth)}`)).toBe('');
		expect(extractErrorMessage('{"error":{"error":{"error":{"error":"deep"}}}}')).toBe('deep');
	});

	// Milliseconds, or half a minute where a pattern looks at every place again from every place.
	it.each(['<', '<script', '<style>', '</script', '</script ', '<a ', ' ', '\n', 'x', '<!--'])(
		'are found in a huge body of %j without holding up everything else on this n8n',
		(part) => {
			const body = `<html>${part.repeat(2 ** 18 / part.length)}`;
			const started = Date.now();
			expect(extractErrorMessage(body).length).toBeLessThanOrEqual(501);
			expect(Date.now() - started).toBeLessThan(5000);
		},
	);

	it('are cleaned before they are cut', () => {
		const clean = (words: string) => words.replaceAll('s3cret  word', '•••');
		expect(extractErrorMessage(`${'x'.repeat(495)} s3cret  word`, clean)).toBe(
			`${'x'.repeat(495)} •••`,
		);
		expect(extractErrorMessage('{"message":"s3cret  word"}', clean)).toBe('•••');
	});
});
