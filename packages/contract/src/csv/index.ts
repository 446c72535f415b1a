/** The mark by which spreadsheets know UTF-8: what reads an answer as text drops it. */
export const BYTE_ORDER_MARK = "\ufeff";

export type CsvCell = string | number | bigint | null;

/**
 * RFC 4180, as French spreadsheets read it: a mark of UTF-8 first, semicolons between cells, a
 * comma in numbers. A text that a spreadsheet would run as a formula is made a text again
 * (CWE-1236). The one writer of CSV, for files made by the server and for files made in the browser.
 */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return BYTE_ORDER_MARK + csvRows(rows);
}

export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(";")}\r\n`).join("");
}

function cell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return String(value).replace(".", ",");
  const safe = DANGEROUS.test(value) ? `'${value}` : value;
  return /[";\r\n,]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What begins a formula, after blanks and quotes too: spreadsheets skip both. */
const DANGEROUS = /^[\s"']*[=+\-@|%\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/;
