import process from 'node:process';
import jest from './jest.config.js';

/** What runs against each mutant. The integration tests take far longer: TESTS names a part of them. */
const { TESTS = 'unit/' } = process.env;
const isUnit = TESTS.startsWith('unit/');

export default {
	// What decides, and needs no n8n to run.
	mutate: [
		'parameters/*',
		'batch/*',
		'memory/*',
		'errors/*',
		'transport/{AdaptiveLimiter,envelope,exchange,networkError,retryPolicy}',
	].map((files) => `nodes/CandidateAssessment/${files}.ts`),
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		// The integration tests import no sources: they run the built nodes.
		enableFindRelatedTests: isUnit,
		config: {
			...jest,
			testMatch: [`<rootDir>/test/${TESTS}*.test.ts`],
			// They hold no mutants.
			testPathIgnorePatterns: ['documents|package|workflows'],
		},
	},
	...(!isUnit && { buildCommand: 'npm run build' }),
	coverageAnalysis: 'perTest',
	// A busy machine is slow, and a slow test kills no mutant.
	timeoutMS: 10_000,
	// Each run of Jest leaves something behind in its process.
	maxTestRunnerReuse: 50,
	// A mutant outside of functions needs every test again. Most are the panel's words.
	ignoreStatic: true,
	incremental: true,
	incrementalFile: '.data/mutation/incremental.json',
	tempDirName: '.data/mutation/sandbox',
	// Also after an error: the linter would find it.
	cleanTempDir: 'always',
	ignorePatterns: ['.data', 'dist'],
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	htmlReporter: { fileName: '.data/mutation/report.html' },
};
