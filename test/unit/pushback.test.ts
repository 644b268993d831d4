import * as fc from 'fast-check';
import type { Clock } from '../../nodes/CandidateAssessment/service/clock';
import { Pushback } from '../../nodes/CandidateAssessment/service/Pushback';

/** A clock on which sleeping is all that takes time. */
class FakeClock implements Clock {
	time = 1_000_000;
	readonly sleeps: number[] = [];
	/** Called in the middle of each sleep. */
	meanwhile = () => {};

	now = () => this.time;
	random = () => 0.5;

	async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		this.sleeps.push(milliseconds);
		this.time += milliseconds / 2;
		this.meanwhile();
		signal.throwIfAborted();
		this.time += milliseconds / 2;
	}
}

const going = () => new AbortController().signal;

describe('A pause of the whole batch', () => {
	it('holds nobody up before the service has asked for one', async () => {
		const clock = new FakeClock();
		await new Pushback(clock).over(going());
		expect(clock.sleeps).toEqual([]);
	});

	it('lasts as long as was asked for, from when it was asked', async () => {
		const clock = new FakeClock();
		const pushback = new Pushback(clock);
		pushback.pause(5000);
		clock.time += 2000;
		await pushback.over(going());
		expect(clock.sleeps).toEqual([3000]);
		await pushback.over(going());
		expect(clock.sleeps).toEqual([3000]);
	});

	it('is not made shorter by a shorter one', async () => {
		const clock = new FakeClock();
		const pushback = new Pushback(clock);
		pushback.pause(5000);
		pushback.pause(0);
		pushback.pause(1000);
		await pushback.over(going());
		expect(clock.sleeps).toEqual([5000]);
	});

	it('that grows while one waits is waited for to its new end', async () => {
		const clock = new FakeClock();
		const pushback = new Pushback(clock);
		pushback.pause(1000);
		clock.meanwhile = () => {
			clock.meanwhile = () => {};
			pushback.pause(4000);
		};
		await pushback.over(going());
		expect(clock.sleeps).toEqual([1000, 3500]);
		expect(clock.time).toBe(1_004_500);
	});

	it('ends at once when the batch is stopped, before or while one waits', async () => {
		const clock = new FakeClock();
		const pushback = new Pushback(clock);
		const stop = new AbortController();
		pushback.pause(1000);
		clock.meanwhile = () => stop.abort();
		await expect(pushback.over(stop.signal)).rejects.toBe(stop.signal.reason);
		await expect(pushback.over(stop.signal)).rejects.toBe(stop.signal.reason);
		expect(clock.sleeps).toEqual([1000]);
	});

	it('lets nobody out before the longest of all pauses is over, whenever they are asked for', async () => {
		const pauses = fc.array(fc.nat(90_000), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(pauses, pauses, async (first, later) => {
				const clock = new FakeClock();
				const pushback = new Pushback(clock);
				let until = clock.time;
				const ask = (milliseconds: number) => {
					until = Math.max(until, clock.time + milliseconds);
					pushback.pause(milliseconds);
				};
				first.forEach(ask);
				const coming = [...later];
				clock.meanwhile = () => coming.splice(0, 1).forEach(ask);
				await pushback.over(going());
				expect(clock.time).toBe(until);
			}),
			{ numRuns: 500 },
		);
	});
});
