import type { UserAnswer } from "@sesame/contract/identity";
import type { AnswerOf } from "@sesame/contract/routes";
import { HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buttonOf, createSellerFixtures, lastTo, messagesTo } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { askWithdrawal, fundSeller, REQUEST } from "../../../test/withdrawals.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const NUMBER = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };

const save = (seller: SignedInSeller, body: Readonly<Record<string, unknown>>) =>
  app.call<AnswerOf<"GET /api/users/paiement"> & { message: string; code: string }>(
    "PUT",
    "/api/users/paiement/update",
    { token: seller.token, body },
  );

const read = async (seller: SignedInSeller) =>
  (await app.call<AnswerOf<"GET /api/users/paiement">>("GET", "/api/users/paiement", seller)).body
    .paiement;

const premium = async () => {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, 0, "premium");
  return seller;
};

describe("the configuration of automatic payouts", () => {
  test("is off until the seller switches it on, by any form of yes", async () => {
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
        // The clock stands on a Monday at 9:00: this Monday's run is over.
        prochaine_execution: "2026-11-23T09:00:00.000Z",
        repos_jusqua: null,
      });
      const { body } = await app.call("GET", `/api/users/${seller.id}`, seller);
      expect(body).toMatchObject({ user: { retrait_auto: 1, payment_method: "mtn-ci" } });
    }
  });

  test("is switched off by any form of no, whatever else is in it", async () => {
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

  test("is refused by the first rule it breaks", async () => {
    const free = await app.signInSeller();
    const all = {
      retrait_auto: 1,
      transfer_number: "12345",
      whatsapp_number: "12345",
      payment_method: "",
      frequence: "mensuel",
      seuil: "x",
    };
    const rows: [Readonly<Record<string, unknown>>, number, string][] = [
      [{}, 422, "Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)"],
      [
        { transfer_number: null },
        422,
        "Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)",
      ],
      [
        { transfer_number: "123456" },
        422,
        "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)",
      ],
      [
        { transfer_number: "123456", whatsapp_number: "" },
        422,
        "Veuillez sélectionner un mode de paiement",
      ],
      [
        { transfer_number: "123456", whatsapp_number: "", payment_method: "moov-togo" },
        422,
        "Ce numéro n'est pas un numéro mobile du Togo : 8 chiffres, avec ou sans +228.",
      ],
      [
        { ...NUMBER, whatsapp_number: "" },
        422,
        "Veuillez choisir une fréquence parmi celles proposées.",
      ],
      [
        { ...NUMBER, whatsapp_number: "", frequence: "quotidien" },
        403,
        "Avec le plan gratuit, le retrait automatique est hebdomadaire. Cette fréquence est réservée au plan Premium.",
      ],
    ];
    for (const [fields, status, sentence] of rows) {
      const answer = await save(free, { ...all, ...fields });
      expect([answer.status, answer.body.message]).toEqual([status, sentence]);
    }
    const nothing = await save(free, { retrait_auto: 1 });
    expect(nothing.body.code).toBe("withdrawals.automatic-phone-invalid");
    const seller = await premium();
    const threshold = await save(seller, {
      retrait_auto: 1,
      ...NUMBER,
      frequence: "seuil",
      seuil: 99,
    });
    expect(threshold.body.message).toBe(
      "Le seuil doit être un nombre entier entre 100 FCFA et 500\u202f000 FCFA.",
    );
  });

  test("of a premium seller runs daily or by a threshold; back on the free plan, weekly", async () => {
    const seller = await premium();
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
    await fundSeller(app, seller, 0, "free");
    expect(await read(seller)).toMatchObject({
      frequence: "hebdomadaire",
      frequences: ["hebdomadaire"],
    });
  });

  test("keeps a WhatsApp number so that the profile sent back whole is taken", async () => {
    const seller = await app.signInSeller();
    const saved = await save(seller, { ...NUMBER, whatsapp_number: " +225 (07) 01-02.03 04 " });
    expect(saved.body.paiement).toMatchObject({
      retrait_auto: 0,
      whatsapp_number: "+2250701020304",
    });
    const { body } = await app.call<UserAnswer>("GET", `/api/users/${seller.id}`, seller);
    const back = await app.call("PUT", `/api/users/${seller.id}`, {
      token: seller.token,
      body: body.user,
    });
    expect(back.status).toBe(200);
  });

  test("keeps its number when a request goes to another one", async () => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 5_000, "premium");
    await save(seller, { retrait_auto: 1, ...NUMBER });
    await askWithdrawal(app, seller, REQUEST);
    expect(await read(seller)).toMatchObject({
      retraitAuto: { modePaiement: "mtn-ci", numeroTransfert: "+2250501020304" },
      repos_jusqua: null,
    });
  });
});

describe("a changed number", () => {
  test("rests for 24 h, and its seller may say that it was not him", async () => {
    const scene = createSellerFixtures(app);
    const seller = await scene.sellerInTouch();
    await fundSeller(app, seller, 5_000, "premium");
    await save(seller, { retrait_auto: 1, ...NUMBER, frequence: "quotidien" });
    await app.drain();
    const before = messagesTo(app.emulators, seller.person.id, "seller").length;
    app.clock.advance(HOUR_MS);
    const at = app.clock.now();
    const changed = await save(seller, { transfer_number: "05 99 02 03 04" });
    expect(changed.body.paiement).toMatchObject({
      retrait_auto: 1,
      repos_jusqua: new Date(at.getTime() + 24 * HOUR_MS).toISOString(),
      // The day's run at 9:00 would come within the rest.
      prochaine_execution: "2026-11-18T09:00:00.000Z",
    });
    await app.drain();
    const message = lastTo(app.emulators, seller.person.id, "seller");
    expect(messagesTo(app.emulators, seller.person.id, "seller")).toHaveLength(before + 1);
    expect(message.text).toContain("+225 05 99 02 03 04");
    expect(message.text).toContain("mardi 17 novembre 2026 à 10:00");
    expect(buttonOf(message, "Ce n'est pas moi")).toBeDefined();
    // The same number again, in another writing, is no change.
    await save(seller, { transfer_number: "+225 0599020304" });
    await app.drain();
    expect(messagesTo(app.emulators, seller.person.id, "seller")).toHaveLength(before + 1);
  });

  test("while payouts are frozen cannot be saved; switching off can", async () => {
    const seller = await premium();
    await save(seller, { retrait_auto: 1, ...NUMBER });
    await sql`UPDATE payout_profiles SET frozen_at = now(), frozen_by = 'seller'
      WHERE seller_id = ${BigInt(seller.id)}`.execute(app.db);
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
