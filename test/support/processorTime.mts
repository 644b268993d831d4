import process from 'node:process';

/** Milliseconds: far more than 100 kB take, and far less than in quadratic time. */
export const LONG = 1_500;

/**
 * The longest time that `run` blocked this process, in milliseconds of processor time, which a busy machine doesn't
 * increase.
 */
export async function longestTurn(run: () => Promise<unknown>): Promise<number> {
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
export const hostileTexts = (length = 100_000): string[] =>
	PIECES.map((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length));

const PIECES = [
	...[
		'_',
		'{{',
		'{',
		'{{a',
		'}}',
		'${',
		'${a',
		'*|',
		'*|a',
		'$json',
		'__n8n_',
		'«',
		'«a',
		'&',
		'&#',
		'&a',
	],
	...['#', '##', '#a', '#_', '\\', '\\u', '\\u00', "'", '"', '\\"', '%', '%2', '%25', '=C3', "b'"],
	...[
		' ',
		' a',
		'\t',
		'\n',
		'\xa0',
		'A\xa0',
		'Å–',
		'@',
		'@a',
		'@.',
		'.',
		'.a',
		'-',
		'a-',
		'1',
		'1-',
		'1.',
		'1e+',
	],
	...[
		'<',
		'<a',
		'<script',
		'</script ',
		'<html>',
		'[',
		'{"a":',
		'(',
		')',
		').',
		'/',
		'//',
		'://',
		'?',
		';',
		';charset=',
	],
	...[
		'a',
		'é',
		'é ',
		'Ã¼',
		'Ã¼ ',
		'Ãa',
		'â‚¬',
		'\u0301\u0316',
		'e\u0301',
		'\u200b',
		'😀',
		'\0',
		'null',
		'undefined',
	],
];
