import { inSequence } from '../../nodes/CandidateAssessment/utils/inSequence';
import { nextTurn } from '../support/histories.mts';

it('a task waits for those before it with the same key, whenever it comes and whatever fails, and for no others', async () => {
	const done: string[] = [];
	const run = async (key: string, name: string, turns: number, isFailing = false) =>
		await inSequence(key, async () => {
			for (let turn = 0; turn < turns; turn++) await nextTurn();
			done.push(name);
			if (isFailing) throw new Error('no luck');
		});
	const first = run('key', 'first', 2, true).catch(() => {});
	const others = [run('key', 'second', 3), run('other key', 'beside', 1)];
	await first;
	await Promise.all([...others, run('key', 'third', 1)]);
	expect(done).toEqual(['beside', 'first', 'second', 'third']);
});
