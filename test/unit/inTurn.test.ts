import { inTurn } from '../../nodes/CandidateAssessment/inTurn';

it('runs one after the other what has the same key, and beside it what has another', async () => {
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

it('goes on after one that failed', async () => {
	const failing = inTurn('key', async () => await Promise.reject(new Error('no luck')));
	const next = inTurn('key', async () => 'done');

	await expect(failing).rejects.toThrow('no luck');
	await expect(next).resolves.toBe('done');
});
