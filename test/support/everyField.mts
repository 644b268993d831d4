import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** For each field, and each field within it: the parameters of which it has this value. */
export function withEachField(fields: INodeProperties[], value: unknown): object[] {
	return fields.flatMap(({ name, type, options = [], modes = [] }): object[] => {
		if (type === 'notice') return [];
		const within = {
			collection: () => withEachField(options as INodeProperties[], value),
			fixedCollection: () =>
				(options as INodePropertyCollection[]).flatMap(({ name: entry, values }) =>
					withEachField(values, value).map((row) => ({ [entry]: [row] })),
				),
			resourceLocator: () => modes.map(({ name: mode }) => ({ __rl: true, mode, value })),
		}[type as 'collection'];
		return [value, ...(within?.() ?? [])].map((each) => ({ [name]: each }));
	});
}
