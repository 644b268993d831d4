import { publishCalled, type CalledWorkflow } from '../e2e/support/calledWorkflow.mts';
import { NAMES, nodeOf } from './contenders.mts';
import { figureOf, logged, type BenchEnvironment } from './environment.mts';
import type { Measurement } from './report.mts';

const RUNS = 3;

interface Where extends BenchEnvironment {
	/** Takes calls from outside; `place` describes it. */
	baseUrl: string;
	place: string;
}

/** Executions that start at once with one candidate each, as a form's do: our node against HTTP Request. */
export async function measureBurst(
	where: Where,
	count: number,
	remembered: number,
): Promise<Measurement> {
	const taken = { ours: [] as number[], httpRequest: [] as number[] };
	const contenders = Object.keys(taken) as Array<keyof typeof taken>;
	const workflows = new Map<string, CalledWorkflow>();
	let candidates = 0;
	const run = async (contender: string, executions: number, items: number) => {
		const candidate = () => {
			const ref = `burst-${remembered}-${++candidates}`;
			return { ref, email: `${ref}@example.com`, first: 'Nathan', last: 'Smith' };
		};
		const lists = Array.from({ length: executions }, () =>
			Array.from({ length: items }, candidate),
		);
		const started = performance.now();
		const failed = await workflows.get(contender)!.run(lists);
		if (failed.length > 0) throw new Error(`${contender}: ${failed.length} executions failed`);
		return (performance.now() - started) / 1000;
	};
	for (const contender of contenders) {
		const name = `burst-${remembered}-${contender}`;
		const node = nodeOf(where, contender);
		workflows.set(contender, await publishCalled(where, name, [node]));
	}
	if (remembered > 0) await run('ours', 1, remembered);
	for (let times = 0; times < RUNS; times++) {
		for (const contender of contenders) taken[contender].push(await run(contender, count, 1));
	}
	const memory = `${remembered.toLocaleString('en')} remembered`;
	return logged({
		work: `${count} executions of one item each at once, ${where.place}, ${memory}`,
		ours: figureOf(taken.ours),
		comparedWith: { name: NAMES.httpRequest, figure: figureOf(taken.httpRequest) },
	});
}
