import type { AggregatorKey, UserAggregatorBody } from "@sesame/contract/payment-accounts";
import { maskKey } from "@sesame/contract/payment-accounts";
import { describe, expect, test } from "vitest";
import type { Keys } from "../../providers.ts";
import { areOfOneAccount, areSandboxKeys, readKeys } from "./change-methods.ts";

const SECRET = "sk_live_0123456789abcdef";
const PUBLIC = "pk_live_0123456789abcdef";
const HOOK = "wh_live_0123456789abcdef";

function read(provider: AggregatorKey, body: UserAggregatorBody, saved: Keys = {}) {
  const keys = readKeys(provider, body, saved);
  return keys.ok ? keys.value : keys.refusal.kind;
}

type Given = readonly [
  rule: string,
  provider: AggregatorKey,
  body: UserAggregatorBody,
  saved: Keys,
  expected: unknown,
];

describe("the keys a seller gives", () => {
  test.each<Given>([
    ["by name", "moneroo", { keys: { secretKey: SECRET } }, {}, { secretKey: SECRET }],
    ["trimmed", "moneroo", { keys: { secretKey: ` ${SECRET}\n` } }, {}, { secretKey: SECRET }],
    ["as B has them", "moneroo", { secretKey: SECRET }, {}, { secretKey: SECRET }],
    ["as B has them, the API's alone", "moneroo", { apiKey: SECRET }, {}, { secretKey: SECRET }],
    [
      "as B has them, both",
      "fedapay",
      { apiKey: PUBLIC, secretKey: SECRET },
      {},
      { publicKey: PUBLIC, secretKey: SECRET },
    ],
    [
      "as B has a token",
      "cryptopay",
      { apiKey: "12345:AAAAAAAA" },
      {},
      { token: "12345:AAAAAAAA" },
    ],
    [
      "those left out stand",
      "fedapay",
      { keys: { webhookSecret: HOOK, secretKey: "" } },
      { secretKey: SECRET },
      { secretKey: SECRET, webhookSecret: HOOK },
    ],
    [
      "none of another provider's",
      "moneroo",
      { keys: { secretKey: SECRET, token: HOOK } },
      {},
      {
        secretKey: SECRET,
      },
    ],
    [
      "a required one missing",
      "kkiapay",
      { keys: { publicKey: PUBLIC } },
      {},
      "aggregators.keys-incomplete",
    ],
    ["nothing", "moneroo", { keys: {} }, {}, "aggregators.keys-incomplete"],
    ["null", "moneroo", { keys: { secretKey: null } }, {}, "aggregators.keys-incomplete"],
    [
      "a blank inside",
      "moneroo",
      { keys: { secretKey: "sk_live 0123456789" } },
      {},
      "aggregators.key-malformed",
    ],
    ["too short", "moneroo", { keys: { secretKey: "short" } }, {}, "aggregators.key-malformed"],
    ["no text", "moneroo", { keys: { secretKey: 123_456_789 } }, {}, "aggregators.key-malformed"],
    [
      "another alphabet",
      "moneroo",
      { keys: { secretKey: "clé-secrète-é" } },
      {},
      "aggregators.key-malformed",
    ],
  ])("%s", (...given) => {
    const [, provider, body, saved, expected] = given;
    expect(read(provider, body, saved)).toEqual(expected);
  });

  test("are known for a sandbox's where the provider says so in them", () => {
    const sandbox = ["sk_sandbox_abcdefgh", "test_private_abcdefgh", "pvk_sandbox_abcdefgh"];
    for (const secretKey of sandbox) expect(areSandboxKeys({ secretKey })).toBe(true);
    for (const secretKey of [SECRET, "live_private_abc", "latest_key_1", "12345:AAA"]) {
      expect(areSandboxKeys({ secretKey })).toBe(false);
    }
  });

  test("are of one account while all that opens it is the same", () => {
    const keys = { secretKey: SECRET, publicKey: PUBLIC };
    expect(areOfOneAccount("fedapay", keys, { ...keys, webhookSecret: HOOK })).toBe(true);
    expect(areOfOneAccount("fedapay", keys, { secretKey: SECRET })).toBe(true);
    expect(areOfOneAccount("kkiapay", keys, { secretKey: SECRET })).toBe(false);
    expect(areOfOneAccount("fedapay", keys, { ...keys, secretKey: HOOK })).toBe(false);
  });

  test("are shown by their end alone", () => {
    expect(maskKey(SECRET)).toBe("sk_live_…cdef");
    expect(maskKey("12345:AAAAAAAAAAAAwxyz")).toBe("…wxyz");
    expect(maskKey("shortkey")).toBe("…");
  });
});
