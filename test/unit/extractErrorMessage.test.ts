import { extractErrorMessage } from '../../nodes/CandidateAssessment/errors/extractErrorMessage';

const messageOf = (body: string) => extractErrorMessage(body, (words) => words);

it.each([
	['an object with a message', '{"message":"No such job"}', 'No such job'],
	['a nested error', '{"error":{"code":7,"detail":"No such job"}}', 'No such job'],
	['a list of errors', '{"errors":["One",{"message":"Two"}]}', 'One; Two'],
	['the same twice', '{"error":"One","message":"One"}', 'One'],
	['errors by field', '{"errors":{"email":["is taken"]}}', 'email: is taken'],
	['a JSON text', '"No such job"', 'No such job'],
	['plain text', ' No such\n job ', 'No such job'],
	['a web page', '<html><title>502</title><p>Bad <b>Gateway</b></html>', '502 Bad Gateway'],
	['a page with scripts', '<html>Is<script>let a = "<b>";</script>down<script>a', 'Is down'],
	['text with angles', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
	['secrets, of whatever name', '{"webhookSecret":"3","old_secrets":["2"],"error":"One"}', 'One'],
	['errors beside a secret', '{"errors":[{"secret":"s3","message":"One"}]}', 'One'],
	['what is wrong with a secret', '{"errors":{"secret":["is too long"]}}', 'secret: is too long'],
	['the same as a form of Django has it', '{"secret":["is too long"]}', 'secret: is too long'],
	['validation errors', '{"validation_errors":{"secret":["too long"]}}', 'secret: too long'],
	['a list of errors by field', '{"errors":[{"secret":"is too long"}]}', 'secret: is too long'],
	['a secret in an error', '{"error":{"secret":"s3"},"message":"One"}', 'One'],
	['a secret below a field', '{"details":{"secret":{"value":"s3"}},"message":"One"}', 'One'],
	['old secrets', '{"validation_errors":{"secrets":["s3"]},"message":"One"}', 'One'],
	['details about a secret', '{"detail":{"My-Secret":"Too short"}}', 'My-Secret: Too short'],
	['a blank message beside another', '{"error":" ","message":"One"}', 'One'],
	['lists within lists', `${'['.repeat(9000)}"One"${']'.repeat(9000)}`, ''],
	['nothing', ' \n ', ''],
	['501 characters', 'x'.repeat(501), `${'x'.repeat(500)}…`],
	// A character of two code units is not cut in half.
	['500 characters', `${'x'.repeat(499)}😀`, `${'x'.repeat(499)}…`],
	// The word that is cut may be part of a secret.
	['a page too long to read', `<html>One Two ${'<p>'.repeat(6_660)} secret-word`, 'One Two'],
	['JSON without a word', '{"code":7,"ok":false,"data":null}', ''],
])("the service's own words are read from %s", (_shape, body, words) => {
	expect(messageOf(body)).toBe(words);
});
