import { STEP, TEXT } from './expressionSyntax';

/**
 * Plain are paths into what n8n provides, literals, a few methods of JavaScript's own, and
 * operators between them. In them order, scope, and n8n's own functions play no part, so that in a
 * list each means what it means alone. Everything else is left to n8n, above all functions,
 * assignments, comments, templates, and `$parameter`, which depends on where it stands.
 */
const PLAIN = (() => {
	const number = String.raw`\d+(?:\.\d+)?`;
	const literal = `(?:${TEXT}|${number}|true|false|null|undefined)`;
	const root =
		String.raw`\$(?:json|input|node|binary|itemIndex|runIndex|execution|workflow|vars|prevNode)(?![\w$])` +
		String.raw`|\$\(\s*${TEXT}\s*\)`;
	const methods =
		'trim|trimStart|trimEnd|toLowerCase|toUpperCase|toString|split|slice|substring|replaceAll|padStart|join|toFixed';
	const call = String.raw`\.(?:${methods})\(\s*(?:${literal}(?:\s*,\s*${literal})*\s*)?\)|\.(?:first|last)\(\)`;
	const step = String.raw`\s*(?:${call}|${STEP})`;
	const operand = `(?:(?:${root})(?:${step})*|${literal})`;
	const operator = String.raw`(?:\?\?|\|\||&&|[+*?:-]|[=!]==?|[<>]=?)`;
	return new RegExp(String.raw`^\s*${operand}(?:\s*${operator}\s*${operand})*\s*$`, 'u');
})();

/**
 * What may change an item: an assignment, `delete`, a method that changes its object, or one that
 * has no name here. Those of n8n's dates, such as `$now.set({ hour: 9 })`, make a new one.
 */
const CHANGES = (() => {
	const assignment = String.raw`[^=!<>]=(?![=>])|<<=|>>=|\+\+|--`;
	const ofDates = String.raw`set(?:Zone|Locale)\b|set\(\s*\{`;
	const methods = String.raw`\b(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|assign|add|clear|(?!${ofDates})set\w*)\b`;
	return new RegExp(String.raw`${assignment}|\bdelete\b|${methods}|\]\s*(?:\?\.)?\s*\(`);
})();

/** Whether code means the same in a list as alone. */
export function isPlain(code: string): boolean {
	return PLAIN.test(code);
}

/** Whether code after it may see another item. n8n lets an expression do that where it evaluates without an isolate. */
export function mayChangeItem(code: string): boolean {
	return !isPlain(code) && CHANGES.test(code);
}
