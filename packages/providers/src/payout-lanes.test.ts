import { fcfa } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFedapayPayouts } from "./fedapay/index.ts";
import { createMonerooPayouts } from "./moneroo/index.ts";
import { createPaydunyaPayouts } from "./paydunya/index.ts";
import type { PayoutProvider, PayoutRequest } from "./port.ts";
import { hostProvider, type ProviderHost } from "./provider.test-host.ts";

let host: ProviderHost;
let lanes: Record<"paydunya" | "moneroo" | "fedapay", PayoutProvider>;

beforeAll(async () => {
  host = await hostProvider(() => ({ status: 500, body: {} }));
  const { apiRoot } = host;
  lanes = {
    paydunya: createPaydunyaPayouts({ masterKey: "m", privateKey: "p", token: "t", apiRoot }),
    moneroo: createMonerooPayouts({ secretKey: "k", webhookSecret: "w", apiRoot }),
    fedapay: createFedapayPayouts({
      secretKey: "k",
      webhookSecret: "w",
      apiRoot,
      now: () => new Date(0),
    }),
  };
});
afterAll(() => host.close());

/** The fifteen methods of B §3, a number of each, and who may send to it (reference §3). */
const METHODS: readonly [method: string, phone: string, paydunya: 0 | 1, m: 0 | 1, f: 0 | 1][] = [
  ["orange-money-ci", "+2250701020304", 1, 1, 1],
  ["mtn-ci", "+2250501020304", 1, 1, 1],
  ["moov-ci", "+2250101020304", 1, 1, 1],
  ["wave-ci", "+2250701020304", 1, 1, 1],
  ["orange-money-senegal", "+221771020304", 1, 1, 1],
  ["free-money-senegal", "+221761020304", 1, 1, 1],
  ["expresso-senegal", "+221701020304", 1, 1, 0],
  ["wave-senegal", "+221771020304", 1, 1, 1],
  ["mtn-benin", "+2290197000000", 1, 1, 1],
  ["moov-benin", "+2290195000000", 1, 1, 1],
  ["t-money-togo", "+22890010203", 1, 1, 1],
  ["moov-togo", "+22896010203", 1, 1, 1],
  ["orange-money-mali", "+22370010203", 1, 1, 1],
  ["orange-money-burkina", "+22607010203", 1, 0, 1],
  ["moov-burkina-faso", "+22602010203", 1, 0, 1],
];

const cases = METHODS.flatMap(([method, phone, paydunya, moneroo, fedapay]) => [
  { lane: "paydunya" as const, method, phone, serves: paydunya === 1 },
  { lane: "moneroo" as const, method, phone, serves: moneroo === 1 },
  { lane: "fedapay" as const, method, phone, serves: fedapay === 1 },
]);

const requestOf = (method: string, phone: string): PayoutRequest => ({
  reference: "wd-17-1",
  withdrawalId: "17",
  amount: fcfa(5000),
  method,
  phone,
  description: "Retrait 17",
  recipient: { firstName: "Awa", lastName: "Diop", email: "17@app.example" },
  callbackUrl: "https://app.example/webhooks/paydunya",
});

describe("which lane serves which method", () => {
  test.each(cases)("$lane and $method: $serves", ({ lane, method, serves }) => {
    expect(lanes[lane].cannotServe(method, fcfa(5000))).toEqual(serves ? null : { kind: "method" });
  });

  test.each(cases.filter(({ serves }) => !serves))(
    "$lane refuses $method before any call, even when it is asked all the same",
    async ({ lane, method, phone }) => {
      const before = host.calls.length;
      const refused = { ok: false, refusal: { kind: "request", message: null } };
      expect(await lanes[lane].prepare(requestOf(method, phone))).toEqual(refused);
      expect(host.calls).toHaveLength(before);
    },
  );

  test("a word that is no method is nobody's, whatever objects have by nature", () => {
    for (const method of ["", "orange", "djamo-ci", "constructor", "__proto__", "toString"]) {
      for (const lane of Object.values(lanes)) {
        expect(lane.cannotServe(method, fcfa(5000))).toEqual({ kind: "method" });
      }
    }
  });

  test("a number of another country is refused before any call", async () => {
    const before = host.calls.length;
    for (const phone of ["+221771020304", "2250701020304", "0701020304", "+225", "", "+225abc"]) {
      for (const lane of Object.values(lanes)) {
        expect(await lane.prepare(requestOf("orange-money-ci", phone))).toMatchObject({
          ok: false,
          refusal: { kind: "request" },
        });
      }
    }
    expect(host.calls).toHaveLength(before);
  });
});

describe("which lane serves which amount", () => {
  test("PayDunya sends 200 francs and more", () => {
    const { paydunya } = lanes;
    expect(paydunya.cannotServe("mtn-ci", fcfa(199))).toEqual({
      kind: "amount",
      min: fcfa(200),
      max: null,
    });
    expect(paydunya.cannotServe("mtn-ci", fcfa(200))).toBeNull();
    expect(paydunya.cannotServe("mtn-ci", fcfa(500_000))).toBeNull();
  });

  test("FedaPay sends a million at most", () => {
    const { fedapay } = lanes;
    expect(fedapay.cannotServe("mtn-ci", fcfa(1_000_001))).toEqual({
      kind: "amount",
      min: fcfa(1),
      max: fcfa(1_000_000),
    });
    expect(fedapay.cannotServe("mtn-ci", fcfa(1_000_000))).toBeNull();
  });

  test("nobody sends nothing, and the method is said before the amount", () => {
    for (const lane of Object.values(lanes)) {
      expect(lane.cannotServe("mtn-ci", fcfa(0))).toMatchObject({ kind: "amount" });
      expect(lane.cannotServe("nowhere", fcfa(0))).toEqual({ kind: "method" });
    }
  });
});
