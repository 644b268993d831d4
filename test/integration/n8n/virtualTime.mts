/**
 * Puts the package's waiting under a test's control: its `sleep` (of n8n-workflow) and
 * `AbortSignal.timeout`. To be imported before anything that imports n8n-workflow.
 */
import type { INodeType } from 'n8n-workflow';
import { VirtualClock } from './VirtualClock.mts';

interface Shared {
	clock: VirtualClock;
	n8nWorkflow?: object;
	luxon?: object;
}

/** What a new process of n8n, see `loadTrigger`, shares with the one before. */
const mockShared = ((globalThis as { triggerTests?: Shared }).triggerTests ??= {
	clock: new VirtualClock(),
});

jest.mock(
	'n8n-workflow',
	() =>
		(mockShared.n8nWorkflow ??= {
			...jest.requireActual<object>('n8n-workflow'),
			sleep: async (milliseconds: number) => await mockShared.clock.sleep(milliseconds),
		}),
);
jest.mock('luxon', () => (mockShared.luxon ??= jest.requireActual<object>('luxon')));

/** A time that begins anew. To be called before each test. */
export function useVirtualTime(): VirtualClock {
	mockShared.clock = new VirtualClock();
	// A mock keeps every call of it.
	jest.restoreAllMocks();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((delay) => mockShared.clock.timeout(delay));
	jest.spyOn(Date, 'now').mockImplementation(() => mockShared.clock.now);
	return mockShared.clock;
}

/** From now on waiting takes no time, though the clock goes on. Gives what was waited for, in milliseconds. */
export function useNoTime(): number[] {
	const waits: number[] = [];
	const clock = useVirtualTime();
	clock.sleep = async (milliseconds) => {
		waits.push(milliseconds);
		clock.now += milliseconds;
		await new Promise(setImmediate);
	};
	return waits;
}

/** The built trigger with a memory of its own, as in a new process. */
export function loadTrigger(): INodeType {
	let trigger: INodeType | undefined;
	jest.isolateModules(() => {
		const file = '../../../dist/nodes/CandidateAssessment/CandidateAssessmentTrigger.node.js';
		const module = jest.requireActual<{ CandidateAssessmentTrigger: new () => INodeType }>(file);
		trigger = new module.CandidateAssessmentTrigger();
	});
	return trigger as INodeType;
}
