/** Text for Telegram's HTML mode: whatever a person wrote is escaped. */
export type Html = string & { readonly __kind: "html" };

function escapeHtml(text: string): Html {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;") as Html;
}

type Piece = Html | { readonly text: string } | number | readonly Html[];

/**
 * html`<b>${{ text: product.title }}</b>`: a string cannot be put in by mistake, only escaped text
 * and other Html.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let out = strings[0] ?? "";
  for (const [index, piece] of pieces.entries()) {
    out += render(piece) + (strings[index + 1] ?? "");
  }
  return out as Html;
}

/** What a person wrote, standing out. */
export const bold = (text: string): Html => html`<b>${{ text }}</b>`;

function render(piece: Piece): string {
  if (typeof piece === "string") return piece;
  if (typeof piece === "number") return String(piece);
  if ("text" in piece) return escapeHtml(piece.text);
  return piece.join("\n");
}
