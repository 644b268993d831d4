import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { prepare } from './support/testEnvironment.mts';
import { bareTest as test, expect } from './support/fixtures.mts';

test('n8n is installed and the package packed', async ({ version }) => {
	const { installation } = await prepare(version);
	expect(installation.version.split('.')[0]).toBe(version.split('.')[0]);
});

/** n8n's code that the lock relies on, by its numbers in nodes/CandidateAssessment/memory/lock/README.md. */
const LINES = {
	'1: it reads the row': 'const processedData = await this.findProcessedData(scope, contextData);',
	'2: it compares the modes before it writes': 'this.validateMode(processedData, options); if ([',
	'2: to compare is !==':
		'if (processedData && processedData.value.mode !== options.mode) { throw new deduplication_error_1.DeduplicationError(',
	'3: it makes a text of each entry':
		'const hashedItems = items.map((item) => DeduplicationHelper.createValueHash(item)); if (!processedData) {',
	'3: that is its own toString': 'update(value.toString()).digest(',
	'4: without a row it inserts, with the mode it was given':
		'.insert({ workflowId: contextData.workflow.id, context: dbContext, value: { mode: options.mode, data: hashedItems, }, }); return {',
	'5: to a row it adds the new entries':
		'returnData.new.push(items[index]); processedDataValue.data.push(item);',
	'6: it updates the row, and inserts none':
		'.update({ workflowId: processedData.workflowId, context: processedData.context }, processedData); return returnData; } async checkProcessedAndRecord(',
};

test("n8n's deduplication helper does what the lock rests on", async ({ version }) => {
	const { installation } = await prepare(version);
	const file = 'node_modules/n8n/dist/deduplication/deduplication-helper.js';
	const code = (await readFile(join(installation.folder, file), 'utf8')).replace(/\s+/g, ' ');
	const changed = Object.entries(LINES).filter(([, line]) => !code.includes(line));
	expect(changed.map(([name]) => name)).toEqual([]);
});
