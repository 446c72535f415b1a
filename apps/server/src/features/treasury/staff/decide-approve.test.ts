import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../../test/harness.ts";
import {
  createDeskFixtures,
  DESK_ENV,
  type DeskFixtures,
  sellerBalance,
} from "../../../../test/withdrawals.ts";

/** From here on two agents approve. */
const LARGE = 100_000;

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

const MANUAL = { lane: "manual" };

/** A large request the first agent has approved. */
async function halfApproved(lane = "manual") {
  const request = await desk.request({ amount: LARGE });
  await desk.act(awa, { id: request.id, action: "claim" });
  const first = await desk.act(awa, { id: request.id, action: "approve", body: { lane } });
  expect(first.status).toBe(200);
  return { ...request, first: first.body };
}

describe("a large amount", () => {
  test("waits for a second agent: nothing is paid, nothing is sent", async () => {
    const { id, first, seller } = await halfApproved();
    expect(first).toMatchObject({
      status: "pending",
      waiting: "second-agent",
      withdrawal: {
        stage: "second-agent",
        waiting: "second-agent",
        needs_second_agent: true,
        claim: null,
        first_approval: { by: { name: "Agent 0" }, lane: "manual" },
      },
    });
    expect(await desk.payouts(id)).toEqual([]);
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ held: LARGE });
  });

  test("is confirmed by another agent, who need not take it", async () => {
    const { id } = await halfApproved();
    const second = await desk.act(binta, { id, action: "approve", body: MANUAL });
    expect(second.body).toMatchObject({
      status: "approved",
      waiting: null,
      withdrawal: { stage: "to-pay", claim: { by: { name: "Agent 1" }, mine: true } },
    });
    expect(await desk.deeds(id)).toEqual([
      "withdrawal.claim",
      "withdrawal.approve-first",
      "withdrawal.approve",
    ]);
  });

  test("is not confirmed by the one who approved it, even when he takes it again", async () => {
    const { id } = await halfApproved();
    for (const action of ["approve", "claim", "approve"]) {
      const answer = await desk.act(awa, { id, action, body: MANUAL });
      if (action === "claim") expect(answer.status).toBe(200);
      else {
        expect(answer).toMatchObject({ status: 409, body: { code: "desk.second-agent-differs" } });
      }
    }
    expect(await desk.payouts(id)).toEqual([]);
  });

  test("is confirmed in the first agent's lane alone, which may be left out", async () => {
    const { id } = await halfApproved("paydunya");
    expect(await desk.act(chief, { id, action: "approve", body: MANUAL })).toMatchObject({
      status: 409,
      body: { code: "desk.second-agent-lane" },
    });
    expect((await desk.act(chief, { id, action: "approve" })).body.status).toBe("approved");
    expect((await desk.payouts(id)).map(({ lane }) => lane)).toEqual(["paydunya"]);
  });

  test("begins anew, with two agents, when the first one's lane can no longer serve", async () => {
    const { id } = await halfApproved("moneroo");
    await sql`UPDATE withdrawals SET method = 'orange-money-burkina' WHERE id = ${id}`.execute(
      app.db,
    );
    const other = await desk.act(binta, { id, action: "approve", body: MANUAL });
    expect(other.body).toMatchObject({
      waiting: "second-agent",
      withdrawal: { first_approval: { by: { name: "Agent 1" }, lane: "manual" } },
    });
    expect(await desk.payouts(id)).toEqual([]);
    const last = await desk.act(awa, { id, action: "approve", body: MANUAL });
    expect(last.body).toMatchObject({ status: "approved", waiting: null });
  });

  test("makes one payout when all the others confirm at once", async () => {
    const { id } = await halfApproved("paydunya");
    const agents = await desk.agents(20);
    const answers = await Promise.all(
      agents.map((agent) => desk.act(agent, { id, action: "approve", body: { lane: "paydunya" } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await desk.payouts(id)).toHaveLength(1);
  });

  test("is not confirmed by his own hand when the second agent is its seller", async () => {
    const mine = await desk.sellingAgent(3);
    const { id } = await desk.request({ amount: LARGE, seller: mine });
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, { id, action: "approve", body: MANUAL });
    expect(await desk.act(mine, { id, action: "approve", body: MANUAL })).toMatchObject({
      status: 403,
      body: { code: "desk.own-request" },
    });
  });

  test("is rejected by whoever takes it, and cancelled by its seller when nobody has it", async () => {
    const { id } = await halfApproved();
    const reject = { id, action: "reject", body: { reason_code: "suspicious" } };
    expect(await desk.act(binta, reject)).toMatchObject({ body: { code: "desk.not-claimed" } });
    await desk.act(binta, { id, action: "claim" });
    expect((await desk.act(binta, reject)).body.status).toBe("rejected");
    const other = await halfApproved();
    const path = `/api/users/retrait/annuler/${other.id}`;
    expect((await app.call("DELETE", path, { token: other.seller.token })).status).toBe(200);
    expect(await desk.act(binta, { id: other.id, action: "approve" })).toMatchObject({
      status: 409,
      body: { code: "desk.already-decided" },
    });
  });
});

describe("a first payout", () => {
  test("needs two agents from a smaller amount, the next one does not", async () => {
    const { id, seller } = await desk.request({ amount: 50_000 });
    expect((await desk.detail(awa, id)).needs_second_agent).toBe(true);
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, { id, action: "approve", body: MANUAL });
    await desk.act(binta, { id, action: "approve", body: MANUAL });
    await desk.act(binta, { id, action: "paid", body: { reference: "FIRST-1" } });
    const next = await desk.request({ amount: 99_999, seller });
    expect((await desk.detail(awa, next.id)).needs_second_agent).toBe(false);
    await desk.payByHand(awa, next.id, "FIRST-2");
  });

  test("below it needs one", async () => {
    const { id } = await desk.request({ amount: 49_999 });
    await desk.payByHand(awa, id, "FIRST-3");
  });
});

describe("the order of refusals of an approval", () => {
  /** Each request breaks its rule, and a later one. */
  const suspend = (sellerId: string, since: Date | null) =>
    sql`UPDATE sellers SET suspended_at = ${since} WHERE id = ${BigInt(sellerId)}`.execute(app.db);
  const freeze = (sellerId: string, since: Date | null) =>
    sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(sellerId)}, ${since}, ${since && "operator"}, ${app.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE
        SET frozen_at = excluded.frozen_at, frozen_by = excluded.frozen_by
    `.execute(app.db);
  const TOO_SMALL = { lane: "paydunya" };

  const approve = async (who: { token: string }, id: string, body: unknown = TOO_SMALL) => {
    const answer = await desk.act(who, { id, action: "approve", body });
    return [answer.status, answer.body.code];
  };

  test("unknown, then own, then the fields, then where it stands", async () => {
    expect(await approve(awa, "999999999", { lane: "x" })).toEqual([
      404,
      "desk.withdrawal-not-found",
    ]);
    const mine = await desk.sellingAgent(4);
    const own = await desk.request({ seller: mine });
    expect(await approve(mine, own.id, { lane: "x" })).toEqual([403, "desk.own-request"]);
    const done = await desk.request();
    await desk.payByHand(awa, done.id, "ORDER-1");
    for (const [body, code] of [
      [{}, "desk.lane-unknown"],
      [{ lane: "x" }, "desk.lane-unknown"],
      [{ lane: ["manual"] }, "desk.lane-unknown"],
      [{ lane: "paydunya", reference: "!" }, "desk.reference-not-manual"],
      [{ lane: "manual", reference: "!" }, "desk.reference-invalid"],
      [{ lane: "manual", reference: { a: 1 } }, "desk.reference-missing"],
      [{ lane: "manual", reference: "merci beaucoup" }, "desk.reference-invalid"],
    ] as const) {
      expect(await approve(binta, done.id, body)).toEqual([422, code]);
    }
    expect(await approve(binta, done.id)).toEqual([409, "desk.already-decided"]);
  });

  test("then the claim, then the seller's standing, then the lane", async () => {
    const { id, seller } = await desk.request({ amount: 150 });
    await suspend(seller.id, app.clock.now());
    await freeze(seller.id, app.clock.now());
    expect(await approve(awa, id)).toEqual([409, "desk.not-claimed"]);
    await desk.act(binta, { id, action: "claim" });
    expect(await approve(awa, id)).toEqual([409, "desk.claimed-by-other"]);
    app.clock.advance(16 * MINUTE_MS);
    expect(await approve(binta, id)).toEqual([409, "desk.claim-expired"]);
    await desk.act(awa, { id, action: "claim" });
    expect(await approve(awa, id)).toEqual([422, "desk.seller-suspended"]);
    await suspend(seller.id, null);
    expect(await approve(awa, id)).toEqual([422, "desk.payouts-frozen"]);
    await freeze(seller.id, null);
    expect(await approve(awa, id)).toEqual([422, "desk.lane-amount"]);
    expect(await approve(awa, id, MANUAL)).toEqual([200, undefined]);
  });

  test("a freeze stops what is to be paid by hand, but for who had it in hand before", async () => {
    const { id, seller } = await desk.request({ amount: 2_000 });
    await desk.act(awa, { id, action: "claim" });
    expect(await approve(awa, id, MANUAL)).toEqual([200, undefined]);
    await freeze(seller.id, app.clock.now());
    app.clock.advance(16 * MINUTE_MS);
    const reference = { reference: "FROZEN-1" };
    for (const [action, status, code] of [
      ["claim", 422, "desk.payouts-frozen"],
      ["paid", 409, "desk.not-claimed"],
    ] as const) {
      const answer = await desk.act(binta, { id, action, body: reference });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    expect((await desk.detail(binta, id)).may.claim.allowed).toBe(false);
    const sent = await desk.act(awa, { id, action: "paid", body: reference });
    expect([sent.status, sent.body.code]).toEqual([200, undefined]);
  });

  test("then the second agent, then the reference", async () => {
    const used = await desk.request();
    await desk.payByHand(awa, used.id, "ORDER-2");
    const { id } = await desk.request({ amount: LARGE });
    await desk.act(awa, { id, action: "claim" });
    const reference = { lane: "manual", reference: "ORDER-2" };
    expect(await approve(awa, id, reference)).toEqual([422, "desk.reference-too-early"]);
    expect(await approve(awa, id, MANUAL)).toEqual([200, undefined]);
    expect(await approve(awa, id, reference)).toEqual([409, "desk.second-agent-differs"]);
    expect(await approve(binta, id, { lane: "paydunya" })).toEqual([409, "desk.second-agent-lane"]);
    expect(await approve(binta, id, reference)).toEqual([409, "desk.reference-used"]);
  });
});
