import { ok, type Result, refuse } from "@sesame/kernel";
import {
  COUNTRY_TERMS,
  type CountryTerms,
  PAYOUT_METHODS,
  type PayoutMethodId,
} from "./methods.fr.ts";
import type { PhoneRefusal } from "./refusals.fr.ts";

/** Benin's numbers had eight digits before 30 November 2024; `01` now stands before them. */
const OLD_BENIN = /^[4-9]\d{7}$/;

/**
 * A number as a person writes it ("07 01 02 03 04", "00225…", "+225…") → E.164, checked against the
 * method's country and, where its first digits tell, its operator (decision 67).
 */
export function normalisePhone(raw: string, method: PayoutMethodId): Result<string, PhoneRefusal> {
  const { country, prefixes } = PAYOUT_METHODS[method];
  const terms = COUNTRY_TERMS[country];
  const digits = withoutSpacing(raw);
  if (!/^\+?\d{6,20}$/.test(digits)) return refuse({ kind: "withdrawals.phone-invalid", method });
  const national = nationalPart(digits, terms);
  if (national === null) return refuse({ kind: "withdrawals.phone-wrong-country", method });
  const today = country === "BENIN" && OLD_BENIN.test(national) ? `01${national}` : national;
  if (!terms.national.test(today)) return refuse({ kind: "withdrawals.phone-invalid", method });
  if (prefixes !== undefined && !prefixes.some((prefix) => today.startsWith(prefix))) {
    return refuse({ kind: "withdrawals.phone-wrong-operator", method });
  }
  return ok(`+${terms.dial}${today}`);
}

function withoutSpacing(raw: string): string {
  return raw.replace(/[\s\u00a0\u202f.\-()/]/g, "");
}

/** Null: written with another country's code. */
function nationalPart(digits: string, terms: CountryTerms): string | null {
  const { dial, nationalLength } = terms;
  if (/^(\+|00)/.test(digits)) {
    const international = digits.replace(/^(\+|00)/, "");
    return international.startsWith(dial) ? international.slice(dial.length) : null;
  }
  const rest = digits.length - dial.length;
  const isInternational =
    digits.startsWith(dial) &&
    (rest === nationalLength || (terms === COUNTRY_TERMS.BENIN && rest === 8));
  return isInternational ? digits.slice(dial.length) : digits;
}

/**
 * An international number read back in groups, before a person confirms: "+225 07 01 02 03 04",
 * however it was spaced. Any other text stays as it was written.
 */
export function groupPhone(written: string): string {
  const e164 = withoutSpacing(written);
  const terms = Object.values(COUNTRY_TERMS).find(({ dial }) => e164.startsWith(`+${dial}`));
  if (terms === undefined || !/^\+\d+$/.test(e164)) return written;
  const national = e164.slice(terms.dial.length + 1);
  const groups =
    terms === COUNTRY_TERMS.SENEGAL
      ? [national.slice(0, 2), national.slice(2, 5), national.slice(5, 7), national.slice(7)]
      : (national.match(/.{1,2}/g) ?? []);
  return [`+${terms.dial}`, ...groups.filter((group) => group !== "")].join(" ");
}

/** "+225••••04": the country and the end, where the number itself must not stay or be shown. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 4)}••••${e164.slice(-2)}`;
}
