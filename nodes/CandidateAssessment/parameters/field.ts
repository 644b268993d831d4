import type { INodeProperties } from 'n8n-workflow';

/** A field of the panel. It takes a text, unless `more` says otherwise. */
export function field(
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

/** Words between the fields, which hold no value. */
export function notice(name: string, words: string, more?: Partial<INodeProperties>) {
	return field(words, name, { type: 'notice', ...more });
}
