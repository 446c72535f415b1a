import type { NetworkView, WalletView } from "../../wire.ts";

/** `+225 07 00 00 00 01`: read back as people say it. */
export function formatPhone(phone: string, networks: NetworkView[]): string {
  const dial = networks.find((one) => phone.startsWith(`+${one.dial}`))?.dial ?? "";
  return [`+${dial}`, grouped(phone.slice(dial.length + 1))].join(" ").trim();
}

/** By pairs; nine digits, as in Senegal, by 2, 3, 2, 2. */
export function grouped(digits: string): string {
  const shape = digits.length === 9 ? /^(..)(...)(..)(..)$/ : null;
  const parts = shape?.exec(digits)?.slice(1) ?? digits.match(/.{1,2}/g) ?? [];
  return parts.join(" ");
}

/** Digits alone, as they are typed with spaces and dots. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

export type SendForm = { networkId: string; number: string; amount: string };

/** Typed or pasted: a number with its country's code chooses the country. */
export function withNumber(form: SendForm, typed: string, networks: NetworkView[]): SendForm {
  const international = /^\s*(\+|00)/.test(typed);
  const digits = digitsOf(typed).replace(/^00/, "");
  if (!international) return { ...form, number: digits };
  const current = networks.find((one) => one.id === form.networkId);
  const fits = (one: NetworkView) => digits.startsWith(one.dial);
  const chosen = current !== undefined && fits(current) ? current : networks.find(fits);
  if (chosen === undefined) return { ...form, number: digits };
  return { ...form, networkId: chosen.id, number: digits.slice(chosen.dial.length) };
}

export function checkSend(
  form: SendForm,
  { networks, own }: { networks: NetworkView[]; own: WalletView | undefined },
) {
  const network = networks.find((one) => one.id === form.networkId);
  const phone = `+${network?.dial ?? ""}${form.number}`;
  const amount = Number(digitsOf(form.amount));
  const whole = form.number.length === network?.digits;
  const complaint: "digits" | "own" | "short" | null = whole
    ? phone === own?.phone
      ? "own"
      : amount > (own?.balance ?? 0)
        ? "short"
        : null
    : "digits";
  return { network, phone, amount, complaint, ready: complaint === null && amount > 0 };
}
