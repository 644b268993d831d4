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

it('a task that comes once the first has ended waits for the second, too', async () => {
	let end = () => {};
	const isHeld = new Promise<void>((resolve) => (end = resolve));
	const done: string[] = [];
	const first = inSequence('key', async () => {});
	const second = inSequence('key', async () => {
		await isHeld;
		done.push('second');
	});
	await first;
	await nextTurn();
	const third = inSequence('key', async () => {
		done.push('third');
	});
	await nextTurn();
	end();
	await Promise.all([second, third]);
	expect(done).toEqual(['second', 'third']);
});
