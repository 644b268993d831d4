import { inSequence } from '../../nodes/CandidateAssessment/utils/inSequence';
import { nextTurn } from '../support/histories.mts';

it('a task waits for those before it with the same key, also if one fails, and for no others', async () => {
	const done: string[] = [];
	const run = async (name: string, isFailing = false) => {
		await nextTurn();
		done.push(name);
		if (isFailing) throw new Error('no luck');
	};
	const tasks = ['first', 'second', 'third'].map((name, index) =>
		inSequence('key', async () => await run(name, index === 0)),
	);
	await inSequence('other key', async () => await run('beside'));
	await Promise.allSettled(tasks);
	expect(done).toEqual(['first', 'beside', 'second', 'third']);
});
