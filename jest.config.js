const { randomInt } = require('node:crypto');

if (process.env.SEED === 'random') {
	process.env.SEED = String(randomInt(2 ** 31));
	console.error(`To replay this run: SEED=${process.env.SEED}`);
}

// n8n logs every error that a node throws; the tests throw many on purpose.
process.env.N8N_LOG_LEVEL = 'silent';

// A server's time zone is rarely UTC, or the workflow's.
process.env.TZ = 'America/Caracas';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// On a busy machine, a slow test isn't wrong.
	testTimeout: 300_000,
	// Jest leaves a core idle by default, which is half of a small machine.
	maxWorkers: '100%',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	setupFiles: ['<rootDir>/test/support/fixedSeed.ts'],
	setupFilesAfterEnv: ['<rootDir>/test/support/built.mts'],
	// Only strips the types; `npm run types` checks them.
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	moduleFileExtensions: ['ts', 'mts', 'js', 'json', 'node'],
	modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/tools/n8n/runtimes/'],
};
