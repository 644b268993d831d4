import type { ErrorMessage } from '../transport/types';

/** Puts values in the places that a message has for them, named in braces: "{seconds} seconds". */
export function fillIn(
	{ message, description }: ErrorMessage,
	values: Readonly<Record<string, string | number>>,
): ErrorMessage {
	const filled = (text: string) =>
		text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
	return { message: filled(message), description: description && filled(description) };
}
