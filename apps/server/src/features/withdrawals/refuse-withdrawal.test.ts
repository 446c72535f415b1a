import type { AnswerOf } from "@sesame/contract/routes";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { askWithdrawal, fundSeller, REQUEST, sellerBalance } from "../../../test/withdrawals.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
});
afterAll(() => app?.close());

type Fields = Readonly<Record<string, unknown>>;

const ask = (seller: SignedInSeller, fields: Fields = {}) =>
  app.call<AnswerOf<"GET /api/users/retrait/:id"> & { message: string; code: string }>(
    "POST",
    "/api/users/retrait/demande",
    { token: seller.token, body: { ...REQUEST, ...fields } },
  );

async function sellerWith(amount: number, plan: "free" | "premium" = "premium") {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, amount, plan);
  return seller;
}

describe("a withdrawal request", () => {
  test("is refused by the first rule it breaks, whatever else is wrong", async () => {
    const free = await sellerWith(60_000, "free");
    await askWithdrawal(app, free, { montant: 100 });
    const all = {
      montant: "abc",
      methode_paiement: "",
      numero_transfert: "12345",
      numero_whatsapp: "12345",
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
        {
          montant: 499,
          numero_whatsapp: "123456",
          numero_transfert: "123456",
          methode_paiement: "paypal",
        },
        "Méthode de paiement non trouvée. Veuillez réessayer.",
      ],
      [
        {
          montant: 499,
          numero_whatsapp: "123456",
          numero_transfert: "123456",
          methode_paiement: "moov-ci",
        },
        "Ce numéro n'est pas un numéro mobile de Côte d'Ivoire : 10 chiffres, avec ou sans +225.",
      ],
      [
        {
          montant: 499,
          numero_whatsapp: "123456",
          numero_transfert: "+221771234567",
          methode_paiement: "moov-ci",
        },
        "Moov CI demande un numéro de Côte d'Ivoire (+225).",
      ],
      [
        {
          montant: 499,
          numero_whatsapp: "123456",
          numero_transfert: "0701020304",
          methode_paiement: "moov-ci",
        },
        "Ce numéro n'est pas un numéro Moov de Côte d'Ivoire.",
      ],
      [
        {
          montant: 499,
          numero_whatsapp: "123456",
          numero_transfert: "0101020304",
          methode_paiement: "moov-ci",
        },
        "Le minimum pour Moov CI est de 500 FCFA",
      ],
      [
        {
          montant: 500,
          numero_whatsapp: "123456",
          numero_transfert: "0101020304",
          methode_paiement: "moov-ci",
        },
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
});

describe("people's decisions", () => {
  test("a frozen, suspended or closed seller is told why, and by when it is looked at again", async () => {
    const seller = await sellerWith(5_000);
    const id = BigInt(seller.id);
    const review = new Date("2026-12-24T09:00:00Z");
    await sql`INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, frozen_reason,
      frozen_review_at, updated_at) VALUES (${id}, now(), 'operator', 'Identité à vérifier.', ${review}, now())`.execute(
      app.db,
    );
    expect((await ask(seller)).body.message).toBe(
      "Vos retraits sont bloqués : Identité à vérifier. Réexamen prévu le jeudi 24 décembre 2026 à 09:00.",
    );
    await sql`UPDATE sellers SET suspended_at = now(), suspended_reason = 'Plaintes d''acheteurs'
      WHERE id = ${id}`.execute(app.db);
    expect((await ask(seller)).body.message).toBe(
      "Votre compte vendeur est suspendu : Plaintes d'acheteurs.",
    );
    const { body } = await app.call("GET", "/api/users/retrait/limites", seller);
    expect(body).toMatchObject({ bloque: { code: "withdrawals.seller-suspended" } });
    await sql`UPDATE sellers SET closed_at = now() WHERE id = ${id}`.execute(app.db);
    expect((await ask(seller)).body.message).toBe("Votre compte vendeur est fermé.");
    expect((await sellerBalance(app, seller, "premium")).held).toBe(0);
  });
});
