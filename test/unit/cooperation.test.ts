import { takeTurns } from '../../nodes/CandidateAssessment/batch/cooperation';

describe('Long work, a millisecond at a time', () => {
	/** Works for so long, while others use the pauses that begin within the given time. */
	async function pausesIn(duration: number, others: { from: number; to: number }) {
		let now = 0;
		const pauses: number[] = [];
		const pause = async (milliseconds: number) => {
			pauses.push(now);
			now += now >= others.from && now < others.to ? 20 : milliseconds;
		};
		const turn = takeTurns({ now: () => now, pause });
		while (now < duration) {
			now += 1;
			await turn();
		}
		return pauses;
	}

	const gaps = (times: number[]) => times.slice(1).map((time, index) => time - times[index]);

	it('pauses every ten milliseconds while nobody else has anything to do', async () => {
		const pauses = await pausesIn(200, { from: 0, to: 0 });
		expect(pauses[0]).toBe(10);
		expect(new Set(gaps(pauses))).toEqual(new Set([11]));
	});

	it('pauses every millisecond, and for longer, while somebody has', async () => {
		const pauses = await pausesIn(400, { from: 0, to: 400 });
		expect(pauses[0]).toBe(10);
		expect(new Set(gaps(pauses))).toEqual(new Set([21]));
	});

	it('goes on like that for a while after the last use: a call waits for answers in between', async () => {
		const pauses = await pausesIn(400, { from: 0, to: 11 });
		const afterwards = gaps(pauses).slice(1);
		expect(afterwards.slice(0, 29)).toEqual(Array<number>(29).fill(3));
		expect(new Set(afterwards.slice(31))).toEqual(new Set([11]));
	});

	it('begins with its first turn', async () => {
		expect(await pausesIn(9, { from: 0, to: 0 })).toEqual([]);
	});
});
