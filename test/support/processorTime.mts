import { pbkdf2Sync } from 'node:crypto';
import process from 'node:process';

const LENGTHS = [12_500, 100_000];

/** A text eight times as long takes up to 8 times as long in linear time, and up to 64 times in quadratic time. */
const TIMES = 24;

/**
 * Fails if `run` takes more than linear time. It gets a length of text, and one eight times as long, in turns. Other work,
 * such as collecting garbage, can only add to a time, so the shortest of each counts.
 */
export async function expectLinearTime(run: (length: number) => Promise<unknown>): Promise<void> {
	const shortest = [Infinity, Infinity];
	const take = async (index: number) => {
		const time = await longestTurn(async () => {
			await run(LENGTHS[index]);
			// What takes less time than this, which is linear, doesn't matter, and couldn't be compared.
			await new Promise(setImmediate);
			pbkdf2Sync('', '', LENGTHS[index] / 2, 32, 'sha256');
		});
		shortest[index] = Math.min(shortest[index], time);
	};
	for (let round = 0; round < 5 && !(shortest[1] < TIMES * shortest[0]); round += 1) {
		for (const index of [0, 1, 0]) await take(index);
	}
	expect(shortest[1] / shortest[0]).toBeLessThan(TIMES);
}

/**
 * The longest time that `run` blocked this process, in milliseconds of processor time, which a busy machine doesn't
 * increase.
 */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let before = process.cpuUsage();
	let isDone = false;
	const watch = () => {
		const { user, system } = process.cpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
		before = process.cpuUsage();
		if (!isDone) setImmediate(watch);
	};
	setImmediate(watch);
	await run();
	isDone = true;
	await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
	return longest;
}

/** Texts that repeat one piece each. A pattern that takes quadratic time on any text does so on one of these. */
export const hostileTexts = (length: number): string[] =>
	PIECES.map((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length));

const PIECES = [
	...['_', '{{', '{', '{{a', '}}', '${', '${a', '*|', '*|a', '$json', '__n8n_', '«', '«a', '<'],
	...['#', '##', '#a', '#_', '\\', '\\u', '\\u00', "'", '"', '\\"', '%', '%2', '%25', '=C3', "b'"],
	...[' ', ' a', '\t', '\n', '\xa0', 'A\xa0', 'Å–', '@', '@a', '@.', '.', '.a', '-', 'a-', '1'],
	...['1-', '1.', '1e+', '&', '&#', '&a', '<a', '<script', '</script ', '<html>', '[', '{"a":'],
	...['(', ')', ').', '/', '//', '://', '?', ';', ';charset=', 'null', 'undefined', 'a', 'é'],
	...['é ', 'Ã¼', 'Ã¼ ', 'Ãa', 'â‚¬', '\u0301\u0316', 'e\u0301', '\u200b', '😀', '\0'],
];
