import { inTurn } from '../../nodes/CandidateAssessment/inTurn';

it('tasks with the same key run one after another, and beside those with other keys', async () => {
	const done: string[] = [];
	const steps = (name: string) => async () => {
		done.push(`${name} begins`);
		await Promise.resolve();
		done.push(`${name} ends`);
		return name;
	};
	const results = await Promise.all([
		inTurn('key', steps('first')),
		inTurn('key', steps('second')),
		inTurn('other key', steps('beside')),
	]);
	expect(results).toEqual(['first', 'second', 'beside']);
	expect(done.indexOf('second begins')).toBeGreaterThan(done.indexOf('first ends'));
	expect(done.indexOf('beside begins')).toBeLessThan(done.indexOf('first ends'));
});

it('a task runs although the one before it with the same key has failed', async () => {
	const failing = inTurn('key', async () => await Promise.reject(new Error('no luck')));
	const next = inTurn('key', async () => 'done');
	await expect(failing).rejects.toThrow('no luck');
	await expect(next).resolves.toBe('done');
});
