/** The grammar that the ways to read an expression share, as parts of regular expressions with the flag `u`. */

/** A text without escapes or braces. */
export const TEXT = String.raw`(?:'[^'\\{}\n\r]*'|"[^"\\{}\n\r]*")`;

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;

/** A position in a list, but not `010`, which JavaScript reads as 8. */
const POSITION = String.raw`(?:0|[1-9]\d{0,8})`;

/** One step of a path: `.name`, `["text"]`, or `[0]`, each also after `?.`. Captures one of these. */
export const STEP = String.raw`\??\.(${NAME})|(?:\?\.)?\[\s*(?:(${TEXT})|(${POSITION}))\s*\]`;

/** Any number of steps, or none. */
export const STEPS = `(?:${STEP})*`;

/** The keys that steps lead along. */
export function keysOf(steps: string): string[] {
	return [...steps.matchAll(new RegExp(STEP, 'gu'))].map(
		([, name, text, position]) => name ?? position ?? text.slice(1, -1),
	);
}
