/**
 * Puts the package's waiting under a test's control: its `sleep` (of n8n-workflow) and `AbortSignal.timeout`. Import
 * this before anything that imports n8n-workflow.
 */
import type { INodeType } from 'n8n-workflow';
import { VirtualClock } from './VirtualClock.mts';

interface Shared {
	clock: VirtualClock;
	n8nWorkflow?: object;
	luxon?: object;
}

/** State that a new process of n8n (see `loadTrigger`) shares with the previous one. */
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

/** Starts a new clock. Call it before each test. */
export function useVirtualTime(): VirtualClock {
	mockShared.clock = new VirtualClock();
	// Mocks keep every call.
	jest.restoreAllMocks();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((delay) => mockShared.clock.timeout(delay));
	jest.spyOn(Date, 'now').mockImplementation(() => mockShared.clock.now);
	return mockShared.clock;
}

/** The built trigger with its own memory, as in a new process. */
export function loadTrigger(): INodeType {
	let trigger: INodeType | undefined;
	jest.isolateModules(() => {
		const file = '../../../../dist/nodes/CandidateAssessment/CandidateAssessmentTrigger.node.js';
		const module = jest.requireActual<{ CandidateAssessmentTrigger: new () => INodeType }>(file);
		trigger = new module.CandidateAssessmentTrigger();
	});
	return trigger as INodeType;
}
