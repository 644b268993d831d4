import XLSX from 'xlsx';

/** A file as a browser uploads it. */
export interface ListFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

export type Cell = string | number | boolean | null;

/** A browser's content types, which only depend on the extension. */
const TYPES: Record<string, string> = {
	csv: 'text/csv',
	tsv: 'text/tab-separated-values',
	txt: 'text/plain',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	xls: 'application/vnd.ms-excel',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	pdf: 'application/pdf',
	rtf: 'application/rtf',
	json: 'application/json',
	ods: 'application/vnd.oasis.opendocument.spreadsheet',
};

export const file = (name: string, buffer: Buffer): ListFile => ({
	name,
	mimeType: TYPES[name.split('.').at(-1)!]!,
	buffer,
});

export const textFile = (name: string, text: string, encoding: BufferEncoding = 'utf8') =>
	file(name, Buffer.from(text, encoding));

export const csv = (text: string, encoding?: BufferEncoding) =>
	textFile('list.csv', text, encoding);

/** A workbook, written by the library with which n8n reads files. The extension of `name` sets the format. */
export function workbook(
	name: string,
	lines: Cell[][],
	more: {
		change?: (sheet: XLSX.WorkSheet, book: XLSX.WorkBook) => void;
		format?: XLSX.BookType;
	} = {},
): ListFile {
	const sheet = XLSX.utils.aoa_to_sheet(lines);
	const book = XLSX.utils.book_new();
	XLSX.utils.book_append_sheet(book, sheet, 'Applicants');
	more.change?.(sheet, book);
	const bookType = more.format ?? (name.split('.').at(-1) as XLSX.BookType);
	return file(name, XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
}

/** Appends a sheet. */
export function addSheet(book: XLSX.WorkBook, name: string, lines: Cell[][]): void {
	XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(lines), name);
}

/** A workbook that Excel has saved with a password: an unreadable container. */
export function lockedWorkbook(name: string): ListFile {
	const container = XLSX.CFB.utils.cfb_new();
	XLSX.CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 64, 0, 0, 0]));
	XLSX.CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(4096));
	return file(name, XLSX.CFB.write(container, { type: 'buffer' }) as Buffer);
}

/** A zipped file that isn't a workbook, such as a Word document. */
export function zippedFile(name: string): ListFile {
	const container = XLSX.CFB.utils.cfb_new();
	XLSX.CFB.utils.cfb_add(container, '/word/document.xml', Buffer.from('<w:document/>'));
	const written = XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
	return file(name, written as Buffer);
}

/** The rows of a downloaded workbook, by column name. */
export function rowsIn(path: string): Array<Record<string, Cell>> {
	const { SheetNames, Sheets } = XLSX.readFile(path);
	return XLSX.utils.sheet_to_json(Sheets[SheetNames[0]!]!, { defval: '' });
}
