import { certaintyOf } from '../errors/ItemError';
import type { ItemOutcome } from '../errors/ItemOutcome';
import type { Batch } from './batch';

export async function sendItem(
	{ client, operation, items }: Batch,
	index: number,
): Promise<ItemOutcome> {
	const item = items[index];
	if (item.kind === 'invalid') return item;
	try {
		const data = await client.request(item.request, operation);
		const output = (await item.output?.(data, client)) ?? { json: data };
		return { kind: 'succeeded', output };
	} catch (error) {
		return { kind: certaintyOf(error), error: error as Error };
	}
}
