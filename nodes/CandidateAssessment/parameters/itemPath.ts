import type { IWorkflowDataProxyData } from 'n8n-workflow';
import { keysOf, STEPS } from './expressionSyntax';

/** What n8n hands on as it is. */
export type SimpleValue = string | number | boolean | null | undefined;

/** Reads a value out of the data that n8n evaluates expressions over. Undefined where n8n has to be asked. */
export type ItemPath = (data: IWorkflowDataProxyData) => { value: SimpleValue } | undefined;

/** Whether n8n would hand a value on as it is. */
export function isSimple(value: unknown): value is SimpleValue {
	return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

/**
 * Most fields of a list are a path into the item, such as `$json.person["first name"]`, which
 * needs no evaluation.
 *
 * @param code what stands between the braces of an expression
 * @returns undefined where it is not just a path
 */
export function itemPath(code: string): ItemPath | undefined {
	const { input, steps } = PATH.exec(code)?.groups ?? {};
	if (steps === undefined) return undefined;
	const keys = keysOf(steps);
	return (data) => {
		try {
			const root = input === undefined ? data.$json : (data.$input as InputData).item.json;
			const value = keys.reduce(follow, root);
			return isSimple(value) ? { value } : undefined;
		} catch {
			return undefined;
		}
	};
}

interface InputData {
	item: { json: unknown };
}

/** Another node's item is none: n8n 2.x makes a copy of it, which can lack what cannot be copied. */
const PATH = new RegExp(
	String.raw`^\s*(?:\$json|(?<input>\$input)\.item\.json)(?<steps>${STEPS})\s*$`,
	'u',
);

/** Where JavaScript throws, n8n has undefined. */
function follow(value: unknown, key: string): unknown {
	return (value as Record<string, unknown> | null | undefined)?.[key];
}
