import { MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../../test/harness.ts";
import {
  createDeskFixtures,
  DESK_ENV,
  type DeskFixtures,
  sellerBalance,
} from "../../../../test/withdrawals.ts";

let app: TestApp;
let desk: DeskFixtures;
let awa: SignedInBuyer;
let binta: SignedInBuyer;
let chief: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({ env: DESK_ENV });
  desk = createDeskFixtures(app);
  awa = await desk.agent(0);
  binta = await desk.agent(1);
  chief = await desk.operator();
});
afterAll(() => app?.close());

const WRONG_NUMBER = { reason_code: "wrong-number" };

describe("an approval by hand", () => {
  test("waits for the operator's reference, then the money is received", async () => {
    const { id, seller } = await desk.request({ amount: 7_000 });
    await desk.act(awa, { id, action: "claim" });
    const approved = await desk.act(awa, { id, action: "approve", body: { lane: "manual" } });
    expect(approved.body).toMatchObject({
      status: "approved",
      withdrawal: {
        stage: "to-pay",
        claim: { mine: true },
        may: { paid: { allowed: true }, failed: { allowed: true }, approve: { allowed: false } },
      },
    });
    expect(
      await desk.act(binta, { id, action: "paid", body: { reference: "CI1.2" } }),
    ).toMatchObject({ status: 409, body: { code: "desk.claimed-by-other" } });
    const paid = await desk.act(awa, { id, action: "paid", body: { reference: " CI 2401.77 " } });
    expect(paid.body.withdrawal).toMatchObject({
      stage: "paid",
      claim: null,
      payout: { lane: "manual", status: "succeeded", operator_reference: "CI2401.77" },
    });
    expect(await sellerBalance(app, seller, "premium")).toEqual({
      posted: 0,
      held: 0,
      available: 0,
    });
    expect(await desk.deeds(id)).toEqual([
      "withdrawal.claim",
      "withdrawal.approve",
      "withdrawal.paid",
    ]);
  });

  test("is told as paid by the agent who sent it, even after his time, if nobody took it", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, { id, action: "approve", body: { lane: "manual" } });
    app.clock.advance(40 * MINUTE_MS);
    const reference = { reference: "CI2401.78" };
    expect(await desk.act(binta, { id, action: "paid", body: reference })).toMatchObject({
      status: 409,
      body: { code: "desk.not-claimed" },
    });
    expect((await desk.act(awa, { id, action: "paid", body: reference })).status).toBe(200);
  });

  test("settles at once when the money was sent already", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    const body = { lane: "manual", reference: "CI2401.79" };
    const approved = await desk.act(awa, { id, action: "approve", body });
    expect(approved.body.withdrawal).toMatchObject({ stage: "paid", claim: null });
  });

  test("that fails gives the francs back, and the seller reads why", async () => {
    const { id, seller } = await desk.request({ amount: 3_000 });
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, { id, action: "approve", body: { lane: "manual" } });
    const body = { reason: "Le compte a atteint son plafond." };
    const failed = await desk.act(awa, { id, action: "failed", body });
    expect(failed.body).toMatchObject({
      status: "rejected",
      withdrawal: { stage: "failed", reject_reason: body.reason, claim: null },
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      available: 3_000,
      held: 0,
    });
  });

  test("is proved once by a reference, whatever its letters", async () => {
    const first = await desk.request();
    await desk.payByHand(awa, first.id, "MP-99.Ab");
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    const same = { lane: "manual", reference: "mp-99.aB" };
    expect(await desk.act(awa, { id, action: "approve", body: same })).toMatchObject({
      status: 409,
      body: { code: "desk.reference-used" },
    });
    // A refusal leaves nothing behind: still pending, still his.
    expect(await desk.detail(awa, id)).toMatchObject({ status: "pending", claim: { mine: true } });
    expect(await desk.payouts(id)).toEqual([]);
  });
});

describe("an approval by a provider", () => {
  test("makes one payout when twenty agents approve at once", async () => {
    const { id } = await desk.request({ amount: 9_000 });
    const agents = await desk.agents(20);
    await desk.act(awa, { id, action: "claim" });
    const body = { lane: "paydunya" };
    const answers = await Promise.all([
      ...agents.map((agent) => desk.act(agent, { id, action: "approve", body })),
      // Double taps of the one who has it, and agents who take it at that moment.
      ...[1, 2, 3].map(() => desk.act(awa, { id, action: "approve", body })),
      ...agents.map((agent) => desk.act(agent, { id, action: "claim" })),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const approvals = answers.filter(({ body: said }) => said.status === "approved");
    expect(approvals).toHaveLength(1);
    expect(await desk.payouts(id)).toHaveLength(1);
    expect((await desk.deeds(id)).filter((deed) => deed === "withdrawal.approve")).toHaveLength(1);
    await app.drain();
    app.clock.advance(5_000);
    await app.drain();
    const sent = app.emulators.paydunya.list().filter(({ amount }) => amount === 9_000);
    expect(sent).toHaveLength(1);
  });

  test("is answered again by its key, and refused with other content", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    const approve = (lane: string) =>
      desk.act(awa, { id, action: "approve", body: { lane }, key: `k-${id}` });
    const [one, two] = await Promise.all([approve("manual"), approve("manual")]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(await desk.payouts(id)).toEqual([{ lane: "manual", status: "ready" }]);
    expect(await approve("paydunya")).toMatchObject({
      status: 409,
      body: { code: "request.key-reused" },
    });
  });

  test("is refused by a lane that cannot serve, before any call", async () => {
    const { id } = await desk.request({ amount: 150 });
    const detail = await desk.detail(awa, id);
    expect(detail.lanes.find((lane) => lane.id === "manual")).toMatchObject({ open: true });
    const closed = detail.lanes.find((lane) => lane.id === "paydunya");
    expect(closed).toMatchObject({ open: false, reason: expect.stringContaining("200") });
    await desk.act(awa, { id, action: "claim" });
    expect(
      await desk.act(awa, { id, action: "approve", body: { lane: "paydunya" } }),
    ).toMatchObject({
      status: 422,
      body: { code: "desk.lane-amount" },
    });
    expect(app.emulators.paydunya.list().some(({ amount }) => amount === 150)).toBe(false);
  });
});

describe("a rejection", () => {
  test("gives the francs back with the sentence of its reason", async () => {
    const { id, seller } = await desk.request({ amount: 2_000 });
    await desk.act(awa, { id, action: "claim" });
    const rejected = await desk.act(awa, { id, action: "reject", body: WRONG_NUMBER });
    expect(rejected.body).toMatchObject({
      status: "rejected",
      withdrawal: {
        stage: "rejected",
        reject_reason: "Le numéro de transfert n'est pas valable chez cet opérateur.",
      },
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      available: 2_000,
      held: 0,
    });
    const seen = await app.call<{ demande: object }>("GET", `/api/users/retrait/${id}`, {
      token: seller.token,
    });
    expect(seen.body.demande).toMatchObject({
      status: "rejected",
      motif: "Le numéro de transfert n'est pas valable chez cet opérateur.",
    });
  });

  test("takes the agent's own words", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    const body = { reason_code: "other", reason: "  Compte au nom d'un tiers <b> " };
    expect((await desk.act(awa, { id, action: "reject", body })).body.withdrawal).toMatchObject({
      reject_reason: "Compte au nom d'un tiers <b>",
    });
  });
});

describe("nobody acts on his own request", () => {
  test.each([
    ["claim", {}],
    ["release", {}],
    ["approve", { lane: "manual" }],
    ["paid", { reference: "CI1.23" }],
    ["failed", { reason: "Plafond atteint" }],
    ["reject", { reason_code: "other", reason: "Plafond atteint" }],
    ["resolve", { outcome: "sent", reason: "Vu chez l'opérateur" }],
  ])("%s", async (action, body) => {
    const mine = await desk.sellingAgent(2);
    const { id } = await desk.request({ seller: mine });
    expect(await desk.act(mine, { id, action, body })).toMatchObject({
      status: 403,
      body: { code: "desk.own-request" },
    });
    const seen = await desk.detail(mine, id);
    expect(seen.own).toBe(true);
    expect(Object.values(seen.may).every(({ allowed }) => !allowed)).toBe(true);
    expect(await desk.deeds(id)).toEqual([]);
  });
});

describe("an operator", () => {
  test("is an agent too", async () => {
    const { id } = await desk.request();
    await desk.payByHand(chief, id, "OP-1.1");
    expect((await desk.detail(awa, id)).stage).toBe("paid");
  });
});
