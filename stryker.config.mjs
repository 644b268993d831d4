import process from 'node:process';
import jest from './jest.config.js';

/** The tests to run against each mutant. TESTS names others: integration tests take far longer. */
const { TESTS = 'unit/' } = process.env;
const isUnit = TESTS.startsWith('unit/');

export default {
	// The code that makes decisions, and runs without n8n.
	mutate: [
		'parameters/*',
		'batch/*',
		'memory/*',
		'errors/*',
		'transport/{AdaptiveLimiter,exchange,retryPolicy}',
	].map((files) => `nodes/CandidateAssessment/${files}.ts`),
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		// The integration tests import no sources: they run the built nodes.
		enableFindRelatedTests: isUnit,
		config: {
			...jest,
			testMatch: [`<rootDir>/test/${TESTS}*.test.ts`],
			// These tests cover no mutated code.
			testPathIgnorePatterns: ['documents|package|workflows'],
		},
	},
	...(!isUnit && { buildCommand: 'npm run build' }),
	coverageAnalysis: 'perTest',
	// On a busy machine, a slow test must not count as a killed mutant.
	timeoutMS: 10_000,
	// Each run of Jest leaks something in its process.
	maxTestRunnerReuse: 50,
	// A mutant outside of functions reruns every test, and most are the panel's texts.
	ignoreStatic: true,
	incremental: true,
	incrementalFile: '.data/mutation/incremental.json',
	tempDirName: '.data/mutation/sandbox',
	// Even after an error, or the linter would find the folder.
	cleanTempDir: 'always',
	ignorePatterns: ['.data', 'dist'],
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	htmlReporter: { fileName: '.data/mutation/report.html' },
};
