const BYTE_ORDER_MARK = "\ufeff";

/** For a spreadsheet set to French: semicolons, and the mark that tells it is UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => row.map(cell).join(";")).join("\r\n");
}

/** Quoted; what a spreadsheet would run as a formula is made plain text, a number stays one. */
function cell(text: string): string {
  const runs = /^[=+\-@\t\r]/.test(text) && !/^-?\d+$/.test(text);
  const safe = runs ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
