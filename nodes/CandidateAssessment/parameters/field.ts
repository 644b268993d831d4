import type { INodeProperties } from 'n8n-workflow';

/** A field of the panel: a text, unless `more` has another type. */
export function field(
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

/** Hidden in tools: a call has one item, and its output goes to a model. */
export const NOT_IN_TOOLS = { displayOptions: { hide: { '@tool': [true] } } };

/** For operations whose output items keep the fields and files of their input items. Read once per batch. */
export const includeOtherFields = field('Include Other Input Fields', 'includeOtherFields', {
	type: 'boolean',
	default: true,
	noDataExpression: true,
	...NOT_IN_TOOLS,
	description:
		"Whether to also pass on the fields and files of each input item. If names clash, the service's value wins.",
});

export function notice(name: string, words: string, more?: Partial<INodeProperties>) {
	return field(words, name, { type: 'notice', ...more });
}
