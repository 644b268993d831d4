// Adds to n8n's eslint.config.mjs: every pattern takes linear time, or a visitor's long text could hold up n8n.
import { config } from '@n8n/node-cli/eslint';
import regexp from 'eslint-plugin-regexp';

const { parser } = config.find(({ languageOptions }) => languageOptions?.parser).languageOptions;
const BUILT = "[callee.name='RegExp']:not([arguments.0.type='Literal'])";

export default [
	{
		files: ['**/*.ts'],
		languageOptions: { parser },
		// The directives are for the other config's rules.
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
			'no-restricted-syntax': [
				'error',
				...[`CallExpression${BUILT}`, `NewExpression${BUILT}`].map((selector) => ({
					selector,
					message: 'A pattern that is built at run time is not checked. Write it as a literal.',
				})),
			],
		},
	},
	{
		// Tested by test/unit/redact.test.ts.
		files: ['**/errors/redact.ts'],
		rules: { 'no-restricted-syntax': 'off' },
	},
];
