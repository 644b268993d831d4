const HIDDEN = '•••';

/** How JSON, HTML, and a URL write a character, also one inside another of its kind. */
const ESCAPE =
	/\\+(?:u([\da-f]{4}))?|%(?:25)*([\da-f]{2})|&(?:amp;)*(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos));|&(?:amp;)+/gi;

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'" }));

/**
 * Hides secrets in a text: as they are, in any case, and as JSON, HTML, and a URL write them. Everything else stays as
 * the service wrote it. The time is linear in the lengths of both.
 */
export function redact(text: string, secrets: readonly string[]): string {
	const isHidden = new Uint8Array(text.length);
	// Its signs may also be no escapes.
	for (const readAs of [literally, plainly]) {
		const { read, starts } = readAs(text);
		for (const secret of secrets) {
			const sought = readAs(secret.trim()).read;
			if (sought === '' || sought.length > read.length) continue;
			for (let at = read.indexOf(sought); at >= 0; at = read.indexOf(sought, at + sought.length)) {
				isHidden.fill(1, starts[at], starts[at + sought.length]);
			}
		}
	}
	let redacted = '';
	for (let from = 0, to = 0; from < text.length; from = to) {
		const next = isHidden.indexOf(1 - isHidden[from], from);
		to = next < 0 ? text.length : next;
		redacted += isHidden[from] ? HIDDEN : text.slice(from, to);
	}
	return redacted;
}

/** A text to compare, and where in the original each of its characters begins. */
interface Reading {
	read: string;
	starts: Uint32Array;
}

function literally(text: string): Reading {
	const starts = Uint32Array.from({ length: text.length + 1 }, (_, index) => index);
	return { read: inSmallLetters(text), starts };
}

/** Without escapes. A form writes a space as a plus sign. */
function plainly(text: string): Reading {
	const starts = new Uint32Array(text.length + 1);
	let plain = '';
	let from = 0;
	const add = (characters: string, start: (index: number) => number) => {
		for (let index = 0; index < characters.length; index++) {
			starts[plain.length + index] = start(index);
		}
		plain += characters;
	};
	const addUntil = (to: number) => add(text.slice(from, to), (index) => from + index);
	for (const match of text.matchAll(ESCAPE)) {
		addUntil(match.index);
		add(characterOf(match), () => match.index);
		from = match.index + match[0].length;
	}
	addUntil(text.length);
	starts[plain.length] = text.length;
	return { read: inSmallLetters(plain).replaceAll('+', ' '), starts };
}

/** Of the alphabet alone: some others get longer. */
function inSmallLetters(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Without backslashes: JSON writes them before other characters, and two for one. */
function characterOf([escape, json, url, hex, decimal, name]: RegExpMatchArray): string {
	if (name) return ENTITIES.get(name.toLowerCase()) ?? '';
	const inHex = json ?? url ?? hex;
	if (!inHex && !decimal) return escape[0] === '&' ? '&' : '';
	const code = inHex ? parseInt(inHex, 16) : Number(decimal);
	return String.fromCodePoint(Math.min(code, 0x10ffff)).replace('\\', '');
}
