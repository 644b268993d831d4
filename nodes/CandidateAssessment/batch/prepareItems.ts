import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { momentOf, readerOf } from '../parameters/NodeParameters';
import type { Operation, WantedFile } from '../actions/operation';
import type { ServiceRequest } from '../transport/types';

/** One input item after the check: a request ready to be sent, or what is wrong with it. */
export type CheckedItem =
	| {
			kind: 'ready';
			request: ServiceRequest;
			output?: (data: IDataObject) => IDataObject;
			file?: WantedFile;
	  }
	| { kind: 'wrong'; problem: Error };

/** So many items are checked in one go; then n8n gets to do what else it has to. */
const ITEMS_IN_ONE_GO = 50;

/** Reads and checks every input item against the operation's rules; nothing is sent. */
export async function checkItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<CheckedItem[]> {
	const read = readerOf(operation.fields, momentOf(context));
	const checked: CheckedItem[] = [];
	const count = context.getInputData().length;
	for (let index = 0; index < count; index++) {
		// Without a pause thousands of items would hold up every other workflow and webhook call.
		if (index > 0 && index % ITEMS_IN_ONE_GO === 0) await sleep(0);
		try {
			const given = read((name) => context.getNodeParameter(name, index, null));
			checked.push({
				kind: 'ready',
				request: operation.request(given),
				output: operation.output?.(given),
				file: operation.file?.(given),
			});
		} catch (problem) {
			checked.push({ kind: 'wrong', problem: problem as Error });
		}
	}
	return checked;
}
