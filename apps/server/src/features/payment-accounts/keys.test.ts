import {
  type AggregatorKey,
  maskKey,
  type MethodKey,
  type UserAggregatorBody,
} from "@sesame/contract/payment-accounts";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Keys } from "../../config.ts";
import { areOfOneAccount, areSandboxKeys, readKeys } from "./change-methods.ts";
import type { Plan } from "@sesame/contract/plans";
import { bindingOf, findKeys, type KeysRow, openKeys, rotateKeys } from "./keys.ts";
import { offersBy, type SellerMethods } from "./offers.ts";
import { sql } from "kysely";
import { rotateKeysCommand } from "../../../../../tools/administer.ts";
import { sellMany } from "../../../test/bulk-sales.ts";
import { openOwnDatabase } from "../../../test/tables.ts";
import { createVault, SecretUnreadable, type Vault } from "../../secrets/vault.ts";

const SECRET = "sk_live_0123456789abcdef";
const PUBLIC = "pk_live_0123456789abcdef";
const HOOK = "wh_live_0123456789abcdef";

/** `saved`: the stored keys; `expected`: the resulting keys, or the refusal. */
type Given = readonly [
  rule: string,
  provider: AggregatorKey,
  body: UserAggregatorBody,
  expected: Keys | string,
  saved?: Keys,
];

describe("the keys a seller gives", () => {
  const kept = { secretKey: SECRET };
  const cases: readonly Given[] = [
    ["by name", "moneroo", { keys: kept }, kept],
    ["trimmed", "moneroo", { keys: { secretKey: ` ${SECRET}\n` } }, kept],
    ["as B has them", "moneroo", kept, kept],
    ["as B has them, the API's alone", "moneroo", { apiKey: SECRET }, kept],
    ["as B has them, both", "fedapay", { apiKey: PUBLIC, ...kept }, { publicKey: PUBLIC, ...kept }],
    ["as B has a token", "cryptopay", { apiKey: "12345:AAAAAAAA" }, { token: "12345:AAAAAAAA" }],
    [
      "those left out stand",
      "fedapay",
      { keys: { webhookSecret: HOOK, secretKey: "" } },
      { ...kept, webhookSecret: HOOK },
      kept,
    ],
    ["none of another provider's", "moneroo", { keys: { ...kept, token: HOOK } }, kept],
    ["a required one missing", "kkiapay", { keys: { publicKey: PUBLIC } }, "keys-incomplete"],
    ["nothing", "moneroo", { keys: {} }, "keys-incomplete"],
    ["null", "moneroo", { keys: { secretKey: null } }, "keys-incomplete"],
    ["a blank inside", "moneroo", { keys: { secretKey: "sk_live 0123456789" } }, "key-malformed"],
    ["too short", "moneroo", { keys: { secretKey: "short" } }, "key-malformed"],
    ["no text", "moneroo", { keys: { secretKey: 123_456_789 } }, "key-malformed"],
    ["another alphabet", "moneroo", { keys: { secretKey: "clé-secrète-é" } }, "key-malformed"],
  ];
  test.for(cases)("%s", ([, provider, body, expected, saved]) => {
    const read = readKeys(provider, body, saved ?? {});
    const refusal = `aggregators.${expected}`;
    const found = read.ok ? read.value : read.refusal.kind;
    expect(found).toEqual(typeof expected === "string" ? refusal : expected);
  });

  test("are recognised as a sandbox's where the provider marks them", () => {
    const sandbox = ["sk_sandbox_abcdefgh", "test_private_abcdefgh", "pvk_sandbox_abcdefgh"];
    for (const secretKey of sandbox) expect(areSandboxKeys({ secretKey })).toBe(true);
    for (const secretKey of [SECRET, "live_private_abc", "latest_key_1", "12345:AAA"]) {
      expect(areSandboxKeys({ secretKey })).toBe(false);
    }
  });

  test("are of one account while all that identifies it is the same", () => {
    const keys = { secretKey: SECRET, publicKey: PUBLIC };
    expect(areOfOneAccount("fedapay", keys, { ...keys, webhookSecret: HOOK })).toBe(true);
    expect(areOfOneAccount("fedapay", keys, { secretKey: SECRET })).toBe(true);
    expect(areOfOneAccount("kkiapay", keys, { secretKey: SECRET })).toBe(false);
    expect(areOfOneAccount("fedapay", keys, { ...keys, secretKey: HOOK })).toBe(false);
  });

  test("are displayed by their end alone", () => {
    expect(maskKey(SECRET)).toBe("sk_live_…cdef");
    expect(maskKey("12345:AAAAAAAAAAAAwxyz")).toBe("…wxyz");
    expect(maskKey("shortkey")).toBe("…");
  });
});

const AT = new Date("2026-11-16T09:00:00.000Z");

const keysOf = (provider: KeysRow["provider"], refused = false): KeysRow => ({
  id: 7n,
  seller_id: 1n,
  provider,
  secrets: new Uint8Array(),
  secrets_key_id: "k",
  masked: {},
  version: 1,
  changed_at: AT,
  verified_at: AT,
  refused_at: refused ? AT : null,
  ended_at: null,
});

/** `ours`: the platform sells, a plan. */
type Case = { plan?: Plan | null; keys?: readonly KeysRow[] } & Partial<
  Record<"instance" | "off" | "on", readonly MethodKey[]> &
    Record<"starsOnly" | "readable" | "ours", boolean>
>;

function sells(of: Case): string {
  const { instance = ["moneroo", "stars"], plan = "premium", keys = [], off = [], on = [] } = of;
  const switches = [...off, ...on].map((provider) => {
    return { provider, active: on.includes(provider), changed_at: AT };
  });
  const methods: SellerMethods | null = of.ours ? null : { plan, keys, switches };
  const { starsOnly = false, readable = true } = of;
  const offers = offersBy({ instance, starsOnly, isReadable: () => readable }, methods);
  return offers.map(({ provider, keyId }) => (keyId ? `${provider}:own` : provider)).join(" ");
}

const OWN = { keys: [keysOf("moneroo")] };
const OWN_PAYDUNYA = { keys: [keysOf("paydunya")] };

test.each<[string, Case, string]>([
  ["the instance's accounts, for everybody", { plan: "free" }, "moneroo stars"],
  ["also before a plan is chosen", { plan: null }, "moneroo stars"],
  ["KkiaPay only when he switches it on", { instance: ["moneroo", "kkiapay"] }, "moneroo"],
  ["KkiaPay switched on", { instance: ["moneroo", "kkiapay"], on: ["kkiapay"] }, "moneroo kkiapay"],
  ["not what he switched off", { off: ["moneroo"] }, "stars"],
  ["nothing, all switched off", { off: ["moneroo", "stars"] }, ""],
  ["his own account in place of the instance's", { ...OWN }, "moneroo:own stars"],
  ["his own where the instance has none", { ...OWN_PAYDUNYA }, "moneroo stars paydunya:own"],
  ["not his own, switched off", { ...OWN, off: ["moneroo"] }, "stars"],
  ["the instance's again when premium is over", { ...OWN, plan: "free" }, "moneroo stars"],
  [
    "nothing in place of his own abroad when premium is over",
    { ...OWN_PAYDUNYA, plan: "free" },
    "moneroo stars",
  ],
  ["refused keys send the money nowhere else", { keys: [keysOf("moneroo", true)] }, "stars"],
  ["keys that do not open sell nothing", { ...OWN, readable: false }, "stars"],
  ["Stars alone where the operator says so", { starsOnly: true, ...OWN_PAYDUNYA }, "stars"],
  ["nothing then, if he switched Stars off", { starsOnly: true, off: ["stars"] }, ""],
  ["nothing then, if the instance has no Stars", { starsOnly: true, instance: ["moneroo"] }, ""],
  [
    "a plan by the instance's accounts, KkiaPay too",
    { ours: true, instance: ["kkiapay"] },
    "kkiapay",
  ],
  ["a plan by Stars alone", { ours: true, starsOnly: true }, "stars"],
])("the account for payments to a seller: %s", (_rule, given, expected) => {
  expect(sells(given)).toBe(expected);
});

const NOW = new Date("2026-11-16T09:00:00.000Z");
const ROWS = 130;
const keyOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at * 11 + seed) & 255);
const [old, fresh] = [keyOf(3), keyOf(4)];
const before = createVault({ current: old, previous: [] });
const during = createVault({ current: fresh, previous: [old] });
const after = createVault({ current: fresh, previous: [] });

const secretOf = (id: bigint) => `sk_live_secret-of-${id}`;
const ids: bigint[] = [];

const own = await openOwnDatabase(4);
const { url, db, close } = own;
await sellMany(db, { sellers: ROWS, buyers: 1, orders: 1, now: NOW });
const sellerIds = await own.values<bigint>`SELECT id FROM sellers ORDER BY id`;
for (const [nth, sellerId] of sellerIds.entries()) {
  const id = BigInt(nth + 1);
  const row = bindingOf({ id, seller_id: sellerId, provider: "moneroo" });
  const sealed = before.seal(JSON.stringify({ secretKey: secretOf(id) }), row);
  await sql`
    INSERT INTO seller_keys (id, seller_id, provider, secrets, secrets_key_id, masked,
      account_hash, created_at, changed_at, verified_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${sellerId}, 'moneroo', ${sealed.bytes}, ${sealed.keyId}, '{}',
      ${Buffer.of(1)}, ${NOW}, ${NOW}, ${NOW})
  `.execute(db);
  ids.push(id);
}
afterAll(close);

/** Keys that do not decrypt to what they were. */
async function lost(vault: Vault): Promise<bigint[]> {
  const wrong: bigint[] = [];
  for (const id of ids) {
    const row = await findKeys(db, id);
    const keys = row && openKeys(vault, row);
    const opens = keys && !(keys instanceof SecretUnreadable) && keys.secretKey === secretOf(id);
    if (!opens) wrong.push(id);
  }
  return wrong;
}

describe("rotating the key of secrets", () => {
  test("rewrites every row while all of them are read, by two commands at once", async () => {
    expect(await lost(after)).toHaveLength(ROWS);
    let rotating = true;
    const reading = async (): Promise<bigint[]> => {
      const wrong: bigint[] = [];
      do wrong.push(...(await lost(during)));
      while (rotating);
      return wrong;
    };
    const read = reading();
    const rotations = await Promise.all([1, 2].map(() => rotateKeys(db, during)));
    rotating = false;
    expect(await read).toEqual([]);
    expect(rotations.map(({ rewritten }) => rewritten).reduce((a, b) => a + b)).toBe(ROWS);
    expect(await lost(after)).toEqual([]);
    expect(await rotateKeys(db, during)).toEqual({ rewritten: 0, unreadable: [] });
    expect(await own.value`SELECT DISTINCT version FROM seller_keys`).toBe(1);
  });

  test("skips what it cannot decrypt, reports which, and continues with the others", async () => {
    const base64 = (key: Uint8Array) => Buffer.from(key).toString("base64");
    await sql`UPDATE seller_keys SET secrets = secrets || '\\x00'::bytea WHERE id = 7`.execute(db);
    const damaged = await findKeys(db, 7n);
    const said: string[] = [];
    const listen = (text: unknown) => void said.push(String(text));
    const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")];
    for (const spy of spies) spy.mockImplementation(listen);
    const env = { DATABASE_URL: url, SECRETS_KEY: base64(keyOf(5)) };
    const blind = await rotateKeysCommand(env);
    const code = await rotateKeysCommand({ ...env, SECRETS_KEY_PREVIOUS: base64(fresh) });
    for (const spy of spies) spy.mockRestore();
    expect([blind, code]).toEqual([1, 1]);
    expect(said.join("\n")).toContain(`${ROWS - 1} sets of keys`);
    expect(said.join("\n")).toContain("seller_keys 7.");
    expect(await findKeys(db, 7n)).toEqual(damaged);
    expect(await lost(createVault({ current: keyOf(5), previous: [] }))).toEqual([7n]);
    for (const key of [old, fresh]) expect(said.join("\n")).not.toContain(base64(key));
  });
});
