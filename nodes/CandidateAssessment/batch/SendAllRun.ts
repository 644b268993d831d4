import type { ItemOutcome } from '../errors/ItemOutcome';
import { sendItem, type Batch, type Outcomes, type Run } from './batch';
import { inParallel } from './inParallel';

/** Sends every item in every run. */
export class SendAllRun implements Run {
	readonly warnings = [];
	readonly hints = [];

	constructor(private readonly batch: Batch) {}

	async lookUpOrClaim(): Promise<Outcomes> {
		return this.batch.items.map((item) => (item.kind === 'invalid' ? item : undefined));
	}

	async send(): Promise<ItemOutcome[]> {
		const { items } = this.batch;
		const send = async (_item: unknown, index: number) => await sendItem(this.batch, index);
		const outcomes = await inParallel(items, send, this.batch);
		return items.map((item, index) => (item.kind === 'invalid' ? item : outcomes[index]));
	}

	async close(): Promise<void> {}
}
