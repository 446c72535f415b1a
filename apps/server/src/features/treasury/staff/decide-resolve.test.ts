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
  // Moneroo finds nothing by our reference: without its notice nobody knows.
  app.emulators.moneroo.payouts.notices.drop = true;
});
afterAll(() => app?.close());

/** Sent to Moneroo, whose answer was lost. */
async function uncertain(amount: number) {
  app.emulators.moneroo.payouts.fault("timeout-after");
  const request = await desk.request({ amount });
  await desk.act(awa, { id: request.id, action: "claim" });
  const body = { lane: "moneroo" };
  expect((await desk.act(awa, { id: request.id, action: "approve", body })).status).toBe(200);
  await app.drain();
  expect((await desk.detail(awa, request.id)).stage).toBe("uncertain");
  const theirs = app.emulators.moneroo.payouts.list().find((payout) => payout.amount === amount);
  return { ...request, theirs: theirs?.id ?? "" };
}

const SEEN = "Vu sur la page du prestataire";

describe("an uncertain payout", () => {
  test("is left by another agent's word, or an operator's, not by his who approved", async () => {
    const { id, seller } = await uncertain(1_100);
    const body = { outcome: "sent", reason: SEEN, reference: "MP1.23" };
    expect(await desk.act(awa, { id, action: "resolve", body })).toMatchObject({
      status: 403,
      body: { code: "desk.resolve-by-other" },
    });
    expect((await desk.act(binta, { id, action: "resolve", body })).body).toMatchObject({
      status: "approved",
      withdrawal: { stage: "paid" },
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ posted: 0 });
    expect(await desk.act(chief, { id, action: "resolve", body })).toMatchObject({
      status: 409,
      body: { code: "desk.not-uncertain" },
    });
  });

  test("that was not sent gives the francs back", async () => {
    const { id, seller } = await uncertain(1_200);
    const body = { outcome: "not-sent", reason: SEEN };
    expect((await desk.act(chief, { id, action: "resolve", body })).body).toMatchObject({
      status: "rejected",
      withdrawal: { stage: "failed" },
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      available: 1_200,
      held: 0,
    });
  });

  test("is linked to the provider's own, which is asked and compared first", async () => {
    const other = await uncertain(1_300);
    const { id, theirs } = await uncertain(1_400);
    const link = (provider_payout_id: string) =>
      desk.act(binta, {
        id,
        action: "resolve",
        body: { outcome: "link", provider_payout_id, reason: SEEN },
      });
    expect((await link("nothing-of-theirs")).body.code).toBe("desk.payout-unknown");
    expect((await link(other.theirs)).body.code).toBe("desk.payout-differs");
    expect((await link(theirs)).status).toBe(200);
    app.clock.advance(60_000);
    await app.drain();
    expect((await desk.detail(awa, id)).stage).toBe("paid");
  });

  test("is refused by its fields in their order, each time before the next", async () => {
    const { id } = await uncertain(1_500);
    for (const [body, code] of [
      [{}, "desk.outcome-unknown"],
      [{ outcome: "maybe" }, "desk.outcome-unknown"],
      [{ outcome: "link" }, "desk.payout-id-missing"],
      [{ outcome: "sent", reference: "!" }, "desk.reference-invalid"],
      [{ outcome: "sent" }, "desk.reason-missing"],
      [{ outcome: "not-sent", reason: "  x " }, "desk.reason-missing"],
      [{ outcome: "not-sent", reason: "x".repeat(501) }, "desk.reason-too-long"],
    ] as const) {
      // By the agent who approved: his own refusal comes after.
      const answer = await desk.act(awa, { id, action: "resolve", body });
      expect([answer.status, answer.body.code]).toEqual([422, code]);
    }
  });

  test("is neither paid by hand, nor failed, nor rejected", async () => {
    const { id } = await uncertain(1_600);
    for (const [action, body, code] of [
      ["paid", { reference: "MP1.24" }, "desk.nothing-to-pay"],
      ["failed", { reason: SEEN }, "desk.nothing-to-pay"],
      ["reject", { reason_code: "suspicious" }, "desk.already-decided"],
      ["claim", {}, "desk.already-decided"],
      ["release", {}, "desk.not-claimed"],
    ] as const) {
      const answer = await desk.act(chief, { id, action, body });
      expect([answer.status, answer.body.code]).toEqual([409, code]);
    }
    expect((await desk.detail(chief, id)).stage).toBe("uncertain");
  });
});

describe("a payout that was received", () => {
  /** By hand, by the agent. */
  async function paid(amount: number, reference: string) {
    const request = await desk.request({ amount });
    await desk.act(awa, { id: request.id, action: "claim" });
    const approved = { lane: "manual", reference };
    await desk.act(awa, { id: request.id, action: "approve", body: { lane: "manual" } });
    await desk.act(awa, { id: request.id, action: "paid", body: approved });
    expect((await desk.detail(awa, request.id)).stage).toBe("paid");
    return request;
  }
  const came = (reference?: string) => ({ outcome: "returned", reason: SEEN, reference });

  test("and came back is its seller's again, by an operator's word and proof", async () => {
    const { id, seller } = await paid(1_700, "MP2.1");
    const say = async (who: SignedInBuyer, body: object) => {
      const answer = await desk.act(who, { id, action: "resolve", body });
      return [answer.status, answer.body.code];
    };
    expect(await say(binta, came("RV1.1"))).toEqual([409, "desk.not-uncertain"]);
    expect(await say(chief, came())).toEqual([422, "desk.reference-missing"]);
    expect(await say(chief, came("MP1.23"))).toEqual([409, "desk.reference-used"]);
    expect(await say(chief, { outcome: "not-sent", reason: SEEN })).toEqual([
      409,
      "desk.not-uncertain",
    ]);
    expect((await desk.detail(chief, id)).may.resolve.allowed).toBe(true);
    const answer = await desk.act(chief, { id, action: "resolve", body: came("RV1.1") });
    expect(answer.body).toMatchObject({ status: "rejected", withdrawal: { stage: "failed" } });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ available: 1_700 });
    expect(await say(chief, came("RV1.2"))).toEqual([409, "desk.not-uncertain"]);
    const { trace, may } = await desk.detail(chief, id);
    expect(trace.map(({ label }) => label)).toContain("Argent revenu, solde rendu");
    expect(may.resolve.allowed).toBe(false);
    const history = await app.call("GET", "/api/transactions?type=return", { token: seller.token });
    expect(history.body).toMatchObject({ transactions: [{ amount: 1_700, status: "success" }] });
  });

  test("is not proved sent by what has proved another payment", async () => {
    await paid(1_800, "OM.SAME.1");
    const { id } = await uncertain(1_900);
    const body = { outcome: "sent", reason: SEEN, reference: "om.same.1" };
    expect((await desk.act(binta, { id, action: "resolve", body })).body.code).toBe(
      "desk.reference-used",
    );
  });
});

describe("the other refusals", () => {
  test("of a rejection, in order", async () => {
    const { id } = await desk.request();
    const reject = async (body: unknown) => {
      const answer = await desk.act(awa, { id, action: "reject", body });
      return [answer.status, answer.body.code];
    };
    expect(await reject({})).toEqual([422, "desk.reason-code-unknown"]);
    expect(await reject({ reason_code: "payout-failed" })).toEqual([
      422,
      "desk.reason-code-unknown",
    ]);
    expect(await reject({ reason_code: "other" })).toEqual([422, "desk.reason-missing"]);
    expect(await reject({ reason_code: "other", reason: 12 })).toEqual([
      422,
      "desk.reason-missing",
    ]);
    expect(await reject({ reason_code: "suspicious", reason: "x".repeat(501) })).toEqual([
      422,
      "desk.reason-too-long",
    ]);
    expect(await reject({ reason_code: "suspicious" })).toEqual([409, "desk.not-claimed"]);
  });

  test("of a payment by hand, in order", async () => {
    const { id } = await desk.request();
    const paid = async (who: SignedInBuyer, reference: unknown) => {
      const answer = await desk.act(who, { id, action: "paid", body: { reference } });
      return [answer.status, answer.body.code];
    };
    expect(await paid(awa, "")).toEqual([422, "desk.reference-missing"]);
    expect(await paid(awa, "a b")).toEqual([422, "desk.reference-invalid"]);
    expect(await paid(awa, "MP1.25")).toEqual([409, "desk.nothing-to-pay"]);
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, { id, action: "approve", body: { lane: "manual" } });
    expect(await paid(binta, "MP1.25")).toEqual([409, "desk.claimed-by-other"]);
    await desk.act(awa, { id, action: "release" });
    expect(await paid(awa, "MP1.25")).toEqual([409, "desk.not-claimed"]);
    await desk.act(binta, { id, action: "claim" });
    expect(await paid(binta, "MP1.25")).toEqual([200, undefined]);
    expect(await paid(binta, "MP1.25")).toEqual([409, "desk.nothing-to-pay"]);
  });
});

test("a decision's twin sent at once under its key answers the same, with one effect", async () => {
  const { id } = await desk.request({ amount: 1_700 });
  await desk.act(awa, { id, action: "claim" });
  await desk.act(awa, { id, action: "approve", body: { lane: "manual" } });
  const paid = () =>
    desk.act(awa, { id, action: "paid", body: { reference: "MP1.26" }, key: "paid-1" });
  const answers = await Promise.all([paid(), paid(), paid()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await desk.deeds(id)).filter((deed) => deed === "withdrawal.paid")).toHaveLength(1);
  const other = await desk.request();
  const elsewhere = { id: other.id, action: "paid", body: { reference: "MP1.26" }, key: "paid-1" };
  expect(await desk.act(awa, elsewhere)).toMatchObject({
    status: 409,
    body: { code: "request.key-reused" },
  });
});
