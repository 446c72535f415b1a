import type { AnswerOf } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { assert } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import {
  createSellerFixtures,
  lastTo,
  messagesTo,
  type SellerFixtures,
} from "../../../test/groups.ts";
import {
  type SignedInBuyer,
  type SignedInSeller,
  startTestApp,
  type TestApp,
} from "../../../test/harness.ts";
import { leaseOne } from "../../../test/outbox.ts";
import { listenTo } from "../../../test/wire/sockets.ts";
import {
  askWithdrawal,
  createDeskFixtures,
  DESK_ENV,
  type DeskFixtures,
  fundSeller,
  sellerBalance,
} from "../../../test/withdrawals.ts";
import { withdrawalsJobs } from "./withdrawals.ts";

let app: TestApp;
let desk: DeskFixtures;
let sellers: SellerFixtures;
let agent: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({ env: DESK_ENV });
  desk = createDeskFixtures(app);
  sellers = createSellerFixtures(app);
  agent = await desk.agent();
});
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
});
afterAll(() => app?.close());

async function request(plan: "free" | "premium" = "premium") {
  const seller = await sellers.sellerInTouch();
  await app.drain();
  const demande = await desk.request({ seller, amount: 4_000, plan });
  return { seller, demande };
}

const seen = async (seller: SignedInSeller, { id }: WithdrawalOnWire) => {
  const path = `/api/users/retrait/${id}`;
  return (await app.call<AnswerOf<"GET /api/users/retrait/:id">>("GET", path, seller)).body.demande;
};

const said = (seller: SignedInSeller) => lastTo(app.emulators, seller.person.id, "seller").text;

async function reject(id: string): Promise<void> {
  await desk.act(agent, { id, action: "claim" });
  const body = { reason_code: "wrong-number", reason: "Le numéro <07> n'existe pas." };
  const answer = await desk.act(agent, { id, action: "reject", body });
  expect([answer.status, answer.body.message]).toEqual([200, answer.body.message]);
}

describe("a rejected request", () => {
  test("is told once, though the worker dies when he has told it", async () => {
    const { seller, demande } = await request();
    await reject(demande.id);
    const [telling] = withdrawalsJobs(app.core);
    assert(telling, "sellers are told");
    const job = await leaseOne(app, telling.topic);
    assert(job, "a rejection has its word to be said");
    await telling.run(job);
    app.clock.advance(1_000);
    await app.drain();
    const told = messagesTo(app.emulators, seller.person.id, "seller").map(({ text }) => text);
    expect(told.filter((text) => text.includes("n'existe pas"))).toHaveLength(1);
  });

  test("gives the francs back, and its seller reads why", async () => {
    const { seller, demande } = await request();
    await reject(demande.id);
    await app.drain();
    expect(await seen(seller, demande)).toMatchObject({
      status: "rejected",
      motif: "Le numéro <07> n'existe pas.",
      annulable: false,
      date_paiement: null,
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      held: 0,
      available: 4_000,
    });
    expect(said(seller)).toContain("est rejeté : Le numéro <07> n'existe pas.");
    expect(said(seller)).toContain(demande.reference_transaction);
  });

  test("does not count for the week of the free plan", async () => {
    const { seller, demande } = await request("free");
    await reject(demande.id);
    await askWithdrawal(app, seller, { montant: 4_000 });
  });

  test("comes back on the account of the plan its seller has by then", async () => {
    const { seller, demande } = await request("premium");
    await fundSeller(app, seller, 0, "free");
    await reject(demande.id);
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ posted: 0, held: 0 });
    expect(await sellerBalance(app, seller, "free")).toMatchObject({ available: 4_000 });
  });
});

describe("a paid request", () => {
  test("is told to its seller, in the bot and on his screens", async () => {
    const { seller, demande } = await request();
    const before = messagesTo(app.emulators, seller.person.id, "seller").length;
    const ear = await listenTo(app.url, { token: seller.token });
    await desk.payByHand(agent, demande.id, `OM-${demande.id}`);
    await app.drain();
    const paid = await seen(seller, demande);
    expect(paid).toMatchObject({ status: "approved", motif: null, annulable: false });
    expect(paid.date_paiement).toBe(app.clock.now().toISOString());
    expect(said(seller)).toContain("envoyés sur Orange Money CI");
    const messages = messagesTo(app.emulators, seller.person.id, "seller").slice(before);
    // That it was approved is no news any more.
    expect(messages).toHaveLength(1);
    // That an agent has taken it is said too, as "pending": it can no longer be cancelled.
    const told = () =>
      ear.heard
        .filter(({ name }) => name === "withdrawal:status")
        .map(({ body }) => JSON.stringify(body))
        .filter((body) => !body.includes('"pending"'));
    await eventually(() =>
      expect(told()).toEqual([
        JSON.stringify({ id: demande.id, status: "approved", paid: false }),
        JSON.stringify({ id: demande.id, status: "approved", paid: true }),
      ]),
    );
    ear.close();
    expect(await sellerBalance(app, seller, "premium")).toEqual({
      posted: 0,
      held: 0,
      available: 0,
    });
    const refused = await app.call("DELETE", `/api/users/retrait/annuler/${demande.id}`, seller);
    expect([refused.status, refused.body.message]).toEqual([409, "Opération impossible"]);
  });

  test("counts for the week of the free plan", async () => {
    const { seller, demande } = await request("free");
    await desk.payByHand(agent, demande.id, `OM-${demande.id}`);
    await fundSeller(app, seller, 4_000);
    const { body } = await app.call("GET", "/api/users/retrait/limites", seller);
    expect(body).toMatchObject({
      prochaine_date: new Date(Date.parse(demande.date_creation) + 7 * 86_400_000).toISOString(),
      premier_max: null,
    });
  });

  test("is either paid or cancelled, when agent and seller act at once", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { seller, demande } = await request();
      const { id } = demande;
      const approving = async () => {
        await desk.act(agent, { id, action: "claim" });
        return desk.act(agent, { id, action: "approve", body: { lane: "manual" } });
      };
      const cancelling = async () => app.call("DELETE", `/api/users/retrait/annuler/${id}`, seller);
      const [approved, cancelled] = await Promise.all([approving(), cancelling()]);
      expect([approved.status, cancelled.status].filter((status) => status === 200)).toHaveLength(
        1,
      );
      const { rows } = await sql<{ status: string; ended_as: string }>`
        SELECT w.status, h.ended_as FROM withdrawals w JOIN ledger_holds h ON h.id = 'hold:' || w.id
        WHERE w.id = ${BigInt(id)}`.execute(app.db);
      const expected =
        approved.status === 200
          ? { status: "approved", ended_as: "paid" }
          : { status: "cancelled", ended_as: "released" };
      expect(rows).toEqual([expected]);
    }
  });
});
