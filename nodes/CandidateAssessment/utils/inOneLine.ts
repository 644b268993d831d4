/** A text in one line of at most `max` characters, with an ellipsis where more followed. */
export function inOneLine(text: string, max: number): string {
	const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
	// A character of two code units is not cut in half.
	return line.length > max ? `${line.slice(0, max).replace(/\p{Surrogate}$/u, '')}…` : line;
}
