import type { PaymentProviderOnWire as Provider } from "@sesame/contract/checkout";

// What buyers and sellers read alike: 5 000 FCFA, 3 février 2026, and ways to pay. Buyers load it first.
const NO_BREAK_SPACE = "\u00a0";

/** 5000 → "5 000 FCFA", with spaces that do not break. Built without Intl so that the server's and
 * the phone's text are the same to the letter. */
export function formatFcfa(amount: number): string {
  return `${formatNumber(amount)}${NO_BREAK_SPACE}FCFA`;
}

export function formatNumber(value: number): string {
  const sign = value < 0 ? "−" : "";
  const digits = String(Math.abs(Math.trunc(value)));
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE);
}

/** "Wave, T-Money": no line breaks at the hyphen. Not every font has the hyphen that does not break (U+2011). */
export function sayMethods(methods: readonly string[]): string {
  return methods.join(", ").replace("-", "-\u2060");
}

const MONTHS =
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");

/** An ISO instant as "3 février 2026", in the phone's zone. */
export function formatDay(iso: string): string {
  const date = new Date(iso);
  const day = date.getDate() === 1 ? "1er" : String(date.getDate());
  return `${day} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** An ISO instant as "3 février 2026 à 14:05". */
export function formatInstant(iso: string): string {
  return `${formatDay(iso)} à ${new Date(iso).toTimeString().slice(0, 5)}`;
}

/** `methods`: those that no provider above takes; all of them where it `repeats`, for it adds none. */
export type WayToPay = Provider & { readonly repeats: boolean };

/**
 * Those that answer badly, or did for this order, come last. An operator is read once, at the first that takes
 * it: buyers read what only repeats others in a list of its own, sellers by its name.
 */
export function listWays(providers: readonly Provider[], tried: readonly string[] = []) {
  const read = new Set<string>();
  const doubts = ({ id, disturbed }: Provider) => Number(disturbed) + Number(tried.includes(id));
  return [...providers]
    .sort((a, b) => doubts(a) - doubts(b))
    .map((provider): WayToPay => {
      const methods = provider.methods.filter((method) => !read.has(method));
      for (const method of methods) read.add(method);
      const repeats = methods.length === 0 && provider.methods.length > 0;
      return { ...provider, ...(repeats ? {} : { methods }), repeats };
    });
}
