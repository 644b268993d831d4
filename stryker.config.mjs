import jest from './jest.config.js';

export default {
	mutate: ['nodes/**/*.ts', '!nodes/**/*.node.ts', 'credentials/*.ts'],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		config: {
			...jest,
			// The integration tests run the built nodes, which hold no mutants.
			testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
			testPathIgnorePatterns: ['documents|package|workflows'],
		},
	},
	coverageAnalysis: 'perTest',
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
