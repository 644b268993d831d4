import { waitFor } from '../../tools/n8n/waitFor.mts';
import { workflowOf } from '../support/workflows.mts';
import { NAMES, NODE, nodeOf } from './contenders.mts';
import { figureOf, logged, type BenchEnvironment } from './environment.mts';
import type { Measurement } from './report.mts';

const RUNS = 3;
const WEBHOOK = { name: 'Form', type: 'n8n-nodes-base.webhook', typeVersion: 2 };
const SPLIT = { name: 'Split Out', type: 'n8n-nodes-base.splitOut', typeVersion: 1 };

interface Where extends BenchEnvironment {
	/** What takes calls from outside. */
	baseUrl: string;
	/** In words. */
	place: string;
}

/** Executions of one candidate each that start at once, as a form makes them: our node against HTTP Request. */
export async function measureBurst(
	where: Where,
	count: number,
	remembered: number,
): Promise<Measurement> {
	const contenders = ['ours', 'httpRequest'] as const;
	const bursts = await Promise.all(
		contenders.map(async (each) => await Burst.publish(where, each)),
	);
	if (remembered > 0) await bursts[0].run(1, remembered);
	const taken: number[][] = [[], []];
	for (let run = 0; run < RUNS; run++) {
		for (const [index, burst] of bursts.entries()) taken[index].push(await burst.run(count, 1));
	}
	const [ours, figure] = taken.map((each) => figureOf(each, 's'));
	const work = [
		`${count} executions of one item each at once`,
		where.place,
		`${remembered.toLocaleString('en')} remembered`,
	].join(', ');
	return logged({ work, ours, comparedWith: { name: NAMES.httpRequest, figure } });
}

let bursts = 0;

/** A published workflow that sends what each call brings. */
class Burst {
	private calls = 0;
	private readonly where: Where;
	private readonly id: string;
	private readonly path: string;

	private constructor(where: Where, id: string, path: string) {
		[this.where, this.id, this.path] = [where, id, path];
	}

	static async publish(where: Where, contender: keyof typeof NAMES): Promise<Burst> {
		const path = `burst-${++bursts}`;
		const node = nodeOf(where, contender as 'ours');
		const { id } = await where.client.createWorkflow(
			workflowOf(
				`Bench: ${path}`,
				{
					...{ ...WEBHOOK, webhookId: path },
					parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
				},
				{ ...SPLIT, parameters: { fieldToSplitOut: 'body.items', options: {} } },
				{ ...node, name: NODE },
			),
		);
		await where.client.publish(id);
		return new Burst(where, id, path);
	}

	/** Gives the seconds until all executions have succeeded. */
	async run(executions: number, items: number): Promise<number> {
		const { client, baseUrl } = this.where;
		const count = async () =>
			await client.countExecutions({ workflowId: this.id, status: ['success'] });
		const before = await count();
		const started = performance.now();
		const call = async () => {
			const refs = Array.from({ length: items }, () => `${this.path}-${++this.calls}`);
			const body = refs.map((ref) => ({
				...{ ref, email: `${ref}@example.com` },
				...{ first: 'Nathan', last: 'Smith' },
			}));
			const response = await fetch(`${baseUrl}/webhook/${this.path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ items: body }),
			});
			if (!response.ok) throw new Error(`The webhook answered ${response.status}`);
		};
		await Promise.all(Array.from({ length: executions }, call));
		const isDone = await waitFor(
			300_000,
			async () => (await count()) >= before + executions || undefined,
			100,
		);
		if (!isDone) throw new Error(`${this.path}: not all of ${executions} executions succeeded`);
		return (performance.now() - started) / 1000;
	}
}
