import { publishCalled, type CalledWorkflow } from '../e2e/support/calledWorkflow.mts';
import { compare, nodeOf, type BenchEnvironment, type Contender } from './contenders.mts';

const CONTENDERS: Contender[] = ['ours', 'httpRequest'];

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
): Promise<string> {
	const workflows = new Map<Contender, CalledWorkflow>();
	for (const contender of CONTENDERS) {
		const name = `burst-${remembered}-${contender}`;
		workflows.set(contender, await publishCalled(where, name, [nodeOf(where, contender)]));
	}
	let candidates = 0;
	const run = async (contender: Contender, executions: number, items: number) => {
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
	if (remembered > 0) await run('ours', 1, remembered);
	const memory = `${remembered.toLocaleString('en')} remembered`;
	const work = `${count} executions of one item each at once, ${where.place}, ${memory}`;
	return await compare(work, CONTENDERS, 3, async (contender) => await run(contender, count, 1));
}
