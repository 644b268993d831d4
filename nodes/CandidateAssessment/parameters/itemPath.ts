import type { IWorkflowDataProxyData } from 'n8n-workflow';
import { NAME, TEXT } from './plainExpressions';

/** What n8n hands on as it is. */
export type SimpleValue = string | number | boolean | null | undefined;

/** Reads a value out of the data that n8n evaluates expressions over. Undefined where n8n has to be asked. */
export type ItemPath = (data: IWorkflowDataProxyData) => { value: SimpleValue } | undefined;

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
	const { input, node, steps } = PATH.exec(code)?.groups ?? {};
	if (steps === undefined) return undefined;
	const nodeName = node?.slice(1, -1);
	const rootOf = (data: IWorkflowDataProxyData) => {
		if (nodeName !== undefined) return itemOf(data.$(nodeName));
		return input === undefined ? data.$json : itemOf(data.$input);
	};
	const keys = [...steps.matchAll(STEP)].map(
		({ groups = {} }) => groups.name ?? groups.position ?? groups.text.slice(1, -1),
	);
	return (data) => {
		try {
			const value = keys.reduce(follow, rootOf(data));
			return isSimple(value) ? { value } : undefined;
		} catch {
			// Such as an item without its counterpart: n8n says it better.
			return undefined;
		}
	};
}

const PATH = (() => {
	const root = String.raw`\$json|(?<input>\$input)\.item\.json|\$\((?<node>${TEXT})\)\.item\.json`;
	const step = String.raw`\??\.${NAME}|(?:\?\.)?\[(?:${TEXT}|\d+)\]`;
	return new RegExp(String.raw`^\s*(?:${root})(?<steps>(?:${step})*)\s*$`, 'u');
})();

const STEP = new RegExp(
	String.raw`\.(?<name>${NAME})|\[(?:(?<text>${TEXT})|(?<position>\d+))\]`,
	'gu',
);

function itemOf(source: unknown): unknown {
	return (source as { item: { json: unknown } }).item.json;
}

/** Where JavaScript throws, n8n has undefined. */
function follow(value: unknown, key: string): unknown {
	return (value as Record<string, unknown> | null | undefined)?.[key];
}
