/** What was written and not sent: it survives a closed sheet, for this web view's time. */
export type Draft = { readonly kind: string; readonly about: string; readonly words: string };

const KEY = "sesame.ticket-draft";
const EMPTY: Draft = { kind: "", about: "", words: "" };

export function readDraft(): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return EMPTY;
    const { kind, about, words } = kept as Partial<Record<keyof Draft, unknown>>;
    const text = (value: unknown) => (typeof value === "string" ? value : "");
    return { kind: text(kind), about: text(about), words: text(words) };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage refused: the sheet alone holds it.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
