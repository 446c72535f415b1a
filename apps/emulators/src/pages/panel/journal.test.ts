import { describe, expect, test } from "vitest";
import type { FaultsView, PayoutView, SmsView, EmulatorState } from "../../wire.ts";
import { callLine, journalBetween } from "./journal.ts";

const FAULTS: FaultsView = {
  telegram: [],
  lateStars: false,
  kkiapay: { emptyPartnerId: false, stateAsText: false, forgedSuccess: false, otherAmount: false },
  updates: { delayMs: 0, copies: 1, reorder: false, drop: false },
  payouts: { paydunya: [], moneroo: [], fedapay: [] },
};
const EMULATORS: EmulatorState = {
  version: 1,
  now: "2026-11-16T09:00:00.000Z",
  offsetMs: 0,
  appUrl: "http://app.test",
  emulatorUrl: "http://emulators.test",
  phones: [],
  persons: [],
  bots: [],
  chats: [],
  dialogs: [],
  talks: [],
  collectors: [],
  merchants: [],
  payouts: [],
  floats: [],
  networks: [],
  wallets: [],
  sms: [],
  faults: FAULTS,
};
const PAYOUT: PayoutView = {
  provider: "paydunya",
  id: "TFA-1",
  handle: "token",
  reference: "wd-1-1",
  amount: 4100,
  cost: 0,
  method: "orange-money-ci",
  phone: "+2250700000001",
  status: "created",
  failure: null,
  operatorReference: null,
  createdAt: EMULATORS.now,
  startedAt: null,
  sentAt: null,
  planted: false,
};

/** The spaces of French figures are not those of the keyboard. */
const said = (before: Partial<EmulatorState>, after: Partial<EmulatorState>) =>
  journalBetween({ ...EMULATORS, ...before }, { ...EMULATORS, ...after }).map(({ text }) =>
    text.replaceAll(/\s/g, " "),
  );

describe("the journal", () => {
  test("shows each step of a payout once", () => {
    const at = (change: Partial<PayoutView>) => ({ payouts: [{ ...PAYOUT, ...change }] });
    expect(said({}, at({}))).toEqual(["PayDunya prépare un versement de 4 100 F CFA"]);
    for (const [before, after, ...words] of [
      [at({}), at({ status: "queued" }), "prend un versement de 4 100 F CFA"],
      [
        at({ status: "pending" }),
        at({ status: "success" }),
        ": 4 100 F CFA reçus au +2250700000001",
      ],
      [at({}), at({ status: "failed", failure: "closed" }), ": 4 100 F CFA échoué (closed)"],
      [at({}), at({})],
      [
        {},
        at({ planted: true, status: "success" }),
        ": versement de 4 100 F CFA que personne n'a demandé",
      ],
    ] as const) {
      expect(said(before, after)).toEqual(words.map((each) => `PayDunya ${each}`));
    }
  });

  test("shows money sent by hand once, by the sender's message", () => {
    const sms: SmsView = {
      id: 1,
      phone: "+2250700000003",
      personId: 3,
      kind: "sent",
      network: "orange-money-ci",
      amount: 500,
      other: { name: "Awa Koné", phone: "+2250700000001" },
      reference: "PP1",
      balance: 0,
      sentAt: EMULATORS.now,
    };
    const both = { sms: [{ ...sms, id: 2, kind: "received" as const }, sms] };
    expect(said({}, both)).toEqual(["Mobile Money : 500 F CFA envoyés à Awa Koné (PP1)"]);
    expect(said({ sms: [{ ...sms, id: 2 }] }, { sms: [{ ...sms, id: 2 }] })).toEqual([]);
  });

  test("shows which provider fails, and that it works again", () => {
    const down = { kind: "down", call: "any", times: null, afterMs: 0 } as const;
    const faults = { ...FAULTS, payouts: { ...FAULTS.payouts, fedapay: [down] } };
    expect(said({}, { faults })).toEqual(["Panne simulée. FedaPay : en panne (503)"]);
    expect(said({ faults }, {})).toEqual(["Plus aucune panne simulée"]);
  });

  test.each([
    ["paydunya", "POST /api/v2/disburse/get-invoice", 200, "on prépare un versement, réponse 200"],
    [
      "paydunya",
      "POST /api/v2/disburse/submit-invoice",
      0,
      "on demande un versement, pas de réponse",
    ],
    ["fedapay", "POST /v1/payouts", 200, "on prépare un versement, réponse 200"],
    ["fedapay", "PUT /v1/payouts/start", 500, "on demande un versement, réponse 500"],
    ["fedapay", "GET /v1/payouts", 200, "on compare les comptes, réponse 200"],
    ["moneroo", "GET /v1/payouts/po_1/verify", 200, "on interroge sur un versement, réponse 200"],
  ] as const)("names %s %s", (...[party, what, status, words]) => {
    const line = callLine({ type: "call", at: EMULATORS.now, party, what, status });
    expect(line?.text.endsWith(words)).toBe(true);
    expect(line?.party).toBe(status === 200 ? "payout" : "fault");
  });
});
