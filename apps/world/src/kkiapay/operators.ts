import type { CheckoutMethod } from "../wire.ts";

/** Who carries the money, by the name KkiaPay gives in its answers (`source_common_name`). */
export const OPERATORS: readonly CheckoutMethod[] = [
  { code: "mtn-benin", name: "MTN", country: "BJ", dialCode: "229" },
  { code: "moov-benin", name: "Moov", country: "BJ", dialCode: "229" },
  { code: "celtiis-benin", name: "Celtiis", country: "BJ", dialCode: "229" },
  { code: "mtn-ci", name: "MTN", country: "CI", dialCode: "225" },
  { code: "orange-ci", name: "Orange", country: "CI", dialCode: "225" },
  { code: "moov-ci", name: "Moov", country: "CI", dialCode: "225" },
  { code: "wave-senegal", name: "Wave", country: "SN", dialCode: "221" },
  { code: "orange-senegal", name: "Orange", country: "SN", dialCode: "221" },
  { code: "tmoney-togo", name: "T-Money", country: "TG", dialCode: "228" },
  { code: "moov-togo", name: "Moov", country: "TG", dialCode: "228" },
  { code: "airtel-niger", name: "Airtel", country: "NE", dialCode: "227" },
  { code: "visa", name: "Visa", country: "BJ", dialCode: "229" },
  { code: "mastercard", name: "Mastercard", country: "BJ", dialCode: "229" },
];

const CARDS = new Set(["visa", "mastercard"]);

export const isCard = (operator: string): boolean => CARDS.has(operator);

/** 1.9 % of mobile money, 4 % of a card (payment-providers.md §6.6). */
export function feesOf(amount: number, operator: string): number {
  return Math.round((amount * (isCard(operator) ? 40 : 19)) / 1_000);
}

/** A number as KkiaPay tells it: with its country's code, if the customer left that out. */
export function withDial(phone: string, operator: string): string {
  const dial = OPERATORS.find(({ code }) => code === operator)?.dialCode ?? "";
  return phone === "" || dialOf(phone) !== "" ? phone : `${dial}${phone}`;
}

/** The country's code at the head of a number; empty when there is none. */
export function dialOf(phone: string): string {
  const known = OPERATORS.find(({ dialCode }) => dialCode !== "" && phone.startsWith(dialCode));
  return known !== undefined && phone.length > 10 ? known.dialCode : "";
}

/** MTN's and Moov's numbers of the sandbox, without their last two digits. */
const MAGIC = new Set(["610000", "970000", "680000", "950000"]);

const FAILURES: Record<string, { code: string; message: string }> = {
  "01": { code: "processing_error", message: "Processing error" },
  "02": { code: "insufficient_fund", message: "Insufficient funds" },
  "03": { code: "payment_declined", message: "Payment declined" },
};

/** What the sandbox does by itself with a number; null: what the customer chose. */
export function failureOfNumber(phone: string): { code: string; message: string } | null {
  // Benin put 01 before its numbers: taken with it and without.
  const national = phone.replace(/^229/, "").replace(/^01(?=\d{8}$)/, "");
  if (!MAGIC.has(national.slice(0, 6))) return null;
  return FAILURES[national.slice(6)] ?? null;
}

export const DECLINED = { code: "payment_declined", message: "Payment declined" };
