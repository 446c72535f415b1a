import type { MethodKey } from "@sesame/contract/payment-accounts";
import type { Plan } from "@sesame/contract/plans";
import { describe, expect, test } from "vitest";
import type { KeysRow } from "./keys.ts";
import { offersBy, type SellerMethods } from "./offers.ts";

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

type Case = {
  readonly instance?: readonly MethodKey[];
  readonly plan?: Plan | null;
  readonly keys?: readonly KeysRow[];
  readonly off?: readonly MethodKey[];
  readonly on?: readonly MethodKey[];
  readonly starsOnly?: boolean;
  readonly readable?: boolean;
  /** The platform sells: a plan. */
  readonly ours?: boolean;
};

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

describe("what a seller is paid by", () => {
  test.each<[string, Case, string]>([
    ["the instance's accounts, for everybody", { plan: "free" }, "moneroo stars"],
    ["also before a plan is chosen", { plan: null }, "moneroo stars"],
    ["KkiaPay only when he switches it on", { instance: ["moneroo", "kkiapay"] }, "moneroo"],
    [
      "KkiaPay switched on",
      { instance: ["moneroo", "kkiapay"], on: ["kkiapay"] },
      "moneroo kkiapay",
    ],
    ["not what he switched off", { off: ["moneroo"] }, "stars"],
    ["nothing, all switched off", { off: ["moneroo", "stars"] }, ""],
    [
      "his own account in place of the instance's",
      { keys: [keysOf("moneroo")] },
      "moneroo:own stars",
    ],
    [
      "his own where the instance has none",
      { keys: [keysOf("paydunya")] },
      "moneroo stars paydunya:own",
    ],
    ["not his own, switched off", { keys: [keysOf("moneroo")], off: ["moneroo"] }, "stars"],
    [
      "the instance's again when premium is over",
      { keys: [keysOf("moneroo")], plan: "free" },
      "moneroo stars",
    ],
    [
      "nothing in place of his own abroad when premium is over",
      { keys: [keysOf("paydunya")], plan: "free" },
      "moneroo stars",
    ],
    ["refused keys send the money nowhere else", { keys: [keysOf("moneroo", true)] }, "stars"],
    ["keys that do not open sell nothing", { keys: [keysOf("moneroo")], readable: false }, "stars"],
    [
      "Stars alone where the operator says so",
      { starsOnly: true, keys: [keysOf("paydunya")] },
      "stars",
    ],
    ["nothing then, if he switched Stars off", { starsOnly: true, off: ["stars"] }, ""],
    ["nothing then, if the instance has no Stars", { starsOnly: true, instance: ["moneroo"] }, ""],
    [
      "a plan by the instance's accounts, KkiaPay too",
      { ours: true, instance: ["kkiapay"] },
      "kkiapay",
    ],
    ["a plan by Stars alone", { ours: true, starsOnly: true }, "stars"],
  ])("%s", (_rule, given, expected) => {
    expect(sells(given)).toBe(expected);
  });
});
