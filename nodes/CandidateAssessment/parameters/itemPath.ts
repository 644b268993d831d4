import { isSafeObjectProperty, type IWorkflowDataProxyData } from 'n8n-workflow';

/**
 * Reads a text, a number, a boolean, null or undefined from the data of n8n's expressions. Throws if
 * only n8n can evaluate it.
 */
export type ItemPath = (data: IWorkflowDataProxyData) => unknown;

/** One step: `.name`, `["text"]`, or `[0]`, each also after `?.`. `[010]` is none: JavaScript reads 8. */
const STEP =
	String.raw`\??\.([\p{L}_$][\p{L}\p{N}_$]*)|` +
	String.raw`(?:\?\.)?\[\s*(?:'([^'\\{}\n\r]*)'|"([^"\\{}\n\r]*)"|(0|[1-9]\d{0,8}))\s*\]`;
const METHOD = String.raw`\??\.(?:trim|toLowerCase|toUpperCase)\(\)`;
const PATH = new RegExp(
	String.raw`^\s*\$(?<root>json|input\.item\.json)(?<steps>(?:${STEP})*)(?<methods>(?:${METHOD})*)\s*$`,
	'u',
);

/**
 * Most fields of a list are a path into the item, such as `$json.person["first name"].trim()`. Its
 * evaluation by n8n would take as long as everything else that is done for an item.
 *
 * @param code between the braces of an expression
 * @returns undefined if it is more than a path
 */
export function itemPath(code: string): ItemPath | undefined {
	const { root, steps, methods } = PATH.exec(code)?.groups ?? {};
	if (root === undefined) return undefined;
	const keys = [...steps.matchAll(new RegExp(STEP, 'gu'))].map(
		([, name, single, double, position]) => name ?? single ?? double ?? position,
	);
	// n8n refuses some names, and gives other values for others.
	if (!keys.every((key) => isSafeObjectProperty(key) && !(key in {}))) return undefined;
	const calls = (methods.match(/\w+/g) ?? []) as TextMethod[];
	return (data) => {
		const item = root === 'json' ? data.$json : (data.$input as InputData).item.json;
		const value = keys.reduce(follow, item);
		if (typeof value === 'string') return calls.reduce((text, call) => text[call](), value);
		if (value === undefined || value === null) return calls.length === 0 ? value : undefined;
		if (calls.length === 0 && ['number', 'boolean'].includes(typeof value)) return value;
		throw new Error('Not a simple value');
	};
}

type TextMethod = 'trim' | 'toLowerCase' | 'toUpperCase';

interface InputData {
	item: { json: unknown };
}

/** Where there is nothing to step into, n8n gives undefined instead of an error. */
function follow(value: unknown, key: string): unknown {
	if (value === undefined || value === null) return undefined;
	const parent = Object(value) as Record<string, unknown>;
	if (!Object.hasOwn(parent, key) && key in parent) throw new Error('Not a property of its own');
	return parent[key];
}
