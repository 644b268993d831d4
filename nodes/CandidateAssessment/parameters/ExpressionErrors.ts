import { isGap, type Expression } from './Expression';
import { STEPS, TEXT } from './expressionSyntax';
import { evaluate, type ExpressionContext } from './jointEvaluation';
import { mayChangeItem } from './plainExpressions';
import { inOneLine } from './rules';

/**
 * What is wrong with an item's expressions that gave nothing. Where JavaScript throws at code, n8n
 * has nothing instead, and keeps the reason to itself. A template hides even that nothing was there.
 */
export class ExpressionErrors {
	private readonly outcomes = new Map<string, Outcome>();

	/** @param known what some codes gave for the item */
	constructor(
		private readonly context: ExpressionContext,
		private readonly index: number,
		private readonly known: ReadonlyMap<string, unknown>,
	) {}

	/** Why an expression gave nothing, where JavaScript threw at it. */
	explain({ isTemplate, codes }: Expression): string | undefined {
		return isTemplate ? undefined : this.reasonOf(codes[0]);
	}

	/** The problem with an expression that failed, unless it only looked for something that the item does not have. */
	failure(expression: Expression, value: unknown): string | undefined {
		// It costs an evaluation to ask, and lists often lack what is optional.
		const codes = this.unanswered(expression, value).filter(
			(code) => !PATH.test(code) && !SIBLING.test(code),
		);
		for (const [code, { error }] of this.outcomesOf(codes)) {
			if (!error || isMissing(code, error)) continue;
			const subject = expression.isTemplate ? inBraces(code) : 'the expression';
			return `${subject} failed: ${reasonOf(code, error)}`;
		}
		return undefined;
	}

	/** The problem with a template of which a part gave nothing, so that several items may look like one. */
	gap(expression: Expression, value: unknown): string | undefined {
		if (!expression.isTemplate) return undefined;
		const outcomes = this.outcomesOf(this.unanswered(expression, value));
		const code = expression.codes.find((one) =>
			this.known.has(one) ? isGap(this.known.get(one)) : outcomes.get(one)?.isGap,
		);
		if (code === undefined) return undefined;
		const reason = this.reasonOf(code);
		const details = reason === undefined ? '' : ` (${reason})`;
		return `incomplete, because ${inBraces(code)} gave no value for this item${details}`;
	}

	private reasonOf(code: string): string | undefined {
		const error = this.outcomesOf([code]).get(code)?.error;
		return error && reasonOf(code, error);
	}

	/** The codes that may have given nothing, other than those that are known. */
	private unanswered(expression: Expression, value: unknown): string[] {
		// Only a template gives something where one of its codes gave nothing.
		if (!expression.isTemplate && value !== undefined) return [];
		const codes = expression.codes.filter((code) => !this.known.has(code));
		return this.mayHaveGap(expression, value, codes) ? codes : [];
	}

	/** Whether one of these codes may have given nothing, as far as that can be told without an evaluation. */
	private mayHaveGap(expression: Expression, value: unknown, codes: string[]): boolean {
		const gaveNothing = value === expression.valueFrom(this.known);
		if (typeof value !== 'string' || gaveNothing || !expression.isCertain) return true;
		// What changes the item gives something else the second time.
		return codes.length > 1 && !codes.some(mayChangeItem);
	}

	/** What became of codes; those that were not asked for yet are evaluated in one go. */
	private outcomesOf(codes: string[]): Map<string, Outcome> {
		const asked = codes.filter((code) => !this.outcomes.has(code));
		outcomes(this.context, asked, this.index).forEach((outcome, position) =>
			this.outcomes.set(asked[position], outcome),
		);
		return new Map(codes.map((code) => [code, this.outcomes.get(code) as Outcome]));
	}
}

interface Outcome {
	isGap: boolean;
	error?: ThrownError;
}

interface ThrownError {
	name: string;
	message: string;
}

function outcomes(context: ExpressionContext, codes: string[], index: number): Outcome[] {
	if (codes.length === 0) return [];
	const list = evaluate(context, `[${codes.map(attempt).join(', ')}]`, index);
	if (Array.isArray(list)) return list.map(outcomeOf);
	// Not all code can stand within other code.
	if (codes.length > 1) return codes.flatMap((code) => outcomes(context, [code], index));
	return [{ isGap: isGap(evaluate(context, codes[0], index)) }];
}

/** Code that gives whether the value of a code is a gap, or the error that it throws. */
function attempt(code: string): string {
	const isGapOf = '(value) => value === undefined || value === null || Number.isNaN(value)';
	return `(() => { try { return (${isGapOf})((${code}\n)) } catch (problem) { return [problem?.name, problem?.message] } })()`;
}

function outcomeOf(result: unknown): Outcome {
	if (!Array.isArray(result)) return { isGap: result === true };
	// An expression may throw anything, of any shape.
	const [name, message] = result.map((part) => (typeof part === 'string' ? part : ''));
	return { isGap: true, error: { name, message } };
}

/** A code as the user wrote it into the expression. */
function inBraces(code: string): string {
	return inOneLine(`{{${code}}}`, 100);
}

/**
 * JavaScript's message is used only as far as it repeats the expression, since it may hold values.
 * So may the name of an error, unless it is one of JavaScript's own.
 */
function reasonOf(code: string, error: ThrownError): string {
	const { name, message } = error;
	const key = missingKey(error);
	if (key !== undefined && code.includes(key)) return message;
	const called = /(?<![\w$])([\w$]+) is not a function$/.exec(message);
	if (called && code.includes(called[1])) return called[0];
	const isOwn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(name);
	return `JavaScript threw ${isOwn ? `a ${name}` : 'an error'}`;
}

function missingKey({ message }: ThrownError): string | undefined {
	return /^Cannot read properties of (?:undefined|null) \(reading '(.+)'\)$/.exec(message)?.[1];
}

/** A path into an item or what else n8n provides. To get hold of another node's item takes a call. */
const ANY_PATH = (() => {
	const root = String.raw`(?:\$(?:input|\(\s*${TEXT}\s*\))\.(?:first|last)\(\s*\)|\$\(\s*${TEXT}\s*\)|\$\w+)`;
	return root + STEPS;
})();
const PATH = new RegExp(String.raw`^\s*${ANY_PATH}\s*$`, 'u');
/** Another field of the same row, which code by itself cannot read. */
const SIBLING = /\$(?:p|rawP)arameter\s*\[\s*["']&/;
const ONE_PATH = new RegExp(
	String.raw`^(?<before>[^$]*)(?<path>${ANY_PATH})(?<after>[^$]*)$`,
	'su',
);

/**
 * Whether a path led nowhere, so that nothing was lost. What is done to its value plays no part
 * then, as in `$json.name.trim()`. A second path, or a function, may have had a value.
 */
function isMissing(code: string, error: ThrownError): boolean {
	const key = missingKey(error);
	const { before, path, after } = ONE_PATH.exec(code)?.groups ?? {};
	if (key === undefined || path === undefined) return false;
	const isCall = /[\p{L}\p{N}_)\]]\s*\(/u.test(before);
	const isFunction = /=>|\bfunction\b/.test(code);
	return !isCall && !isFunction && path.includes(key) && !after.includes(key);
}
