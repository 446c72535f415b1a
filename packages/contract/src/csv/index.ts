/** Spreadsheets recognise UTF-8 by it; clients that decode text drop it. */
export const BYTE_ORDER_MARK = "\ufeff";

export type CsvCell = string | number | bigint | null;

/**
 * CSV of RFC 4180 in the form of French spreadsheets: a byte order mark, semicolons between cells, a
 * decimal comma. A text that a spreadsheet would run as a formula is escaped (CWE-1236). Server and
 * browser write every CSV with this function.
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

/** Spreadsheets skip blanks and quotes before a formula. */
const DANGEROUS = /^[\s"']*[=+\-@|%\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/;
