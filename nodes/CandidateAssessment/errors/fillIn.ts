import type { ErrorMessage } from './types';

type Values = Readonly<Record<string, string | number>>;

/** Puts values in the places that a message has for them, named in braces: "{seconds} seconds". */
export function fillIn({ message, description }: ErrorMessage, values: Values): ErrorMessage {
	return {
		message: fillText(message, values),
		description: description && fillText(description, values),
	};
}

/** The same in one text. */
export function fillText(text: string, values: Values): string {
	return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
