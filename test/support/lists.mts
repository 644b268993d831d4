import XLSX from 'xlsx';

/** A file as a browser uploads it. Without a type, Playwright guesses it from the name, as a browser does. */
export const file = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer });

export type ListFile = ReturnType<typeof file>;
type Cell = string | number | boolean | null;

export const csv = (text: string) => file('list.csv', Buffer.from(text));

/** A workbook, written by the library with which n8n reads files. The extension of `name` sets the format. */
export function workbook(name: string, lines: Cell[][]): ListFile {
	const book = { SheetNames: ['List'], Sheets: { List: XLSX.utils.aoa_to_sheet(lines) } };
	const bookType = name.split('.').at(-1) as XLSX.BookType;
	return file(name, XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
}

/** The rows of a downloaded workbook, by column name. */
export function rowsIn(path: string): Array<Record<string, Cell>> {
	const { SheetNames, Sheets } = XLSX.readFile(path);
	return XLSX.utils.sheet_to_json(Sheets[SheetNames[0]!]!, { defval: '' });
}
