import { parseSync, Visitor } from "oxc-parser";

/** A text as it stands in a source file; `{}` where a template puts a part in. */
export type Literal = { readonly path: string; readonly text: string };

const PART = "{}";

export function literalsOf(path: string, source: string): Literal[] {
  const found: Literal[] = [];
  const add = (text: string): void => void found.push({ path, text: plain(text) });
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") add(node.value);
    },
    TemplateLiteral: (node) => add(node.quasis.map(({ value }) => value.cooked).join(PART)),
    JSXText: (node) => add(node.value),
  }).visit(parseSync(path, source).program);
  return found;
}

/** Spaces and apostrophes as the specification types them. */
export function plain(text: string): string {
  return text
    .replaceAll(/\\u202f|\\u00a0|[\u202f\u00a0]/g, " ")
    .replaceAll(/[’]/g, "'")
    .trim();
}

/** Whether a literal says these words: `Erreur {}` says `Erreur {status}`, and `Erreur 500`. */
export function says(literal: string, said: string): boolean {
  if (literal === said || literal === said.replaceAll(/\{\w+\}/g, PART)) return true;
  if (said.endsWith(":") && literal.startsWith(`${said} ${PART}`)) return true;
  const parts = literal.split(PART);
  const fixed = parts.join("");
  if (parts.length === 1 || fixed.length * 2 < said.length) return false;
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".{0,20}")}$`).test(said);
}
