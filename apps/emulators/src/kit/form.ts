import { asForm } from "./calls.ts";

/** A field, its rule, and the provider's words when the rule is broken. */
export type Rule = readonly [field: string, holds: (value: unknown) => boolean, words: string];

/** The value at a dotted path. */
export function at(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => asForm(value)[key], body);
}

/** A text; anything else is empty. */
export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  return typeof value === "string" ? value : "";
}

/** The broken rules in their order, one for each field. */
export function brokenRules(body: unknown, rules: readonly Rule[]): Rule[] {
  const found = new Map<string, Rule>();
  for (const rule of rules) {
    const [field, holds] = rule;
    if (!found.has(field) && !holds(at(body, field))) found.set(field, rule);
  }
  return [...found.values()];
}

/** Field → complaints, as Laravel and Rails answer 422; null: the body is well formed. */
export function complaints(body: unknown, rules: readonly Rule[]): Record<string, string[]> | null {
  const wrong = brokenRules(body, rules).map(([field, , words]) => [field, [words]]);
  return wrong.length === 0 ? null : Object.fromEntries(wrong);
}

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";
export const isWhole = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value);
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "";
export const isUrl = (value: unknown): boolean => isText(value) && URL.canParse(value);
export const isEmail = (value: unknown): boolean =>
  isText(value) && /^[^\s@]+@[^\s@]+$/.test(value);
export const orNothing = (holds: (value: unknown) => boolean) => (value: unknown) =>
  !isGiven(value) || holds(value);
