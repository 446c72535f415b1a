import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import {
  askWithdrawal,
  fundSeller,
  REQUEST,
  sellerBalance,
  setFirstPayouts,
} from "../../../test/withdrawals.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await setFirstPayouts(app, 600_000);
});
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
});
afterAll(() => app?.close());

type Fields = Readonly<Record<string, unknown>>;

const ask = (seller: SignedInSeller, fields: Fields = {}, key?: string) =>
  app.call<AnswerOf<"GET /api/users/retrait/:id"> & { message: string; code: string }>(
    "POST",
    "/api/users/retrait/demande",
    {
      token: seller.token,
      body: { ...REQUEST, ...fields },
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    },
  );

async function sellerWith(amount: number, plan: "free" | "premium" = "premium") {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, amount, plan);
  return seller;
}

describe("a withdrawal request", () => {
  test("holds the francs, and leaves the posted balance as it is", async () => {
    const seller = await sellerWith(10_000);
    const answer = await ask(seller, { montant: "4 000" });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      success: true,
      demande: {
        id: expect.stringMatching(/^\d+$/),
        montant: 4_000,
        methode_paiement: "orange-money-ci",
        operateur: "ORANGE",
        pays: "CI",
        numero_transfert: "+2250701020304",
        numero_whatsapp: "+225 0701020304",
        status: "pending",
        date_creation: app.clock.now().toISOString(),
        annulable: true,
        automatique: false,
        motif: null,
        date_paiement: null,
        date_limite: "2026-11-17T09:00:00.000Z",
      },
    });
    expect(answer.body.demande.reference_transaction).toMatch(/^RT-\d{6,}$/);
    expect(await sellerBalance(app, seller, "premium")).toEqual({
      posted: 10_000,
      held: 4_000,
      available: 6_000,
    });
  });

  test("is in the seller's lists, at sign-in too, and the method and number are offered again", async () => {
    const seller = await sellerWith(10_000);
    const demande = await askWithdrawal(app, seller, {
      methode_paiement: "wave-senegal",
      numero_transfert: "77 123 45 67",
    });
    const { body: list } = await app.call("GET", "/api/users/retrait/mes-demandes", seller);
    expect(list).toEqual({ success: true, demandes: [demande], next_cursor: null });
    const raw = app.initData(seller.person);
    const start = await app.call("POST", "/api/auth/vendeur", {
      headers: { "x-telegram-init-data": raw },
    });
    expect(start.body).toMatchObject({
      withdrawalRequests: [demande],
      user: { payment_method: "wave-senegal", transfer_number: "+221771234567", retrait_auto: 0 },
    });
    const { body: limits } = await app.call("GET", "/api/users/retrait/limites", seller);
    expect(limits).toMatchObject({
      min: 100,
      max: 500_000,
      frais: 0,
      solde: 10_000,
      disponible: 9_000,
      prochaine_date: null,
      bloque: null,
      payment_method: "wave-senegal",
      transfer_number: "+221771234567",
      date_limite: "2026-11-17T09:00:00.000Z",
    });
  });

  test("is of the plan's own balance, up to the plan's own maximum", async () => {
    const seller = await sellerWith(600_000, "premium");
    const limits = async () => (await app.call("GET", "/api/users/retrait/limites", seller)).body;
    expect(await limits()).toMatchObject({ max: 500_000, solde: 600_000, frais: 0 });
    expect((await ask(seller, { montant: 500_001 })).body.message).toBe(
      "Le montant maximum de retrait est de 500000 FCFA",
    );
    expect((await ask(seller, { montant: 500_000 })).status).toBe(201);
    await fundSeller(app, seller, 60_000, "free");
    expect(await limits()).toMatchObject({
      max: 50_000,
      // With what is held on the account of the plan before.
      solde: 660_000,
      disponible: 60_000,
      frais: 0,
    });
    expect((await ask(seller, { montant: 50_001 })).body.message).toBe(
      "Le montant maximum de retrait est de 50000 FCFA",
    );
  });

  test("before anything was paid counts with what is open, at once too", async () => {
    const seller = await sellerWith(1_000_000);
    const left = async () =>
      (await app.call("GET", "/api/users/retrait/limites", seller)).body["premier_max"];
    const { demande } = (await ask(seller, { montant: 360_000 })).body;
    expect(await left()).toBe(240_000);
    const refused = await ask(seller, { montant: 240_001 });
    expect([refused.status, refused.body.code]).toEqual([422, "withdrawals.first-too-large"]);
    expect(refused.body.message).toMatch(/^Tant qu'aucun .* encore demander 240.000 FCFA\. La/);
    const both = await Promise.all([1, 2].map(() => ask(seller, { montant: 150_000 })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect((await ask(seller, { montant: 90_000 })).status).toBe(201);
    expect(await left()).toBe(0);
    expect((await ask(seller, { montant: 100 })).body.message).toBe(
      "Vous pourrez demander un autre retrait dès que le premier est payé.",
    );
    await app.call("DELETE", `/api/users/retrait/annuler/${demande.id}`, seller);
    expect(await left()).toBe(360_000);
    await sql`UPDATE withdrawals SET status = 'approved', decided_at = ${app.clock.now()},
      paid_at = ${app.clock.now()} WHERE seller_id = ${BigInt(seller.id)} AND amount = ${90_000}
    `.execute(app.db);
    expect(await left()).toBeNull();
    expect((await ask(seller, { montant: 400_000 })).status).toBe(201);
  });

  test("that is no object is malformed, and without a body too", async () => {
    const seller = await sellerWith(1_000);
    for (const body of ["[]", "null", "5", ""]) {
      const answer = await app.call("POST", "/api/users/retrait/demande", {
        token: seller.token,
        body,
        headers: { "content-type": "application/json" },
      });
      expect(answer.status).toBe(400);
    }
  });

  test("of another seller is as absent", async () => {
    const seller = await sellerWith(1_000);
    const other = await app.signInSeller();
    const { id } = await askWithdrawal(app, seller);
    const paths = [`/api/users/retrait/${id}`, "/api/users/retrait/999999999"];
    const [foreign, absent] = await Promise.all(paths.map((path) => app.call("GET", path, other)));
    expect(foreign?.status).toBe(404);
    expect(foreign?.body).toEqual(absent?.body);
    expect(foreign?.body.message).toBe("Demande introuvable");
    const cancelled = await app.call("DELETE", `/api/users/retrait/annuler/${id}`, other);
    expect([cancelled.status, cancelled.body.message]).toEqual([404, "Demande introuvable"]);
  });
});

describe("an idempotency key", () => {
  test("with the same content answers the same request, however often and however late", async () => {
    const seller = await sellerWith(1_000);
    const first = await ask(seller, {}, "k1");
    const again = await Promise.all(Array.from({ length: 20 }, () => ask(seller, {}, "k1")));
    for (const answer of again) {
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual(first.body);
    }
    await app.call("DELETE", `/api/users/retrait/annuler/${first.body.demande.id}`, seller);
    app.clock.advance(DAY_MS);
    expect((await ask(seller, {}, "k1")).body).toEqual(first.body);
    expect((await sellerBalance(app, seller, "premium")).held).toBe(0);
  });

  test("sent twenty times at once makes one request", async () => {
    const seller = await sellerWith(50_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(seller, {}, "k2")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.demande.id)).size).toBe(1);
    expect((await sellerBalance(app, seller, "premium")).held).toBe(1_000);
  });

  test("with other content is refused, valid or not; a refused one may be used again", async () => {
    const seller = await sellerWith(5_000);
    const refused = await ask(seller, { montant: 6_000 }, "k3");
    expect(refused.status).toBe(422);
    expect((await ask(seller, { montant: 5_000 }, "k3")).status).toBe(201);
    for (const montant of [4_000, "abc"]) {
      const other = await ask(seller, { montant }, "k3");
      expect([other.status, other.body.code]).toEqual([409, "withdrawals.key-reused"]);
    }
  });

  test("is the seller's own", async () => {
    const one = await sellerWith(5_000);
    const other = await sellerWith(5_000);
    const answers = [await ask(one, {}, "k4"), await ask(other, { montant: 2_000 }, "k4")];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.demande.id).not.toBe(answers[1]?.body.demande.id);
  });
});

describe("the week of the free plan", () => {
  test("lets one of fifty simultaneous requests through", async () => {
    const seller = await sellerWith(50_000, "free");
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(seller)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["withdrawals.weekly"]));
    expect((await sellerBalance(app, seller, "free")).held).toBe(1_000);
  });

  test("reopens after seven days to the instant, or at once after a cancellation", async () => {
    const seller = await sellerWith(50_000, "free");
    const first = await askWithdrawal(app, seller);
    const { body } = await app.call("GET", "/api/users/retrait/limites", seller);
    const reopens = new Date(Date.parse(first.date_creation) + 7 * DAY_MS);
    expect(body).toMatchObject({ prochaine_date: reopens.toISOString() });
    app.clock.advance(7 * DAY_MS - 1);
    expect((await ask(seller)).body.code).toBe("withdrawals.weekly");
    app.clock.advance(1);
    const second = await askWithdrawal(app, seller);
    await app.call("DELETE", `/api/users/retrait/annuler/${second.id}`, seller);
    expect((await ask(seller)).status).toBe(201);
  });
});
