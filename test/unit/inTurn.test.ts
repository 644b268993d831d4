import { inTurn } from '../../nodes/CandidateAssessment/utils/inTurn';
import { nextTurn } from '../support/histories.mts';

it('tasks with the same key run one after another, even if one fails, and beside those with other keys', async () => {
	const done: string[] = [];
	const task = (name: string) => async () => {
		done.push(`${name} begins`);
		await nextTurn();
		done.push(`${name} ends`);
		if (name === 'first') throw new Error('no luck');
	};
	const first = inTurn('key', task('first'));
	const others = [inTurn('key', task('second')), inTurn('other key', task('beside'))];
	await expect(first).rejects.toThrow('no luck');
	const third = inTurn('key', task('third'));
	await Promise.all([...others, third]);
	expect(done.indexOf('second begins')).toBeGreaterThan(done.indexOf('first ends'));
	expect(done.indexOf('third begins')).toBeGreaterThan(done.indexOf('second ends'));
	expect(done.indexOf('beside begins')).toBeLessThan(done.indexOf('first ends'));
});
