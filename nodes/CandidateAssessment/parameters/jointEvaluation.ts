import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** Of n8n's execution context, what evaluates parameters. */
export type ExpressionContext = Pick<IExecuteFunctions, 'getNodeParameter' | 'evaluateExpression'>;

/**
 * n8n 2.x evaluates every expression in an isolate of its own, at a fixed cost, so that the check of
 * a long list is mostly that. Here the plain expressions of an item are evaluated in one go, as one
 * list. Where that does not certainly give what each of them alone gives, n8n is asked in the
 * ordinary way: for an item that fails, for values other than texts, numbers, and booleans, and for
 * everything that is not plain.
 *
 * @param properties the parameters that will be asked for
 * @returns what gives an item's parameters, each as `getNodeParameter` does, or throws as it does
 */
export function jointEvaluation(
	context: ExpressionContext,
	properties: readonly INodeProperties[],
): (index: number) => (name: string) => unknown {
	const plain = new Map<string, { raw: unknown; codes: string[] }>();
	const allCodes = new Set<string>();
	for (const property of properties) {
		const raw = rawParameter(context, property.name);
		const expressions = expressionsIn(raw);
		// n8n 1.x lets an expression change the item, and those after it see that.
		if (expressions.some((expression) => !isPlain(expression) && CHANGES.test(expression))) {
			return (index) => (name) => context.getNodeParameter(name, index, null);
		}
		if (expressions.length === 0 || !expressions.every(isPlain) || isConverted(property)) continue;
		const codes = expressions.map(codeOf);
		plain.set(property.name, { raw, codes });
		codes.forEach((code) => allCodes.add(code));
	}
	const valuesOf = evaluateTogether(context, allCodes);
	return (index) => {
		const values = valuesOf(index);
		return (name) => {
			const { raw, codes } = plain.get(name) ?? {};
			return codes?.every((code) => values.has(code))
				? filledIn(raw, values)
				: context.getNodeParameter(name, index, null);
		};
	};
}

/** The parameter as the user entered it. Null where it is hidden or unknown. */
export function rawParameter(context: ExpressionContext, name: string): unknown {
	return context.getNodeParameter(name, 0, null, { rawExpressions: true });
}

/** More items that failed than worked, by so many, and evaluating together is given up. */
const PATIENCE = 10;

/**
 * @param codes the code of each expression; one that does not give a simple value is taken out
 * @returns the values of an item by code; what is not among them has to be asked for by itself
 */
function evaluateTogether(
	context: ExpressionContext,
	codes: Set<string>,
): (index: number) => ReadonlyMap<string, unknown> {
	let failures = 0;
	return (index) => {
		const values = new Map<string, unknown>();
		if (codes.size < 2 || failures > PATIENCE) return values;
		const inOrder = [...codes];
		const list = evaluated(context, `[${inOrder.map((code) => `(${code})`).join(', ')}]`, index);
		// Where one expression fails, n8n makes an error of the whole, or undefined.
		if (!Array.isArray(list)) {
			failures++;
			return values;
		}
		failures--;
		list.forEach((value: unknown, position) => {
			// An object is handled by n8n in ways of its own, and so is a function.
			if (isSimple(value)) values.set(inOrder[position], value);
			else codes.delete(inOrder[position]);
		});
		return values;
	};
}

/** The value of some code for an item, undefined where n8n throws. */
export function evaluated(context: ExpressionContext, code: string, index: number): unknown {
	try {
		return context.evaluateExpression(`{{ ${code} }}`, index);
	} catch {
		return undefined;
	}
}

function isSimple(value: unknown): boolean {
	return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/** Whether n8n converts the parameter after it is evaluated. */
function isConverted(property: INodeProperties): boolean {
	return JSON.stringify(property).includes('"validateType"');
}

function expressionsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return raw.startsWith('=') ? [raw] : [];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, values: ReadonlyMap<string, unknown>): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? values.get(codeOf(raw)) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, values));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(Object.entries(raw).map(([key, one]) => [key, filledIn(one, values)]));
}

/** What stands between the braces of `={{ … }}`. */
function codeOf(expression: string): string {
	return expression.slice('={{'.length, -'}}'.length);
}

/**
 * Plain are paths into what n8n provides, literals, a few methods of JavaScript's own, and
 * operators between them. In them order, scope, and n8n's own functions play no part, so that in a
 * list each means what it means alone. Everything else is left to n8n, above all functions,
 * assignments, comments, templates, and `$parameter`, which depends on where it stands.
 */
const PLAIN = (() => {
	const text = String.raw`(?:'[^'\\{}\n\r]*'|"[^"\\{}\n\r]*")`;
	const number = String.raw`\d+(?:\.\d+)?`;
	const literal = `(?:${text}|${number}|true|false|null|undefined)`;
	const name = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
	const root =
		String.raw`\$(?:json|input|node|binary|itemIndex|runIndex|execution|workflow|vars|prevNode)(?![\w$])` +
		String.raw`|\$\(\s*${text}\s*\)`;
	const methods =
		'trim|trimStart|trimEnd|toLowerCase|toUpperCase|toString|split|slice|substring|replaceAll|padStart|join|toFixed';
	const call = String.raw`\.(?:${methods})\(\s*(?:${literal}(?:\s*,\s*${literal})*)?\s*\)|\.(?:first|last)\(\)`;
	const step = String.raw`\s*(?:${call}|\??\.${name}(?!\s*[\p{L}\p{N}_$(])|(?:\?\.)?\[\s*(?:${text}|\d+)\s*\])`;
	const operand = `(?:(?:${root})(?:${step})*|${literal})`;
	const operator = String.raw`(?:\?\?|\|\||&&|[+*?:-]|[=!]==?|[<>]=?)`;
	return new RegExp(String.raw`^\s*${operand}(?:\s*${operator}\s*${operand})*\s*$`, 'u');
})();

/** What may change an item: an assignment, `delete`, or a method that changes a list. */
const CHANGES =
	/[^=!<>]=(?![=>])|\+\+|--|\bdelete\b|\bassign\b|\b(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)\b/;

function isPlain(expression: string): boolean {
	const isWhole = expression.startsWith('={{') && expression.endsWith('}}');
	return isWhole && PLAIN.test(codeOf(expression));
}
