import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { momentOf, readerOf } from '../input/Given';
import type { Operation, WantedFile } from '../operations/operation';
import type { ServiceRequest } from '../service/types';

/** One input item after the check: a request ready to be sent, or what is wrong with it. */
export type CheckedItem =
	| {
			kind: 'ready';
			request: ServiceRequest;
			output?: (data: IDataObject) => IDataObject;
			file?: WantedFile;
	  }
	| { kind: 'wrong'; problem: Error };

/** Reads and checks every input item against the operation's rules; nothing is sent. */
export function checkItems(context: IExecuteFunctions, operation: Operation): CheckedItem[] {
	const read = readerOf(operation.fields, momentOf(context));
	return context.getInputData().map((_item, index): CheckedItem => {
		try {
			const given = read((name) => context.getNodeParameter(name, index, null));
			return {
				kind: 'ready',
				request: operation.request(given),
				output: operation.output?.(given),
				file: operation.file?.(given),
			};
		} catch (problem) {
			return { kind: 'wrong', problem: problem as Error };
		}
	});
}
