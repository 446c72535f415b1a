import { describe, expect, test } from "vitest";
import type { NetworkView } from "../../wire.ts";
import { checkSend, formatPhone, grouped, withNumber } from "./numbers.ts";

const NETWORKS: NetworkView[] = [
  {
    id: "orange-money-ci",
    name: "Orange Money",
    country: "Côte d'Ivoire",
    dial: "225",
    digits: 10,
  },
  { id: "mtn-ci", name: "MTN MoMo", country: "Côte d'Ivoire", dial: "225", digits: 10 },
  { id: "wave-senegal", name: "Wave", country: "Sénégal", dial: "221", digits: 9 },
];
const EMPTY = { networkId: "mtn-ci", number: "", amount: "" };
const own = { phone: "+2250700000003", personId: 3, network: "orange-money-ci", balance: 1000 };

describe("a number typed or pasted", () => {
  test("keeps its digits, and the network that was chosen", () => {
    expect(withNumber(EMPTY, "05 00 00 00 01", NETWORKS)).toEqual({
      ...EMPTY,
      number: "0500000001",
    });
    expect(withNumber(EMPTY, "+225 05 00 00 00 01", NETWORKS).networkId).toBe("mtn-ci");
    expect(withNumber(EMPTY, "002250500000001", NETWORKS).number).toBe("0500000001");
  });

  test("chooses the country of its code", () => {
    const form = withNumber(EMPTY, "+221 77 123 45 67", NETWORKS);
    expect(form).toMatchObject({ networkId: "wave-senegal", number: "771234567" });
    expect(withNumber(EMPTY, "+33612345678", NETWORKS).networkId).toBe("mtn-ci");
  });

  test("is read back as people say it", () => {
    expect(formatPhone("+2250700000001", NETWORKS)).toBe("+225 07 00 00 00 01");
    expect(formatPhone("+221771234567", NETWORKS)).toBe("+221 77 123 45 67");
    expect(grouped("07000")).toBe("07 00 0");
  });
});

const check = (number: string, amount: string) =>
  checkSend({ networkId: "orange-money-ci", number, amount }, { networks: NETWORKS, own });

test.each([
  ["0700000001", "1 000", { complaint: null, ready: true }],
  ["0700000001", "0", { complaint: null, ready: false }],
  ["0700000001", "1001", { complaint: "short", ready: false }],
  ["070000000", "500", { complaint: "digits", ready: false }],
  ["0700000003", "500", { complaint: "own", ready: false }],
])("money about to be sent to %s, %s francs: %o", (number, amount, expected) => {
  expect(check(number, amount)).toMatchObject(expected);
});
