import XLSX from 'xlsx';

/** A file as a browser uploads it. */
export interface ListFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

type Cell = string | number | boolean | null;

/** A browser's content types, which only depend on the extension. It may not know the others. */
const TYPES: Record<string, string> = {
	csv: 'text/csv',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function file(name: string, buffer: Buffer): ListFile {
	return { name, mimeType: TYPES[name.split('.').at(-1)!] ?? '', buffer };
}

export const csv = (text: string) => file('list.csv', Buffer.from(text));

/**
 * A workbook, written by the library with which n8n reads files. The extension of `name` sets the format. A filter
 * hides a row, and there is another sheet.
 */
export function workbook(name: string, lines: Cell[][]): ListFile {
	const book = XLSX.utils.book_new();
	const sheet = XLSX.utils.aoa_to_sheet(lines);
	sheet['!rows'] = [{}, { hidden: true }];
	XLSX.utils.book_append_sheet(book, sheet, 'Applicants');
	XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Not read']]), 'Others');
	const bookType = name.split('.').at(-1) as XLSX.BookType;
	return file(name, XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
}

/** A workbook that Excel has saved with a password: an unreadable container. */
export function lockedWorkbook(name: string): ListFile {
	const container = XLSX.CFB.utils.cfb_new();
	XLSX.CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 64, 0, 0, 0]));
	XLSX.CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(4096));
	return file(name, XLSX.CFB.write(container, { type: 'buffer' }) as Buffer);
}

/** The rows of a downloaded workbook, by column name. */
export function rowsIn(path: string): Array<Record<string, Cell>> {
	const { SheetNames, Sheets } = XLSX.readFile(path);
	return XLSX.utils.sheet_to_json(Sheets[SheetNames[0]!]!, { defval: '' });
}
