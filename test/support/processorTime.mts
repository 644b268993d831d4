import process from 'node:process';

/** In milliseconds: far more than 100 kB take, and far less than where a pattern takes quadratic time. */
export const LONG = 1_500;

/**
 * The longest that `run` kept everything else in this process waiting: in milliseconds of the processor's time, which
 * a busy machine doesn't make longer.
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

/** One piece each, again and again, on which a pattern takes quadratic time if it does on any. */
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
