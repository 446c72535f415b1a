import { describe, expect, test } from "vitest";
import {
  PAYOUT_METHOD_IDS,
  type PayoutMethodId,
  COUNTRY_TERMS,
  PAYOUT_METHODS,
} from "./methods.fr.ts";
import { groupPhone, phoneShape } from "./methods.fr.ts";
import { maskPhone, normalisePhone } from "./policy.ts";

const read = (raw: string, method: PayoutMethodId): string => {
  const phone = normalisePhone(raw, method);
  return phone.ok ? phone.value : phone.refusal.kind;
};

/** A valid number of each method, as people of the country write it, and in E.164. */
const RIGHT: Readonly<Record<PayoutMethodId, readonly [string, string]>> = {
  "orange-money-ci": ["07 01 02 03 04", "+2250701020304"],
  "mtn-ci": ["05 01 02 03 04", "+2250501020304"],
  "moov-ci": ["01 01 02 03 04", "+2250101020304"],
  "wave-ci": ["05 01 02 03 04", "+2250501020304"],
  "orange-money-senegal": ["77 123 45 67", "+221771234567"],
  "free-money-senegal": ["76 123 45 67", "+221761234567"],
  "expresso-senegal": ["70 123 45 67", "+221701234567"],
  "wave-senegal": ["78 123 45 67", "+221781234567"],
  "mtn-benin": ["01 97 00 00 00", "+2290197000000"],
  "moov-benin": ["01 95 00 00 00", "+2290195000000"],
  "t-money-togo": ["90 12 34 56", "+22890123456"],
  "moov-togo": ["99 12 34 56", "+22899123456"],
  "orange-money-mali": ["76 12 34 56", "+22376123456"],
  "orange-money-burkina": ["02 34 56 78", "+22602345678"],
  "moov-burkina-faso": ["70 12 34 56", "+22670123456"],
};

describe("a payout number", () => {
  test.each(PAYOUT_METHOD_IDS)("of %s is read in each way of writing it", (method) => {
    const [national, e164] = RIGHT[method];
    const { dial } = COUNTRY_TERMS[PAYOUT_METHODS[method].country];
    const bare = national.replaceAll(" ", "");
    for (const raw of [
      national,
      bare,
      `+${dial} ${national}`,
      `00${dial}${bare}`,
      `00 ${dial} ${national}`,
      `${dial}${bare}`,
      ` +${dial}-${national.replaceAll(" ", ".")} `,
      `(+${dial}) ${national.replaceAll(" ", "\u00a0")}`,
    ]) {
      expect([raw, read(raw, method)]).toEqual([raw, e164]);
    }
    expect(read(e164, method)).toBe(e164);
  });

  test.each(PAYOUT_METHOD_IDS)("of %s has neither too few digits nor too many", (method) => {
    const [, e164] = RIGHT[method];
    expect(read(e164.slice(0, -1), method)).toBe("withdrawals.phone-invalid");
    expect(read(`${e164}0`, method)).toBe("withdrawals.phone-invalid");
  });

  test.each(PAYOUT_METHOD_IDS)("of %s is of its country", (method) => {
    const { country } = PAYOUT_METHODS[method];
    for (const other of PAYOUT_METHOD_IDS) {
      if (PAYOUT_METHODS[other].country === country) continue;
      expect(read(RIGHT[other][1], method)).toBe("withdrawals.phone-wrong-country");
    }
    expect(read("+33612345678", method)).toBe("withdrawals.phone-wrong-country");
  });

  test("has the operator of its first digits, where they identify one", () => {
    const ivorian = { MOOV: "0101020304", MTN: "0501020304", ORANGE: "0701020304" };
    const methods = { MOOV: "moov-ci", MTN: "mtn-ci", ORANGE: "orange-money-ci" } as const;
    for (const [operator, method] of Object.entries(methods)) {
      for (const [owner, number] of Object.entries(ivorian)) {
        const expected = owner === operator ? `+225${number}` : "withdrawals.phone-wrong-operator";
        expect([method, number, read(number, method)]).toEqual([method, number, expected]);
      }
    }
    for (const number of Object.values(ivorian)) {
      expect(read(number, "wave-ci")).toBe(`+225${number}`);
    }
    expect(read("761234567", "orange-money-senegal")).toBe("withdrawals.phone-wrong-operator");
    expect(read("771234567", "free-money-senegal")).toBe("withdrawals.phone-wrong-operator");
    expect(read("781234567", "expresso-senegal")).toBe("withdrawals.phone-wrong-operator");
    expect(read("781234567", "orange-money-senegal")).toBe("+221781234567");
  });

  test("of Benin in the old form gets 01 before it", () => {
    for (const raw of ["97 00 00 00", "+229 97000000", "0022997000000", "22997000000"]) {
      expect(read(raw, "mtn-benin")).toBe("+2290197000000");
    }
    expect(read("01 97 00 00", "mtn-benin")).toBe("withdrawals.phone-invalid");
  });

  test("has no letters, signs or digits of other scripts", () => {
    const signs = ["abcdef", "07010203o4", "++2250701020304", "٠٧٠١٠٢٠٣٠٤", "0701020304#"];
    for (const raw of ["", ...signs, "0601020304"]) {
      expect(read(raw, "orange-money-ci")).toBe("withdrawals.phone-invalid");
    }
    expect(read("331234567", "wave-senegal")).toBe("withdrawals.phone-invalid");
  });
});

test("the form of a number shows its known digits, and no others", () => {
  expect(Object.fromEntries(PAYOUT_METHOD_IDS.map((id) => [id, phoneShape(id)]))).toEqual({
    "orange-money-ci": "+225 07 XX XX XX XX",
    "mtn-ci": "+225 05 XX XX XX XX",
    "moov-ci": "+225 01 XX XX XX XX",
    "wave-ci": "+225 0X XX XX XX XX",
    "orange-money-senegal": "+221 7X XXX XX XX",
    "free-money-senegal": "+221 76 XXX XX XX",
    "expresso-senegal": "+221 70 XXX XX XX",
    "wave-senegal": "+221 7X XXX XX XX",
    "mtn-benin": "+229 01 XX XX XX XX",
    "moov-benin": "+229 01 XX XX XX XX",
    "t-money-togo": "+228 XX XX XX XX",
    "moov-togo": "+228 XX XX XX XX",
    "orange-money-mali": "+223 XX XX XX XX",
    "orange-money-burkina": "+226 XX XX XX XX",
    "moov-burkina-faso": "+226 XX XX XX XX",
  });
});

test("an international number is grouped as people of the country read it", () => {
  expect(groupPhone("+2250701020304")).toBe("+225 07 01 02 03 04");
  expect(groupPhone("+221771234567")).toBe("+221 77 123 45 67");
  expect(groupPhone("+22890123456")).toBe("+228 90 12 34 56");
  expect(groupPhone("+33612345678")).toBe("+33612345678");
  expect(maskPhone("+2250701020304")).toBe("+225••••04");
  for (const spaced of ["+225 07 01 02 03 04", "+225 0701020304", "+225 (07) 01-02.03 04"]) {
    expect(groupPhone(spaced)).toBe("+225 07 01 02 03 04");
  }
  for (const other of ["07 01 02 03 04", "00225 0701020304", "+225 abc"]) {
    expect(groupPhone(other)).toBe(other);
  }
});
