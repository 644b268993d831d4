import { format } from 'prettier';

/** A measurement of our nodes and those they are compared with. */
export interface Measurement {
	work: string;
	ours: Figure;
	comparedWith: { name: string; figure: Figure };
}

/** The median of some runs, in seconds, and their range relative to it. */
export interface Figure {
	seconds: number;
	spread: number;
}

/** How and when the measurements were made. */
interface Circumstances {
	date: string;
	versions: string;
	machine: string;
	minutes: number;
}

/** Renders the page for docs/. */
export async function renderReport(
	measurements: Measurement[],
	{ date, versions, machine, minutes }: Circumstances,
): Promise<string> {
	const rows = measurements.map(({ work, ours, comparedWith }, index) => {
		const isRepeated = work === measurements[index - 1]?.work;
		const { name, figure } = comparedWith;
		return [
			...(isRepeated ? ['', ''] : [work, render(ours)]),
			...[name, render(figure), (ours.seconds / figure.seconds).toFixed(2)],
		];
	});
	const table = [
		['', 'Our nodes', 'Compared with', '', 'Ratio'],
		['---', '--:', '---', '--:', '--:'],
		...rows,
	];
	const page = `# Performance

Measured by \`npm run bench\` on ${date}: ${versions}, ${machine}, in ${minutes.toFixed(1)} minutes.
Everything but the last row ran in the same n8n, in turns, against a mock service on the same machine, which takes
the given milliseconds for a response. Seconds differ between machines: the ratios count.

A list is what users have: reference, email, first and last name come from expressions, all else is at its
default, and every candidate is new. If not stated otherwise, each is a field such as \`$json.email\`,
and the node remembers 20,000 earlier applications. HTTP Request fills the same fields with one expression for
the whole body, and sends everything at once. It is fastest with the token in plain text, since it reads no
credential then; but anyone who opens the workflow can read the token. Times are medians: of the node's time as
n8n records it, or of the time until the last of many executions has ended.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Measured once, on 2026-11-22: the trigger starts as many executions for genuine events as the Webhook node with
header authentication, and rejects half as many forged calls in the same time, which is more than it accepts.

## Where the time goes

CPU profiles of n8n 2.41.1, of 2026-11-24, with 1,000 items of four fields, and 20,000 applications remembered:

- The memory takes 26 % (n8n's helper reads and writes all entries in each call), sending 20 %, reading and checking
  0.6 %, all other code of this package 3 %. The rest is n8n's, and waiting.
- n8n 2.x evaluates each expression in an isolate, for some 0.3 ms. So a field of the item, alone or in a text, is read
  without one, the credential is a function, and it's decrypted once for a list.
- Thirty requests at once: ten are slower than HTTP Request where the service takes 20 ms. With more, an outage leaves more
  people unconfirmed. The limit adapts, since with a fixed one many requests spend their retries on one another.
- A forged call costs 15 ms of n8n's main thread, and 0.1 of ours: n8n makes an isolate for the workflow and one for the
  credential. For a webhook node of version 1, it also evaluates an expression on every call.
`;
	return await format(page, { parser: 'markdown', printWidth: 100 });
}

function render({ seconds, spread }: Figure): string {
	return `${seconds.toFixed(2)} s ±${Math.round((100 * spread) / 2)} %`;
}
