import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../errors/ItemError';
import { NOTHING_SENT } from '../errors/messages';
import { DOCUMENTS, toHtml } from '../errors/toNodeError';
import { reportOn } from './batchReport';
import type { Batch } from './batch';
import type { Run } from './run';

/** Throws nothing, and doesn't change the outcomes: after sending, only they may fail a run. */
export function addHints(batch: Batch, run: Run, outcomes: readonly ItemOutcome[]): void {
	const { context, operation, options, items, client } = batch;
	const requests = items.flatMap((item) => (item.kind === 'ready' ? item.request : []));
	const answers = outcomes.flatMap((each) => (each.kind === 'succeeded' ? [each.output.json] : []));
	const sources = [
		() => operation.hints?.(requests, answers, client.credentials.baseUrl) ?? [],
		() => [...run.hints, ...run.warnings],
		() => (options.checkOnly ? checked(batch, outcomes) : nobodyInvited(batch, outcomes)),
	];
	for (const make of sources) {
		try {
			for (const hint of make()) addHint(context, hint);
		} catch {
			// A hint that can't be made is left out.
		}
	}
}

export function addHint(context: IExecuteFunctions, text: string): void {
	context.addExecutionHints({ message: toHtml(text), location: 'outputPane' });
}

function checked(batch: Batch, outcomes: readonly ItemOutcome[]): string[] {
	const ready = batch.items.filter((_item, index) => outcomes[index].kind === 'ready');
	const names = ready.slice(0, 10).map(({ reference }) => reference);
	const who = names.concat(ready.length > names.length ? '…' : []).join(', ') || 'nobody';
	const counts = `Checked: ${outcomes.length}. Would be invited: ${ready.length} (${who}).`;
	const others = outcomes.map((each) => (each.kind === 'ready' ? undefined : each));
	return [[`Check Only: nothing was sent. ${counts}`, ...reportOn(batch, others)].join('\n')];
}

/** Says that nobody was invited: the run looks as if nothing happened, and n8n silently ends a loop. */
function nobodyInvited(batch: Batch, outcomes: readonly ItemOutcome[]): string[] {
	const { onError } = batch.context.getNode();
	const isAtInvited = (each: ItemOutcome) =>
		'error' in each ? onError !== 'continueErrorOutput' : each.kind === 'succeeded';
	const { length: count } = outcomes.filter(({ kind }) => kind === 'alreadySent');
	if (count === 0 || batch.isTool || outcomes.some(isAtInvited)) return [];
	const who = count === 1 ? '1 candidate' : `${count} candidates`;
	const nothing = outcomes.some((each) => 'error' in each) ? '' : ` ${NOTHING_SENT}`;
	const loop = 'In a loop, also connect that output back: otherwise, the loop ends here.';
	const output = "See the 'Already Invited' output.";
	const links = `Their links are in the run that invited them: see Executions, and ${DOCUMENTS}inviting.md#where-the-links-are.`;
	return [`${who} had already been invited.${nothing} ${output} ${links} ${loop}`];
}
