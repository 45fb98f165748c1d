/** Without it Excel reads the file as Windows-1251. */
const BYTE_ORDER_MARK = '\u{feff}';
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV. No text can break out of its cell or become a formula. */
export function writeCsv(rows: (string | number)[][]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(writeCell).join(';')}\r\n`).join('');
}

function writeCell(value: string | number): string {
  // A Russian Excel would read 12.5 as the 12th of May.
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
