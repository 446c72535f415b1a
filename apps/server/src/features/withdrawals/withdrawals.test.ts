import type { Plan } from "@sesame/contract/plans";
import { addMs, assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import {
  askWithdrawal,
  fundSeller,
  REQUEST,
  sellerBalance,
  setFirstPayouts,
} from "../../../test/funds.ts";
import { leaseOne } from "../../../test/tables.ts";
import { buttonOf } from "../../../test/groups.ts";
import { type SignedInBuyer, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { listenTo } from "../../../test/wire/sockets.ts";
import { createStaffFixtures, giveNumberBefore, STAFF_ENV } from "../../../test/withdrawals.ts";
import { withdrawalsJobs } from "./withdrawals.ts";

let agent: SignedInBuyer;

const app = await startTestApp({ env: STAFF_ENV });
await setFirstPayouts(app, 600_000);
const staff = createStaffFixtures(app);
/** Each test begins on the same Monday at 9:00. */
beforeEach(async () => {
  app.clock.setOffset(0);
  agent = await staff.agent();
});
afterEach(async () => expect(await check(app.db)).toEqual([]));

type Fields = Readonly<Record<string, unknown>>;

const ask = (seller: SignedInSeller, fields: Fields = {}, key?: string) =>
  app.send("POST /api/users/retrait/demande", seller, { ...REQUEST, ...fields }, key);

const cancel = (seller: SignedInSeller, id: string, key?: string) =>
  app.send("DELETE /api/users/retrait/annuler/:id", seller, { id }, key);
const limitsOf = (seller: SignedInSeller) => app.read("GET /api/users/retrait/limites", seller);
const sellerWith = (funds: number, plan: Plan = "premium") => app.seller({ plan, funds });
const balance = (seller: SignedInSeller, plan: Plan = "premium") =>
  sellerBalance(app, seller, plan);

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
    expect(await balance(seller)).toEqual({ posted: 10_000, held: 4_000, available: 6_000 });
  });

  test("is in the seller's lists, at sign-in too, and its method and number are the next defaults", async () => {
    const seller = await sellerWith(10_000);
    const demande = await askWithdrawal(app, seller, {
      methode_paiement: "wave-senegal",
      numero_transfert: "77 123 45 67",
    });
    const list = await app.read("GET /api/users/retrait/mes-demandes", seller);
    expect(list).toEqual({ success: true, demandes: [demande], next_cursor: null });
    const headers = { "x-telegram-init-data": app.initData(seller.person) };
    const start = await app.call("POST", "/api/auth/vendeur", { headers });
    expect(start.body).toMatchObject({
      withdrawalRequests: [demande],
      user: { payment_method: "wave-senegal", transfer_number: "+221771234567", retrait_auto: 0 },
    });
    expect(await limitsOf(seller)).toMatchObject({
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
    expect(await limitsOf(seller)).toMatchObject({ max: 500_000, solde: 600_000, frais: 0 });
    expect((await ask(seller, { montant: 500_001 })).body.message).toBe(
      "Le montant maximum de retrait est de 500000 FCFA",
    );
    expect((await ask(seller, { montant: 500_000 })).status).toBe(201);
    await fundSeller(app, seller, 60_000, "free");
    expect(await limitsOf(seller)).toMatchObject({
      max: 50_000,
      // Includes what is held on the account of the previous plan.
      solde: 660_000,
      disponible: 60_000,
      frais: 0,
    });
    expect((await ask(seller, { montant: 50_001 })).body.message).toBe(
      "Le montant maximum de retrait est de 50000 FCFA",
    );
  });

  test("before the first payment counts with open requests, at once too", async () => {
    const seller = await sellerWith(1_000_000);
    const left = async () => (await limitsOf(seller)).premier_max;
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
    await cancel(seller, demande.id);
    expect(await left()).toBe(360_000);
    await app.sql`UPDATE withdrawals SET status = 'approved', decided_at = ${app.clock.now()},
      paid_at = ${app.clock.now()} WHERE seller_id = ${BigInt(seller.id)} AND amount = ${90_000}`;
    expect(await left()).toBeNull();
    expect((await ask(seller, { montant: 400_000 })).status).toBe(201);
    await app.sql`UPDATE withdrawals SET status = 'pending', decided_at = NULL, paid_at = NULL
      WHERE seller_id = ${BigInt(seller.id)} AND amount = ${90_000}`;
  });

  test("that is no object, or has no body, is malformed", async () => {
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
});

describe("an idempotency key", () => {
  test("with the same content gets the same request, however often and however late", async () => {
    const seller = await sellerWith(1_000);
    const first = await ask(seller, {}, "k1");
    const again = await Promise.all(Array.from({ length: 20 }, () => ask(seller, {}, "k1")));
    for (const answer of again) {
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual(first.body);
    }
    await cancel(seller, first.body.demande.id);
    app.clock.advance(DAY_MS);
    expect((await ask(seller, {}, "k1")).body).toEqual(first.body);
    expect((await balance(seller)).held).toBe(0);
  });

  test("with other content is refused, valid or not; the key of a refused one may be used again", async () => {
    const seller = await sellerWith(5_000);
    const refused = await ask(seller, { montant: 6_000 }, "k3");
    expect(refused.status).toBe(422);
    expect((await ask(seller, { montant: 5_000 }, "k3")).status).toBe(201);
    for (const montant of [4_000, "abc"]) {
      const other = await ask(seller, { montant }, "k3");
      expect([other.status, other.body.code]).toEqual([409, "withdrawals.key-reused"]);
    }
  });

  test("belongs to one seller", async () => {
    const one = await sellerWith(5_000);
    const other = await sellerWith(5_000);
    const answers = [await ask(one, {}, "k4"), await ask(other, { montant: 2_000 }, "k4")];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.demande.id).not.toBe(answers[1]?.body.demande.id);
  });
});

test("the week of the free plan reopens after seven days to the instant, or at once after a cancellation", async () => {
  const seller = await sellerWith(50_000, "free");
  const first = await askWithdrawal(app, seller);
  const reopens = new Date(Date.parse(first.date_creation) + 7 * DAY_MS);
  expect(await limitsOf(seller)).toMatchObject({ prochaine_date: reopens.toISOString() });
  app.clock.advance(7 * DAY_MS - 1);
  expect((await ask(seller)).body.code).toBe("withdrawals.weekly");
  app.clock.advance(1);
  const second = await askWithdrawal(app, seller);
  await cancel(seller, second.id);
  expect((await ask(seller)).status).toBe(201);
});

test("a withdrawal request is refused by the first rule it breaks, whatever else is wrong", async () => {
  const free = await sellerWith(60_000, "free");
  await askWithdrawal(app, free, { montant: 100 });
  const all = {
    montant: "abc",
    methode_paiement: "",
    numero_transfert: "12345",
    numero_whatsapp: "12345",
  };
  const named = { montant: 499, numero_whatsapp: "123456", numero_transfert: "123456" };
  const byMoov = (numero_transfert: string, montant = 499) => {
    return { ...named, montant, numero_transfert, methode_paiement: "moov-ci" };
  };
  const rows: [Fields, string][] = [
    [{}, "Veuillez saisir un montant valide"],
    [{ montant: 0 }, "Veuillez saisir un montant valide"],
    [{ montant: -5 }, "Veuillez saisir un montant valide"],
    [{ montant: null }, "Veuillez saisir un montant valide"],
    [{ montant: 1_000.5 }, "Veuillez saisir un montant valide"],
    [{ montant: ["5000"] }, "Veuillez saisir un montant valide"],
    [{ montant: 99 }, "Le montant minimum de retrait est de 100 FCFA"],
    [{ montant: 50_001 }, "Le montant maximum de retrait est de 50000 FCFA"],
    [{ montant: 1e21 }, "Le montant maximum de retrait est de 50000 FCFA"],
    [{ montant: 499 }, "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)"],
    [
      { montant: 499, numero_whatsapp: "123456" },
      "Veuillez saisir un numéro pour le transfert valide (minimum 6 chiffres)",
    ],
    [
      { montant: 499, numero_whatsapp: 123456, numero_transfert: "123456" },
      "Veuillez sélectionner un mode de paiement",
    ],
    [
      { ...named, methode_paiement: "paypal" },
      "Méthode de paiement non trouvée. Veuillez réessayer.",
    ],
    [
      byMoov("123456"),
      "Ce numéro n'est pas un numéro mobile de Côte d'Ivoire : 10 chiffres, avec ou sans +225.",
    ],
    [byMoov("+221771234567"), "Moov CI demande un numéro de Côte d'Ivoire (+225)."],
    [byMoov("0701020304"), "Ce numéro n'est pas un numéro Moov de Côte d'Ivoire."],
    [byMoov("0101020304"), "Le minimum pour Moov CI est de 500 FCFA"],
    [
      byMoov("0101020304", 500),
      "Le plan gratuit permet un retrait par semaine. Prochain retrait possible le lundi 23 novembre 2026 à 09:00.",
    ],
  ];
  for (const [fields, sentence] of rows) {
    const answer = await ask(free, { ...all, ...fields });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
  }
  const poor = await sellerWith(400, "premium");
  const tooMuch = await ask(poor, { ...all, montant: 401 });
  expect(tooMuch.body.message).toBe("Solde insuffisant pour ce retrait");
  const valid = await ask(poor, { montant: 401 });
  expect(valid.body.message).toBe("Solde insuffisant pour ce retrait");
});

test("a frozen, suspended or closed seller gets the reason, and the day of its review", async () => {
  const seller = await sellerWith(5_000);
  const id = BigInt(seller.id);
  const review = new Date("2026-12-24T09:00:00Z");
  await app.sql`INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, frozen_reason,
    frozen_review_at, updated_at) VALUES (${id}, now(), 'operator', 'Identité à vérifier.', ${review}, now())`;
  expect((await ask(seller)).body.message).toBe(
    "Vos retraits sont bloqués : Identité à vérifier. Réexamen prévu le jeudi 24 décembre 2026 à 09:00.",
  );
  await app.sql`UPDATE sellers SET suspended_at = now(), suspended_reason = 'Plaintes d''acheteurs'
    WHERE id = ${id}`;
  expect((await ask(seller)).body.message).toBe(
    "Votre compte vendeur est suspendu : Plaintes d'acheteurs.",
  );
  expect(await limitsOf(seller)).toMatchObject({
    bloque: { code: "withdrawals.seller-suspended" },
  });
  await app.sql`UPDATE sellers SET closed_at = now() WHERE id = ${id}`;
  expect((await ask(seller)).body.message).toBe("Votre compte vendeur est fermé.");
  expect((await balance(seller)).held).toBe(0);
});

async function sellerWithRequest(plan: Plan = "premium") {
  const seller = await sellerWith(10_000, plan);
  return { seller, ...(await askWithdrawal(app, seller)) };
}

const changePlan = (seller: SignedInSeller, plan: Plan) => fundSeller(app, seller, 0, plan);

/** Its transfer to the account of another plan, if any. */
const movesOf = (id: string) => app.sql`
  SELECT FROM ledger_transfers WHERE id = ${`move:${id}`}`;

describe("a cancelled request", () => {
  test("returns the francs, and cannot be cancelled twice", async () => {
    const { seller, id } = await sellerWithRequest();
    const screen = await listenTo(app.url, { token: seller.token });
    const answer = await cancel(seller, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      demande: { id, status: "cancelled", annulable: false },
      available: 10_000,
    });
    const change = { name: "withdrawal:status", body: { id, status: "cancelled", paid: false } };
    await eventually(() => expect(screen.received).toContainEqual(expect.objectContaining(change)));
    screen.close();
    expect(await balance(seller)).toMatchObject({ held: 0, available: 10_000 });
    const again = await cancel(seller, id);
    expect([again.status, again.body.message]).toEqual([409, "Opération impossible"]);
  });

  test("repeated with its key gets the first answer, and the key serves no other", async () => {
    const { seller, id } = await sellerWithRequest();
    const first = await cancel(seller, id, "c1");
    const again = await cancel(seller, id, "c1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await askWithdrawal(app, seller);
    expect((await cancel(seller, other.id, "c1")).status).toBe(409);
    expect((await cancel(seller, other.id, "c2")).status).toBe(200);
  });

  test("is cancelled once by twenty taps at once", async () => {
    const { seller, id } = await sellerWithRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(seller, id)));
    const tally = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(tally).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await balance(seller)).toMatchObject({ held: 0, available: 10_000 });
  });

  test("is impossible while assigned to an agent, and possible afterwards", async () => {
    const { seller, id } = await sellerWithRequest();
    const until = addMs(app.clock.now(), 15 * MINUTE_MS);
    await app.sql`UPDATE withdrawals SET assigned_to = ${agent.id}, assigned_until = ${until}
      WHERE id = ${id}`;
    const { demande } = await app.read("GET /api/users/retrait/:id", seller, { id });
    expect(demande.annulable).toBe(false);
    const taken = await cancel(seller, id);
    expect([taken.status, taken.body.message]).toEqual([409, "Opération impossible"]);
    app.clock.advance(15 * MINUTE_MS);
    expect((await cancel(seller, id)).status).toBe(200);
  });
});

describe("a change of plan between request and cancellation", () => {
  test("brings the francs to the account of the current plan, visibly", async () => {
    const { seller, id } = await sellerWithRequest("premium");
    await changePlan(seller, "free");
    expect((await cancel(seller, id)).status).toBe(200);
    expect(await balance(seller)).toEqual({ posted: 9_000, held: 0, available: 9_000 });
    expect(await balance(seller, "free")).toEqual({ posted: 1_000, held: 0, available: 1_000 });
    expect(await movesOf(id)).toHaveLength(1);
  });

  test("moves nothing after a return to the first plan", async () => {
    const { seller, id } = await sellerWithRequest("free");
    await changePlan(seller, "premium");
    await changePlan(seller, "free");
    expect((await cancel(seller, id)).status).toBe(200);
    expect(await movesOf(id)).toEqual([]);
    expect(await balance(seller, "free")).toMatchObject({ available: 10_000, held: 0 });
  });
});

const NUMBER = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };

const save = (seller: SignedInSeller, body: Readonly<Record<string, unknown>>) =>
  app.send("PUT /api/users/paiement/update", seller, body);

const read = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/paiement", seller)).paiement;

describe("the configuration of automatic payouts", () => {
  test("is off until the seller switches it on, by any form of true", async () => {
    for (const yes of [true, 1, "1", "true"]) {
      const seller = await app.signInSeller();
      expect(await read(seller)).toMatchObject({
        retrait_auto: 0,
        retraitAuto: { active: false, modePaiement: null, numeroTransfert: null },
        frequence: "hebdomadaire",
        frequences: ["hebdomadaire"],
        prochaine_execution: null,
      });
      const answer = await save(seller, { retrait_auto: yes, ...NUMBER });
      expect(answer.status).toBe(200);
      expect(answer.body.paiement).toMatchObject({
        retrait_auto: 1,
        retraitAuto: { active: true, modePaiement: "mtn-ci", numeroTransfert: "+2250501020304" },
        payment_method: "mtn-ci",
        transfer_number: "+2250501020304",
        // The clock is on a Monday at 9:00: this Monday's run is over.
        prochaine_execution: "2026-11-23T09:00:00.000Z",
        // A first number waits like any other (decision 116).
        repos_jusqua: "2026-11-17T09:00:00.000Z",
      });
      const { body } = await app.call("GET", `/api/users/${seller.id}`, seller);
      expect(body).toMatchObject({ user: { retrait_auto: 1, payment_method: "mtn-ci" } });
    }
  });

  test("is switched off by any form of false, whatever else is in it", async () => {
    for (const no of [false, 0, "0", "false"]) {
      const seller = await app.signInSeller();
      await save(seller, { retrait_auto: 1, ...NUMBER });
      const answer = await save(seller, { retrait_auto: no, transfer_number: "12" });
      expect([answer.status, answer.body.message]).toEqual([
        200,
        "Les paiements automatiques sont désactivés",
      ]);
      expect(answer.body.paiement).toMatchObject({
        retrait_auto: 0,
        retraitAuto: { active: false, numeroTransfert: "+2250501020304" },
        prochaine_execution: null,
      });
    }
    const seller = await app.signInSeller();
    const maybe = await save(seller, { retrait_auto: "peut-être", ...NUMBER });
    expect(maybe.status).toBe(400);
  });

  test.each<[sentence: string, fields: Fields, status?: number]>([
    ["Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)", {}],
    [
      "Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)",
      { transfer_number: null },
    ],
    [
      "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)",
      { transfer_number: "123456" },
    ],
    [
      "Veuillez sélectionner un mode de paiement",
      { transfer_number: "123456", whatsapp_number: "" },
    ],
    [
      "Ce numéro n'est pas un numéro mobile du Togo : 8 chiffres, avec ou sans +228.",
      { transfer_number: "123456", whatsapp_number: "", payment_method: "moov-togo" },
    ],
    ["Veuillez choisir une fréquence parmi celles proposées.", { ...NUMBER, whatsapp_number: "" }],
    [
      "Avec le plan gratuit, le retrait automatique est hebdomadaire. Cette fréquence est réservée au plan Premium.",
      { ...NUMBER, whatsapp_number: "", frequence: "quotidien" },
      403,
    ],
  ])("is refused by the first rule it breaks: %s %o", async (sentence, fields, status = 422) => {
    const answer = await save(await app.signInSeller(), {
      retrait_auto: 1,
      transfer_number: "12345",
      whatsapp_number: "12345",
      payment_method: "",
      frequence: "mensuel",
      seuil: "x",
      ...fields,
    });
    expect([answer.status, answer.body.message]).toEqual([status, sentence]);
  });

  test("is refused without a number, and with a threshold that is too low", async () => {
    const nothing = await save(await app.signInSeller(), { retrait_auto: 1 });
    expect(nothing.body.code).toBe("withdrawals.automatic-phone-invalid");
    const seller = await sellerWith(0);
    const tooLow = { retrait_auto: 1, ...NUMBER, frequence: "seuil", seuil: 99 };
    const threshold = await save(seller, tooLow);
    expect(threshold.body.message).toBe(
      "Le seuil doit être un nombre entier entre 100 FCFA et 500\u00a0000 FCFA.",
    );
  });

  test("of a premium seller runs daily or by a threshold; back on the free plan, weekly", async () => {
    const seller = await sellerWith(0);
    await giveNumberBefore(app, seller, "+2250501020304");
    const daily = await save(seller, { retrait_auto: 1, ...NUMBER, frequence: "quotidien" });
    expect(daily.body.paiement).toMatchObject({
      frequence: "quotidien",
      prochaine_execution: "2026-11-17T09:00:00.000Z",
    });
    const threshold = await save(seller, { frequence: "seuil", seuil: "25 000" });
    expect(threshold.body.paiement).toMatchObject({
      retrait_auto: 1,
      frequence: "seuil",
      seuil: 25_000,
      prochaine_execution: "2026-11-16T10:00:00.000Z",
    });
    await changePlan(seller, "free");
    expect(await read(seller)).toMatchObject({
      frequence: "hebdomadaire",
      frequences: ["hebdomadaire"],
    });
  });

  test("stores a WhatsApp number so that the profile sent back whole is accepted", async () => {
    const seller = await app.signInSeller();
    const saved = await save(seller, { ...NUMBER, whatsapp_number: " +225 (07) 01-02.03 04 " });
    expect(saved.body.paiement).toMatchObject({
      retrait_auto: 0,
      whatsapp_number: "+2250701020304",
    });
    const { user: body } = await app.read("GET /api/users/:id", seller, { id: seller.id });
    const back = await app.call("PUT", `/api/users/${seller.id}`, { token: seller.token, body });
    expect(back.status).toBe(200);
  });

  test("keeps its number when a request goes to another one", async () => {
    const seller = await sellerWith(5_000);
    await save(seller, { retrait_auto: 1, ...NUMBER });
    const { repos_jusqua } = await read(seller);
    app.clock.advance(HOUR_MS);
    await askWithdrawal(app, seller, REQUEST);
    expect(await read(seller)).toMatchObject({
      retraitAuto: { modePaiement: "mtn-ci", numeroTransfert: "+2250501020304" },
      repos_jusqua,
    });
  });

  test("makes a first number wait 24 h, no longer and no shorter when it is saved again", async () => {
    const seller = await sellerWith(0);
    app.clock.advance(HOUR_MS);
    const waitsUntil = addMs(app.clock.now(), DAY_MS).toISOString();
    const daily = { retrait_auto: 1, ...NUMBER, frequence: "quotidien" };
    // The day's run at 9:00 would be within the 24 hours.
    expect((await save(seller, daily)).body.paiement).toMatchObject({
      repos_jusqua: waitsUntil,
      prochaine_execution: "2026-11-18T09:00:00.000Z",
    });
    app.clock.advance(HOUR_MS);
    const again = await save(seller, { retrait_auto: 1, frequence: "hebdomadaire" });
    expect(again.body.paiement.repos_jusqua).toBe(waitsUntil);
    app.clock.advance(23 * HOUR_MS);
    expect((await read(seller)).repos_jusqua).toBeNull();
  });

  test("announces a first number, whose wait begins, though nothing is switched on", async () => {
    const seller = await app.seller();
    const saved = await save(seller, NUMBER);
    expect(saved.body.paiement).toMatchObject({
      retrait_auto: 0,
      transfer_number: "+2250501020304",
    });
    await app.drain();
    const message = app.lastTo(seller.person.id, "seller");
    expect(message.text).toContain("Un numéro est enregistré pour vos paiements");
    expect(message.text).toContain("+225 05 01 02 03 04");
    expect(buttonOf(message, "Ce n'est pas moi")).toBeDefined();
  });
});

/** From when a request to the changed number waits: a first number delays none. */
const changedAt = ({ id }: SignedInSeller) => app.value<Date | null>`
  SELECT number_changed_at FROM payout_profiles WHERE seller_id = ${id}`;

describe("a changed number", () => {
  test("waits for 24 h, and its seller may report that it was not him", async () => {
    const seller = await app.seller({ plan: "premium", funds: 5_000 });
    await save(seller, { retrait_auto: 1, ...NUMBER, frequence: "quotidien" });
    expect(await changedAt(seller)).toBeNull();
    await app.drain();
    const before = app.messagesTo(seller.person.id, "seller").length;
    app.clock.advance(HOUR_MS);
    const at = app.clock.now();
    const changed = await save(seller, { transfer_number: "05 99 02 03 04" });
    expect(changed.body.paiement).toMatchObject({
      retrait_auto: 1,
      repos_jusqua: new Date(at.getTime() + 24 * HOUR_MS).toISOString(),
      // The day's run at 9:00 would be within the wait.
      prochaine_execution: "2026-11-18T09:00:00.000Z",
    });
    expect(await changedAt(seller)).toEqual(at);
    await app.drain();
    const message = app.lastTo(seller.person.id, "seller");
    expect(app.messagesTo(seller.person.id, "seller")).toHaveLength(before + 1);
    expect(message.text).toContain("+225 05 99 02 03 04");
    expect(message.text).toContain("mardi 17 novembre 2026 à 10:00");
    expect(buttonOf(message, "Ce n'est pas moi")).toBeDefined();
    // The same number in another form is no change.
    await save(seller, { transfer_number: "+225 0599020304" });
    await app.drain();
    expect(app.messagesTo(seller.person.id, "seller")).toHaveLength(before + 1);
  });

  test("while payouts are frozen cannot be saved; switching off can", async () => {
    const seller = await sellerWith(0);
    await save(seller, { retrait_auto: 1, ...NUMBER });
    await app.sql`UPDATE payout_profiles SET frozen_at = now(), frozen_by = 'seller'
      WHERE seller_id = ${BigInt(seller.id)}`;
    const refused = await save(seller, { transfer_number: "05 99 02 03 04" });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      "Vos retraits sont bloqués à votre demande. Contactez le support pour les débloquer.",
    ]);
    const off = await save(seller, { retrait_auto: 0, transfer_number: "05 99 02 03 04" });
    expect(off.body.paiement).toMatchObject({
      retrait_auto: 0,
      transfer_number: "+2250501020304",
      bloque: { code: "withdrawals.payouts-frozen" },
    });
  });
});

const request = async (plan: Plan = "premium") =>
  staff.request({ seller: await app.seller(), amount: 4_000, plan });

const seen = async (seller: SignedInSeller, id: string) =>
  (await app.read("GET /api/users/retrait/:id", seller, { id })).demande;

const said = (seller: SignedInSeller) => app.lastTo(seller.person.id, "seller").text;

async function reject(id: string): Promise<void> {
  await staff.act(agent, id, "assign");
  const body = { reason_code: "wrong-number", reason: "Le numéro <07> n'existe pas." };
  expect(await staff.said(agent, id, "reject", body)).toBe("200");
}

describe("a rejected request", () => {
  test("is notified once, though the worker dies right after", async () => {
    const { seller, id } = await request();
    await reject(id);
    const [handler] = withdrawalsJobs(app.core);
    assert(handler, "sellers are notified");
    const job = await leaseOne(app, handler.topic);
    assert(job, "a rejection has its message to be sent");
    await handler.run(job);
    await app.advance(1_000);
    const notified = app.textsTo(seller.person.id, "seller");
    expect(notified.filter((text) => text.includes("n'existe pas"))).toHaveLength(1);
  });

  test("returns the francs, and its seller reads the reason", async () => {
    const { seller, id, reference_transaction: reference } = await request();
    await reject(id);
    await app.drain();
    expect(await seen(seller, id)).toMatchObject({
      status: "rejected",
      motif: "Le numéro <07> n'existe pas.",
      annulable: false,
      date_paiement: null,
    });
    expect(await balance(seller)).toMatchObject({ held: 0, available: 4_000 });
    expect(said(seller)).toContain("est rejeté\u00a0: Le numéro <07> n'existe pas.");
    expect(said(seller)).toContain(reference);
  });

  test("does not count for the week of the free plan", async () => {
    const { seller, id } = await request("free");
    await reject(id);
    await askWithdrawal(app, seller, { montant: 4_000 });
  });

  test("returns to the account of the seller's current plan", async () => {
    const { seller, id } = await request("premium");
    await fundSeller(app, seller, 0, "free");
    await reject(id);
    expect(await balance(seller)).toMatchObject({ posted: 0, held: 0 });
    expect(await balance(seller, "free")).toMatchObject({ available: 4_000 });
  });
});

test("an approved request is announced to its seller while it is not paid", async () => {
  const { seller, id } = await request();
  await staff.act(agent, id, "assign");
  const { status } = await staff.act(agent, id, "approve", { rail: "manual" });
  expect(status).toBe(200);
  await app.drain();
  expect(said(seller)).toContain("est approuvé");
});

describe("a paid request", () => {
  test("is reported to its seller, in the bot and on his screens", async () => {
    const { seller, id } = await request();
    const before = app.messagesTo(seller.person.id, "seller").length;
    const ear = await listenTo(app.url, { token: seller.token });
    await staff.payByHand(agent, id, `OM-${id}`);
    await app.drain();
    const paid = await seen(seller, id);
    expect(paid).toMatchObject({ status: "approved", motif: null, annulable: false });
    expect(paid.date_paiement).toBe(app.clock.now().toISOString());
    expect(said(seller)).toContain("envoyés sur Orange Money CI");
    const messages = app.messagesTo(seller.person.id, "seller").slice(before);
    // The approval is no longer news.
    expect(messages).toHaveLength(1);
    // The assignment to an agent is an event too, with "pending": it can no longer be cancelled.
    const notified = () =>
      ear.received
        .filter(({ name }) => name === "withdrawal:status")
        .map(({ body }) => JSON.stringify(body))
        .filter((body) => !body.includes('"pending"'));
    await eventually(() =>
      expect(notified()).toEqual([
        JSON.stringify({ id, status: "approved", paid: false }),
        JSON.stringify({ id, status: "approved", paid: true }),
      ]),
    );
    ear.close();
    expect(await balance(seller)).toEqual({ posted: 0, held: 0, available: 0 });
    const refused = await cancel(seller, id);
    expect([refused.status, refused.body.message]).toEqual([409, "Opération impossible"]);
  });

  test("counts for the week of the free plan", async () => {
    const { seller, id, date_creation: asked } = await request("free");
    await staff.payByHand(agent, id, `OM-${id}`);
    await fundSeller(app, seller, 4_000);
    expect(await limitsOf(seller)).toMatchObject({
      prochaine_date: new Date(Date.parse(asked) + 7 * DAY_MS).toISOString(),
      premier_max: null,
    });
  });

  test("is either paid or cancelled, when agent and seller act at once", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { seller, id } = await request();
      const approving = async () => {
        await staff.act(agent, id, "assign");
        return staff.act(agent, id, "approve", { rail: "manual" });
      };
      const [approved, cancelled] = await Promise.all([approving(), cancel(seller, id)]);
      expect([approved.status, cancelled.status].filter((status) => status === 200)).toHaveLength(
        1,
      );
      const rows = await app.sql`
        SELECT w.status, h.ended_as FROM withdrawals w JOIN ledger_holds h ON h.id = 'hold:' || w.id
        WHERE w.id = ${BigInt(id)}`;
      const expected =
        approved.status === 200
          ? { status: "approved", ended_as: "paid" }
          : { status: "cancelled", ended_as: "released" };
      expect(rows).toEqual([expected]);
    }
  });
});
