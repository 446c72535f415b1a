import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { randomOf, SEED } from "../../../../../../tools/testing/seeded.ts";
import { sellerBalance } from "../../../../test/funds.ts";
import { type SignedInBuyer, startTestApp } from "../../../../test/harness.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../../test/withdrawals.ts";
import { checkChain } from "../../../audit/audit.store.ts";

const app = await startTestApp({ env: STAFF_ENV });
const staff = createStaffFixtures(app);
const awa = await staff.agent(0);
const binta = await staff.agent(1);
const chief = await staff.operator();
const everyAgent = await staff.agents(20);
beforeEach(() => {
  app.emulators.moneroo.payouts.webhooks.drop = false;
});

const MANUAL = { rail: "manual" };
const WRONG_NUMBER = { reason_code: "wrong-number" };

const balance = (seller: { id: string }) => sellerBalance(app, seller, "premium");

type Choice = Parameters<typeof staff.request>[0];

/** A request assigned to Awa. */
async function taken(choice?: Choice) {
  const request = await staff.request(choice);
  expect(await staff.said(awa, request.id, "assign")).toBe("200");
  return request;
}

/** A request that Awa has approved, with the answer to her. */
async function approved(choice?: Choice, rail = "manual") {
  const request = await taken(choice);
  const { status, body } = await staff.act(awa, request.id, "approve", { rail });
  expect(status).toBe(200);
  return { ...request, first: body };
}

const bodyOf = async (...act: Parameters<typeof staff.act>) => (await staff.act(...act)).body;

/** The seller's own. */
const cancel = ({ id, seller }: { id: string; seller: { token: string } }) =>
  app.send("DELETE /api/users/retrait/annuler/:id", seller, { id });

const timesLogged = async (id: string, action: string) =>
  (await staff.auditEntries(id)).filter((each) => each === action).length;

describe("an approval by hand", () => {
  test("waits for the operator's reference, then the money is received", async () => {
    const { id, seller, first } = await approved({ amount: 7_000 });
    expect(first).toMatchObject({
      status: "approved",
      withdrawal: {
        stage: "to-pay",
        assignment: { mine: true },
        may: { paid: { allowed: true }, failed: { allowed: true }, approve: { allowed: false } },
      },
    });
    expect(await staff.said(binta, id, "paid", { reference: "CI1.2" })).toBe(
      "409 desk.assigned-to-other",
    );
    const paid = await bodyOf(awa, id, "paid", { reference: " CI 2401.77 " });
    expect(paid.withdrawal).toMatchObject({
      stage: "paid",
      assignment: null,
      payout: { rail: "manual", status: "succeeded", operator_reference: "CI2401.77" },
    });
    expect(await balance(seller)).toEqual({ posted: 0, held: 0, available: 0 });
    expect(await staff.auditEntries(id)).toEqual([
      "withdrawal.assign",
      "withdrawal.approve",
      "withdrawal.paid",
    ]);
  });

  test("is reported as paid by the agent who sent it, even after the assignment, if nobody took it", async () => {
    const { id } = await approved();
    app.clock.advance(40 * MINUTE_MS);
    const reference = { reference: "CI2401.78" };
    expect(await staff.said(binta, id, "paid", reference)).toBe("409 desk.not-assigned");
    expect((await staff.act(awa, id, "paid", reference)).status).toBe(200);
  });

  test("settles at once when the money was already sent", async () => {
    const { id } = await taken();
    const sent = await bodyOf(awa, id, "approve", { rail: "manual", reference: "CI2401.79" });
    expect(sent.withdrawal).toMatchObject({ stage: "paid", assignment: null });
  });

  test("that fails returns the francs, and the seller reads the reason", async () => {
    const { id, seller } = await approved({ amount: 3_000 });
    const body = { reason: "Le compte a atteint son plafond." };
    expect(await bodyOf(awa, id, "failed", body)).toMatchObject({
      status: "rejected",
      withdrawal: { stage: "failed", reject_reason: body.reason, assignment: null },
    });
    expect(await balance(seller)).toMatchObject({ available: 3_000, held: 0 });
  });

  test("is proved once by a reference, in upper or lower case", async () => {
    const first = await staff.request();
    await staff.payByHand(awa, first.id, "MP-99.Ab");
    const { id } = await taken();
    const same = { rail: "manual", reference: "mp-99.aB" };
    expect(await staff.said(awa, id, "approve", same)).toBe("409 desk.reference-used");
    // A refusal changes nothing: still pending, still assigned.
    expect(await staff.detail(awa, id)).toMatchObject({
      status: "pending",
      assignment: { mine: true },
    });
    expect(await staff.payouts(id)).toEqual([]);
  });
});

describe("an approval by a provider", () => {
  test("makes one payout when twenty agents approve at once", async () => {
    const { id } = await taken({ amount: 9_000 });
    const body = { rail: "paydunya" };
    const answers = await Promise.all([
      ...everyAgent.map((agent) => staff.act(agent, id, "approve", body)),
      // Double taps of the assigned agent, and of agents who take it at that moment.
      ...[1, 2, 3].map(() => staff.act(awa, id, "approve", body)),
      ...everyAgent.map((agent) => staff.act(agent, id, "assign")),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.filter(({ body: said }) => said.status === "approved")).toHaveLength(1);
    expect(await staff.payouts(id)).toHaveLength(1);
    expect(await timesLogged(id, "withdrawal.approve")).toBe(1);
    await app.drain();
    await app.advance(5_000);
    const sent = app.emulators.paydunya.list().filter(({ amount }) => amount === 9_000);
    expect(sent).toHaveLength(1);
  });

  test("repeated with its key gets the same answer, and is refused with other content", async () => {
    const { id } = await taken();
    const approve = (rail: string) => staff.act(awa, id, "approve", { rail }, `k-${id}`);
    const [one, two] = await Promise.all([approve("manual"), approve("manual")]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(await staff.payouts(id)).toEqual([{ rail: "manual", status: "ready" }]);
    expect(await approve("paydunya")).toMatchObject({
      status: 409,
      body: { code: "request.key-reused" },
    });
  });

  test("is refused by a rail that cannot serve, before any call", async () => {
    const { id } = await staff.request({ amount: 150 });
    const detail = await staff.detail(awa, id);
    expect(detail.rails.find((rail) => rail.id === "manual")).toMatchObject({ open: true });
    const closed = detail.rails.find((rail) => rail.id === "paydunya");
    expect(closed).toMatchObject({ open: false, reason: expect.stringContaining("200") });
    await staff.act(awa, id, "assign");
    expect(await staff.said(awa, id, "approve", { rail: "paydunya" })).toBe("422 desk.rail-amount");
    expect(app.emulators.paydunya.list().some(({ amount }) => amount === 150)).toBe(false);
  });
});

describe("a rejection", () => {
  test("returns the francs with the sentence of its reason", async () => {
    const { id, seller } = await taken({ amount: 2_000 });
    const reason = "Le numéro de transfert n'est pas valable chez cet opérateur.";
    expect(await bodyOf(awa, id, "reject", WRONG_NUMBER)).toMatchObject({
      status: "rejected",
      withdrawal: { stage: "rejected", reject_reason: reason },
    });
    expect(await balance(seller)).toMatchObject({ available: 2_000, held: 0 });
    const { demande } = await app.read("GET /api/users/retrait/:id", seller, { id });
    expect(demande).toMatchObject({ status: "rejected", motif: reason });
  });

  test("accepts the agent's own words", async () => {
    const { id } = await taken();
    const body = { reason_code: "other", reason: "  Compte au nom d'un tiers <b> " };
    const { withdrawal } = await bodyOf(awa, id, "reject", body);
    expect(withdrawal).toMatchObject({ reject_reason: "Compte au nom d'un tiers <b>" });
  });
});

test.each([
  ["assign", {}],
  ["release", {}],
  ["approve", MANUAL],
  ["paid", { reference: "CI1.23" }],
  ["failed", { reason: "Plafond atteint" }],
  ["reject", { reason_code: "other", reason: "Plafond atteint" }],
  ["resolve", { outcome: "sent", reason: "Vu chez l'opérateur" }],
])("nobody acts on a request of their own: %s", async (action, body) => {
  const mine = await staff.sellingAgent(2);
  const { id } = await staff.request({ seller: mine });
  expect(await staff.said(mine, id, action, body)).toBe("403 desk.own-request");
  const seen = await staff.detail(mine, id);
  expect(seen.own).toBe(true);
  expect(Object.values(seen.may).every(({ allowed }) => !allowed)).toBe(true);
  expect(await staff.auditEntries(id)).toEqual([]);
});

test("an operator is an agent too", async () => {
  const { id } = await staff.request();
  await staff.payByHand(chief, id, "OP-1.1");
  expect((await staff.detail(awa, id)).stage).toBe("paid");
});

describe("an assignment", () => {
  test("gives a request to one agent for 15 minutes, and to nobody else", async () => {
    const { id } = await staff.request();
    const taken = await staff.act(awa, id, "assign");
    expect(taken).toMatchObject({ status: 200, body: { status: "pending", waiting: null } });
    expect(taken.body.withdrawal).toMatchObject({
      stage: "assigned",
      assignment: { by: { name: "Agent 0" }, mine: true, seconds_left: 900 },
      may: { approve: { allowed: true, reason: null } },
    });
    expect(await staff.act(binta, id, "assign")).toMatchObject({
      status: 409,
      body: { code: "desk.assigned-to-other", message: "Agent 0 s'occupe déjà de cette demande." },
    });
    expect((await staff.detail(binta, id)).may.approve.allowed).toBe(false);
  });

  test("is one agent's when twenty tap at once", async () => {
    const { id } = await staff.request();
    const answers = await Promise.all(everyAgent.map((agent) => staff.act(agent, id, "assign")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "desk.assigned-to-other")).toHaveLength(19);
    expect(await staff.auditEntries(id)).toEqual(["withdrawal.assign"]);
  });

  test("expires: the request is free, and its agent's next action is refused with the reason", async () => {
    const { id } = await taken();
    app.clock.advance(15 * MINUTE_MS);
    expect(await staff.said(awa, id, "approve", MANUAL)).toBe("409 desk.assignment-expired");
    expect((await staff.detail(awa, id)).stage).toBe("pending");
    expect((await staff.act(binta, id, "assign")).status).toBe(200);
    expect(await staff.said(awa, id, "reject", WRONG_NUMBER)).toBe("409 desk.assigned-to-other");
  });

  test("is renewed by each action, and ended by a release", async () => {
    const { id } = await taken();
    app.clock.advance(10 * MINUTE_MS);
    const again = await bodyOf(awa, id, "assign");
    expect(again.withdrawal.assignment?.seconds_left).toBe(900);
    expect(await staff.act(binta, id, "release")).toMatchObject({ status: 409 });
    expect((await bodyOf(awa, id, "release")).withdrawal.assignment).toBeNull();
    expect(await staff.said(awa, id, "release")).toBe("409 desk.not-assigned");
  });

  test("prevents the seller from cancelling, until it is over", async () => {
    const request = await taken();
    expect([409, 422]).toContain((await cancel(request)).status);
    app.clock.advance(15 * MINUTE_MS);
    expect((await cancel(request)).status).toBe(200);
    expect(await staff.act(awa, request.id, "assign")).toMatchObject({
      status: 409,
      body: {
        code: "desk.already-decided",
        message: "Cette demande est déjà annulée par le vendeur.",
      },
    });
  });

  test("and a cancel at the same instant never both succeed", async () => {
    for (let round = 0; round < 10; round += 1) {
      const request = await staff.request({ amount: 1_000 });
      const acts = await Promise.all([staff.act(awa, request.id, "assign"), cancel(request)]);
      const [assigned, cancelled] = acts.map(({ status }) => status === 200);
      expect(cancelled).toBe(!assigned);
      expect((await balance(request.seller)).held).toBe(assigned ? 1_000 : 0);
    }
  });
});

/** From this amount on two agents approve. */
const LARGE = 100_000;

/** A large request approved by the first agent. */
const halfApproved = (rail?: string) => approved({ amount: LARGE }, rail);

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
        assignment: null,
        first_approval: { by: { name: "Agent 0" }, rail: "manual" },
      },
    });
    expect(await staff.payouts(id)).toEqual([]);
    expect(await balance(seller)).toMatchObject({ held: LARGE });
  });

  test("is confirmed by another agent, who need not take it", async () => {
    const { id } = await halfApproved();
    expect(await bodyOf(binta, id, "approve", MANUAL)).toMatchObject({
      status: "approved",
      waiting: null,
      withdrawal: { stage: "to-pay", assignment: { by: { name: "Agent 1" }, mine: true } },
    });
    expect(await staff.auditEntries(id)).toEqual([
      "withdrawal.assign",
      "withdrawal.approve-first",
      "withdrawal.approve",
    ]);
  });

  test("is not confirmed by the agent who approved it, even after taking it again", async () => {
    const { id } = await halfApproved();
    const approve = () => staff.said(awa, id, "approve", MANUAL);
    expect(await approve()).toBe("409 desk.second-agent-differs");
    expect(await staff.said(awa, id, "assign", MANUAL)).toBe("200");
    expect(await approve()).toBe("409 desk.second-agent-differs");
    expect(await staff.payouts(id)).toEqual([]);
  });

  test("is confirmed with the first agent's rail only, which may be omitted", async () => {
    const { id } = await halfApproved("paydunya");
    expect(await staff.said(chief, id, "approve", MANUAL)).toBe("409 desk.second-agent-rail");
    expect((await staff.act(chief, id, "approve")).body.status).toBe("approved");
    expect((await staff.payouts(id)).map(({ rail }) => rail)).toEqual(["paydunya"]);
  });

  test("begins anew, with two agents, when the first one's rail can no longer serve", async () => {
    const { id } = await halfApproved("moneroo");
    await app.sql`UPDATE withdrawals SET method = 'orange-money-burkina' WHERE id = ${id}`;
    expect(await bodyOf(binta, id, "approve", MANUAL)).toMatchObject({
      waiting: "second-agent",
      withdrawal: { first_approval: { by: { name: "Agent 1" }, rail: "manual" } },
    });
    expect(await staff.payouts(id)).toEqual([]);
    const last = await bodyOf(awa, id, "approve", MANUAL);
    expect(last).toMatchObject({ status: "approved", waiting: null });
  });

  test("makes one payout when all the others confirm at once", async () => {
    const { id } = await halfApproved("paydunya");
    const answers = await Promise.all(
      everyAgent.map((agent) => staff.act(agent, id, "approve", { rail: "paydunya" })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await staff.payouts(id)).toHaveLength(1);
  });

  test("is not confirmed by a second agent who is its seller", async () => {
    const mine = await staff.sellingAgent(3);
    const { id } = await approved({ amount: LARGE, seller: mine });
    expect(await staff.said(mine, id, "approve", MANUAL)).toBe("403 desk.own-request");
  });

  test("is rejected by the assigned agent, and cancelled by its seller while not assigned", async () => {
    const { id } = await halfApproved();
    const suspicious = { reason_code: "suspicious" };
    expect(await staff.said(binta, id, "reject", suspicious)).toBe("409 desk.not-assigned");
    await staff.act(binta, id, "assign");
    expect((await staff.act(binta, id, "reject", suspicious)).body.status).toBe("rejected");
    const other = await halfApproved();
    expect((await cancel(other)).status).toBe(200);
    expect(await staff.said(binta, other.id, "approve")).toBe("409 desk.already-decided");
  });
});

describe("a first payout", () => {
  test("needs two agents from a smaller amount, the next one does not", async () => {
    const { id, seller } = await staff.request({ amount: 50_000 });
    expect((await staff.detail(awa, id)).needs_second_agent).toBe(true);
    await staff.act(awa, id, "assign");
    await staff.act(awa, id, "approve", MANUAL);
    await staff.act(binta, id, "approve", MANUAL);
    await staff.act(binta, id, "paid", { reference: "FIRST-1" });
    const next = await staff.request({ amount: 99_999, seller });
    expect((await staff.detail(awa, next.id)).needs_second_agent).toBe(false);
    await staff.payByHand(awa, next.id, "FIRST-2");
  });

  test("below it needs one", async () => {
    const { id } = await staff.request({ amount: 49_999 });
    await staff.payByHand(awa, id, "FIRST-3");
  });
});

describe("the order of refusals of an approval", () => {
  /** Each request breaks its rule, and a later one. */
  const suspend = (sellerId: string, since: Date | null) =>
    app.sql`UPDATE sellers SET suspended_at = ${since} WHERE id = ${BigInt(sellerId)}`;
  const freeze = (sellerId: string, since: Date | null) =>
    app.sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(sellerId)}, ${since}, ${since && "operator"}, ${app.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE
        SET frozen_at = excluded.frozen_at, frozen_by = excluded.frozen_by`;
  const changeNumber = (sellerId: string, phone: string) =>
    app.sql`
      INSERT INTO payout_profiles (seller_id, phone, number_given_at, number_changed_at, updated_at)
      SELECT ${BigInt(sellerId)}, ${phone}, now, now, now FROM (SELECT ${app.clock.now()}::timestamptz AS now) clock
      ON CONFLICT (seller_id) DO UPDATE SET number_changed_at = excluded.number_changed_at`;
  const TOO_SMALL = { rail: "paydunya" };

  const approve = (who: { token: string }, id: string, body: unknown = TOO_SMALL) =>
    staff.said(who, id, "approve", body);

  test("unknown, then own, then the fields, then the status", async () => {
    expect(await approve(awa, "999999999", { rail: "x" })).toBe("404 desk.withdrawal-not-found");
    const mine = await staff.sellingAgent(4);
    const own = await staff.request({ seller: mine });
    expect(await approve(mine, own.id, { rail: "x" })).toBe("403 desk.own-request");
    const done = await staff.request();
    await staff.payByHand(awa, done.id, "ORDER-1");
    for (const [body, code] of [
      [{}, "desk.rail-unknown"],
      [{ rail: "x" }, "desk.rail-unknown"],
      [{ rail: ["manual"] }, "desk.rail-unknown"],
      [{ rail: "paydunya", reference: "!" }, "desk.reference-not-manual"],
      [{ rail: "manual", reference: "!" }, "desk.reference-invalid"],
      [{ rail: "manual", reference: { a: 1 } }, "desk.reference-missing"],
      [{ rail: "manual", reference: "merci beaucoup" }, "desk.reference-invalid"],
    ] as const) {
      expect(await approve(binta, done.id, body)).toBe(`422 ${code}`);
    }
    expect(await approve(binta, done.id)).toBe("409 desk.already-decided");
  });

  test("then the assignment, then the seller's status, then the rail", async () => {
    const { id, seller } = await staff.request({ amount: 150 });
    await suspend(seller.id, app.clock.now());
    await freeze(seller.id, app.clock.now());
    expect(await approve(awa, id)).toBe("409 desk.not-assigned");
    await staff.act(binta, id, "assign");
    expect(await approve(awa, id)).toBe("409 desk.assigned-to-other");
    app.clock.advance(16 * MINUTE_MS);
    expect(await approve(binta, id)).toBe("409 desk.assignment-expired");
    await staff.act(awa, id, "assign");
    expect(await approve(awa, id)).toBe("422 desk.seller-suspended");
    await suspend(seller.id, null);
    expect(await approve(awa, id)).toBe("422 desk.payouts-frozen");
    await freeze(seller.id, null);
    expect(await approve(awa, id)).toBe("422 desk.rail-amount");
    expect(await approve(awa, id, MANUAL)).toBe("200");
  });

  test("after a number changed a request waits 24 h, to whatever number that was never paid", async () => {
    const { id, seller, numero_transfert: phone } = await staff.request({ amount: 2_000 });
    const { id: elsewhere } = await staff.request({ seller, amount: 2_000 });
    for (const each of [id, elsewhere]) await staff.act(awa, each, "assign");
    await changeNumber(seller.id, phone);
    for (const each of [id, elsewhere]) {
      expect(await approve(awa, each, MANUAL)).toBe("409 desk.number-rests");
    }
    app.clock.advance(24 * HOUR_MS);
    for (const each of [id, elsewhere]) {
      await staff.act(awa, each, "assign");
      expect(await approve(awa, each, MANUAL)).toBe("200");
    }
  });

  test("a number that was paid before does not wait when it is saved again", async () => {
    const { id: paid, seller, numero_transfert: phone } = await staff.request({ amount: 2_000 });
    await staff.payByHand(awa, paid, "BEFORE-1");
    app.clock.advance(24 * HOUR_MS);
    const { id } = await staff.request({ seller, amount: 2_000, phone });
    await changeNumber(seller.id, phone);
    await staff.act(awa, id, "assign");
    expect(await approve(awa, id, MANUAL)).toBe("200");
  });

  test("a payment that an agent records after a number changed does not end the wait of the next one", async () => {
    const { id: first, seller, numero_transfert: phone } = await taken({ amount: 2_000 });
    await changeNumber(seller.id, phone);
    expect(await approve(awa, first, { rail: "manual", reference: "MP1.1" })).toBe("200");
    const { id } = await staff.request({ seller, amount: 2_000, phone });
    await staff.act(awa, id, "assign");
    expect(await approve(awa, id, MANUAL)).toBe("409 desk.number-rests");
    // Nor does it once the number was replaced and saved again.
    app.clock.advance(HOUR_MS);
    await changeNumber(seller.id, phone);
    await staff.act(awa, id, "assign");
    expect(await approve(awa, id, MANUAL)).toBe("409 desk.number-rests");
    app.clock.advance(23 * HOUR_MS);
    await staff.act(awa, id, "assign");
    expect(await approve(awa, id, MANUAL)).toBe("200");
  });

  test("a freeze stops payments by hand, except by the agent who had the request before", async () => {
    const { id, seller } = await approved({ amount: 2_000 });
    await freeze(seller.id, app.clock.now());
    app.clock.advance(16 * MINUTE_MS);
    const reference = { reference: "FROZEN-1" };
    expect(await staff.said(binta, id, "assign", reference)).toBe("422 desk.payouts-frozen");
    expect(await staff.said(binta, id, "paid", reference)).toBe("409 desk.not-assigned");
    expect((await staff.detail(binta, id)).may.assign.allowed).toBe(false);
    expect(await staff.said(awa, id, "paid", reference)).toBe("200");
  });

  test("the operator's reference records money that was sent, whatever stops a payout", async () => {
    const { id, seller, numero_transfert: phone } = await taken({ amount: 2_000 });
    const now = app.clock.now();
    await freeze(seller.id, now);
    await changeNumber(seller.id, phone);
    await suspend(seller.id, now);
    expect(await approve(awa, id, MANUAL)).toBe("422 desk.seller-suspended");
    const sent = { rail: "manual", reference: "SENT-1" };
    expect(await approve(binta, id, sent)).toBe("409 desk.assigned-to-other");
    expect(await approve(awa, id, sent)).toBe("200");
    expect(await staff.detail(awa, id)).toMatchObject({
      stage: "paid",
      payout: { rail: "manual", status: "succeeded", operator_reference: "SENT-1" },
    });
    expect(await balance(seller)).toEqual({ posted: 0, held: 0, available: 0 });
    expect(await staff.auditEntries(id)).toEqual(["withdrawal.assign", "withdrawal.approve"]);
  });

  test("then the second agent, then the reference", async () => {
    const used = await staff.request();
    await staff.payByHand(awa, used.id, "ORDER-2");
    const { id } = await taken({ amount: LARGE });
    const reference = { rail: "manual", reference: "ORDER-2" };
    expect(await approve(awa, id, reference)).toBe("422 desk.reference-too-early");
    expect(await approve(awa, id, MANUAL)).toBe("200");
    expect(await approve(awa, id, reference)).toBe("409 desk.second-agent-differs");
    expect(await approve(binta, id, { rail: "paydunya" })).toBe("409 desk.second-agent-rail");
    expect(await approve(binta, id, reference)).toBe("409 desk.reference-used");
  });
});

/** Sent to Moneroo, whose answer was lost. */
async function uncertain(amount: number) {
  // Moneroo finds nothing by our reference: without its webhook the result is unknown.
  app.emulators.moneroo.payouts.webhooks.drop = true;
  app.emulators.moneroo.payouts.fault("timeout-after");
  const request = await approved({ amount }, "moneroo");
  await app.drain();
  expect((await staff.detail(awa, request.id)).stage).toBe("uncertain");
  const theirs = app.emulators.moneroo.payouts.list().find((payout) => payout.amount === amount);
  return { ...request, theirs: theirs?.id ?? "" };
}

const SEEN = "Vu sur la page du prestataire";
/** The request, once its francs are the seller's again. */
const GIVEN_BACK = { status: "rejected", withdrawal: { stage: "failed" } };

describe("an uncertain payout", () => {
  test("is ended by another agent, or an operator, not by the approver", async () => {
    const { id, seller } = await uncertain(1_100);
    const body = { outcome: "sent", reason: SEEN, reference: "MP1.23" };
    expect(await staff.said(awa, id, "resolve", body)).toBe("403 desk.resolve-by-other");
    expect(await bodyOf(binta, id, "resolve", body)).toMatchObject({
      status: "approved",
      withdrawal: { stage: "paid" },
    });
    expect(await balance(seller)).toMatchObject({ posted: 0 });
    expect(await staff.said(chief, id, "resolve", body)).toBe("409 desk.not-uncertain");
  });

  test("that was not sent returns the francs", async () => {
    const { id, seller } = await uncertain(1_200);
    const body = { outcome: "not-sent", reason: SEEN };
    expect(await bodyOf(chief, id, "resolve", body)).toMatchObject(GIVEN_BACK);
    expect(await balance(seller)).toMatchObject({ available: 1_200, held: 0 });
  });

  test("is linked to the provider's own, which is looked up and compared first", async () => {
    const other = await uncertain(1_300);
    const { id, theirs } = await uncertain(1_400);
    const link = (provider_payout_id: string) =>
      staff.act(binta, id, "resolve", { outcome: "link", provider_payout_id, reason: SEEN });
    expect((await link("nothing-of-theirs")).body.code).toBe("desk.payout-unknown");
    expect((await link(other.theirs)).body.code).toBe("desk.payout-differs");
    expect((await link(theirs)).status).toBe(200);
    await app.advance(60_000);
    expect((await staff.detail(awa, id)).stage).toBe("paid");
  });

  test("is refused by its fields in their order, each before the next", async () => {
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
      // By the agent who approved: the refusal about that comes after.
      expect(await staff.said(awa, id, "resolve", body)).toBe(`422 ${code}`);
    }
  });

  test("is neither paid by hand, nor failed, nor rejected", async () => {
    const { id } = await uncertain(1_600);
    for (const [action, body, code] of [
      ["paid", { reference: "MP1.24" }, "desk.nothing-to-pay"],
      ["failed", { reason: SEEN }, "desk.nothing-to-pay"],
      ["reject", { reason_code: "suspicious" }, "desk.already-decided"],
      ["assign", {}, "desk.already-decided"],
      ["release", {}, "desk.not-assigned"],
    ] as const) {
      expect(await staff.said(chief, id, action, body)).toBe(`409 ${code}`);
    }
    expect((await staff.detail(chief, id)).stage).toBe("uncertain");
  });
});

describe("a payout that was received", () => {
  /** Paid by hand, by the agent. */
  async function paid(amount: number, reference: string) {
    const request = await staff.request({ amount });
    await staff.payByHand(awa, request.id, reference);
    expect((await staff.detail(awa, request.id)).stage).toBe("paid");
    return request;
  }
  const came = (reference?: string) => ({ outcome: "returned", reason: SEEN, reference });

  test("and came back is the seller's again, with an operator's reference", async () => {
    const { id, seller } = await paid(1_700, "MP2.1");
    const say = (who: SignedInBuyer, body: object) => staff.said(who, id, "resolve", body);
    expect(await say(binta, came("RV1.1"))).toBe("409 desk.not-uncertain");
    expect(await say(chief, came())).toBe("422 desk.reference-missing");
    expect(await say(chief, came("MP1.23"))).toBe("409 desk.reference-used");
    expect(await say(chief, { outcome: "not-sent", reason: SEEN })).toBe("409 desk.not-uncertain");
    expect((await staff.detail(chief, id)).may.resolve.allowed).toBe(true);
    expect(await bodyOf(chief, id, "resolve", came("RV1.1"))).toMatchObject(GIVEN_BACK);
    expect(await balance(seller)).toMatchObject({ available: 1_700 });
    expect(await say(chief, came("RV1.2"))).toBe("409 desk.not-uncertain");
    const { trace, may } = await staff.detail(chief, id);
    expect(trace.map(({ label }) => label)).toContain("Argent revenu, solde rendu");
    expect(may.resolve.allowed).toBe(false);
    const { transactions } = await app.read("GET /api/transactions", seller, { type: "return" });
    expect(transactions).toMatchObject([{ amount: 1_700, status: "success" }]);
  });

  test("is not proved sent by the reference of another payment", async () => {
    await paid(1_800, "OM.SAME.1");
    const { id } = await uncertain(1_900);
    const body = { outcome: "sent", reason: SEEN, reference: "om.same.1" };
    expect((await bodyOf(binta, id, "resolve", body)).code).toBe("desk.reference-used");
  });
});

describe("the other refusals", () => {
  test("of a rejection, in order", async () => {
    const { id } = await staff.request();
    const reject = (body: unknown) => staff.said(awa, id, "reject", body);
    expect(await reject({})).toBe("422 desk.reason-code-unknown");
    expect(await reject({ reason_code: "payout-failed" })).toBe("422 desk.reason-code-unknown");
    expect(await reject({ reason_code: "other" })).toBe("422 desk.reason-missing");
    expect(await reject({ reason_code: "other", reason: 12 })).toBe("422 desk.reason-missing");
    expect(await reject({ reason_code: "suspicious", reason: "x".repeat(501) })).toBe(
      "422 desk.reason-too-long",
    );
    expect(await reject({ reason_code: "suspicious" })).toBe("409 desk.not-assigned");
  });

  test("of a payment by hand, in order", async () => {
    const { id } = await staff.request();
    const paid = (who: SignedInBuyer, reference: unknown) =>
      staff.said(who, id, "paid", { reference });
    expect(await paid(awa, "")).toBe("422 desk.reference-missing");
    expect(await paid(awa, "a b")).toBe("422 desk.reference-invalid");
    expect(await paid(awa, "MP1.25")).toBe("409 desk.nothing-to-pay");
    await staff.act(awa, id, "assign");
    await staff.act(awa, id, "approve", MANUAL);
    expect(await paid(binta, "MP1.25")).toBe("409 desk.assigned-to-other");
    await staff.act(awa, id, "release");
    expect(await paid(awa, "MP1.25")).toBe("409 desk.not-assigned");
    await staff.act(binta, id, "assign");
    expect(await paid(binta, "MP1.25")).toBe("200");
    expect(await paid(binta, "MP1.25")).toBe("409 desk.nothing-to-pay");
  });
});

test("a decision repeated at once with its key gets the same answer, with one effect", async () => {
  const { id } = await approved({ amount: 1_700 });
  const paid = () => staff.act(awa, id, "paid", { reference: "MP1.26" }, "paid-1");
  const answers = await Promise.all([paid(), paid(), paid()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await timesLogged(id, "withdrawal.paid")).toBe(1);
  const other = await staff.request();
  const proof = { reference: "MP1.26" };
  expect(await staff.said(awa, other.id, "paid", proof, "paid-1")).toBe("409 request.key-reused");
});

const ACTS: readonly (readonly [string, (n: number) => unknown])[] = [
  ["assign", () => ({})],
  ["assign", () => ({})],
  ["release", () => ({})],
  ["approve", () => MANUAL],
  ["approve", (n) => ({ rail: "manual", reference: `RACE-${n}` })],
  ["approve", () => ({ rail: "paydunya" })],
  ["paid", (n) => ({ reference: `RACE-${n % 3}` })],
  ["failed", () => ({ reason: "Plafond atteint" })],
  ["reject", () => ({ reason_code: "suspicious" })],
];

const AMOUNTS = [1_000, 60_000, 120_000];
/** Few, so that each meets what he did before. */
const agents = everyAgent.slice(0, 6);

async function storm(nth: number): Promise<void> {
  const random = randomOf(SEED + nth);
  const roll = (sides: number) => Math.floor(random() * sides);
  const amount = AMOUNTS[roll(AMOUNTS.length)] ?? 1_000;
  const request = await staff.request({ amount });
  const { id, seller } = request;
  const answers: number[] = [];
  for (let wave = 0; wave < 4; wave += 1) {
    const calls = Array.from({ length: 10 }, (_, turn) => {
      const agent = agents[roll(agents.length)] ?? { token: "" };
      const [action, body] = ACTS[roll(ACTS.length)] ?? ["assign", () => ({})];
      return staff.act(agent, id, action, body(nth * 100 + wave * 10 + turn));
    });
    const cancelled = roll(6) === 0 ? [cancel(request)] : [];
    answers.push(...(await Promise.all([...calls, ...cancelled])).map(({ status }) => status));
    if (roll(3) === 0) app.clock.advance(16 * MINUTE_MS);
    if (roll(3) === 0) await app.drain();
  }
  expect(answers.filter((status) => status >= 500)).toEqual([]);
  await settle();
  const alive = (await staff.payouts(id)).filter(({ status }) => status !== "failed");
  const { posted, held } = await balance(seller);
  const { status } = await staff.detail(agents[0] ?? seller, id);
  const kept = status === "approved" ? 0 : amount;
  expect({ status, alive: alive.length, posted, held }).toEqual({
    status,
    alive: status === "approved" ? 1 : 0,
    posted: kept,
    held: status === "pending" ? amount : 0,
  });
}

/** Providers end their submitted payouts. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await app.drain();
    app.clock.advance(MINUTE_MS);
  }
  await app.drain();
}

test(`whatever agents and the seller do at once, a request has one end and its francs one account (SESAME_SEED=${SEED})`, {
  timeout: 600_000,
}, async () => {
  for (let nth = 1; nth <= 25; nth += 1) await storm(nth);
  expect(await app.sumOfBooks()).toBe(0n);
  // Audit entries written at once form one chain.
  expect(await checkChain(app.db)).toEqual([]);
  const twice = await app.sql`
    SELECT withdrawal_id FROM payouts WHERE status = 'succeeded'
    GROUP BY withdrawal_id HAVING count(*) > 1`;
  expect(twice).toEqual([]);
});
