import type { IDataObject } from 'n8n-workflow';
import { fail, isEmpty, type Rule } from './rules';

/** Takes the value of n8n's form, `{ skill: [{ … }] }`, as a list in the service's own field names. */
export function form(entryName: string, rule: Rule<IDataObject[]>): Rule<IDataObject[]> {
	return (value) => {
		const { [entryName]: entered, ...others } = value as IDataObject;
		const rows = entered ?? [];
		const isForm = typeof value === 'object' && Object.keys(others).length === 0;
		if (!isForm || !Array.isArray(rows) || rows.some((row) => row !== Object(row))) {
			return fail("wrong format. Use the '(JSON)' field for a list from an expression");
		}
		return rule((rows as IDataObject[]).filter(isTouched).map(inServiceNames));
	};
}

/** An untouched row holds the defaults: empty texts, and a switch that is off. */
const isTouched = (row: IDataObject) =>
	Object.values(row).some((value) => !isEmpty(value) && value !== false);

const inServiceNames = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);
