import { DAY_MS, fcfa } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { sayRefusal } from "../common/refusal.ts";
import { DEFAULT_SETTINGS } from "../back-office/policy.ts";
import {
  checkWithdrawal,
  readAmount,
  readFlag,
  weeklyReopening,
  type WithdrawalForm,
  type WithdrawalLimits,
} from "./policy.ts";
import { withdrawalsRefusals } from "./refusals.fr.ts";

const REOPENS = new Date("2026-11-23T09:00:00Z");
const zone = "Africa/Abidjan";

/** Breaks every rule. */
const WRONG: WithdrawalForm = { amount: "abc", whatsapp: "12345", phone: "12345", method: "" };

const { methods } = DEFAULT_SETTINGS;
const HARSH: WithdrawalLimits = {
  min: fcfa(100n),
  max: fcfa(50_000n),
  available: fcfa(10_000n),
  owed: fcfa(0),
  methods: {
    ...methods,
    "wave-ci": { ...methods["wave-ci"], open: false },
    "moov-ci": { open: true, min: fcfa(500n), step: fcfa(5n) },
  },
  standing: { kind: "withdrawals.seller-closed" },
  reopensAt: REOPENS,
  firstMax: fcfa(501n),
  zone,
};

const SUSPENDED = {
  kind: "withdrawals.seller-suspended",
  reason: "Ventes douteuses.",
  reviewAt: REOPENS,
  zone,
} as const;
const unreviewed = { reason: null, reviewAt: null, zone };
const FROZEN = { kind: "withdrawals.payouts-frozen", by: "operator", ...unreviewed } as const;

/** Each row satisfies one more rule: the refusal is of the first rule that is still broken. */
const ROWS: readonly [string, Partial<WithdrawalForm>, Partial<WithdrawalLimits>][] = [
  ["Veuillez saisir un montant valide", {}, {}],
  ["Le montant minimum de retrait est de 100 FCFA", { amount: 99 }, {}],
  ["Le montant maximum de retrait est de 50000 FCFA", { amount: 50_001 }, {}],
  ["Solde insuffisant pour ce retrait", { amount: 10_001 }, {}],
  [
    "Solde insuffisant pour ce retrait. Vos prochaines ventes remboursent d'abord les 4\u00a0000 FCFA avancés par Sésame.",
    {},
    { owed: fcfa(4_000n) },
  ],
  ["Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)", { amount: 499 }, {}],
  [
    "Veuillez saisir un numéro pour le transfert valide (minimum 6 chiffres)",
    { whatsapp: "abcdef" },
    {},
  ],
  ["Veuillez sélectionner un mode de paiement", { phone: "abcdef" }, {}],
  ["Méthode de paiement non trouvée. Veuillez réessayer.", { method: "paypal" }, {}],
  ["Méthode de paiement non disponible. Veuillez réessayer.", { method: "wave-ci" }, {}],
  // Six characters, which are no phone number.
  ["Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)", { method: "moov-ci" }, {}],
  [
    "Ce numéro n'est pas un numéro mobile de Côte d'Ivoire : 10 chiffres, avec ou sans +225.",
    { whatsapp: "123456" },
    {},
  ],
  ["Moov CI demande un numéro de Côte d'Ivoire (+225).", { phone: "+221771234567" }, {}],
  ["Ce numéro n'est pas un numéro Moov de Côte d'Ivoire.", { phone: "0701020304" }, {}],
  ["Le minimum pour Moov CI est de 500 FCFA", { phone: "0101020304" }, {}],
  ["Le montant pour Moov CI doit être un multiple de 5 FCFA", { amount: 502 }, {}],
  ["Votre compte vendeur est fermé.", { amount: 505 }, {}],
  [
    "Votre compte vendeur est suspendu : Ventes douteuses. Réexamen prévu le lundi 23 novembre 2026 à 09:00.",
    {},
    { standing: SUSPENDED },
  ],
  ["Vos retraits sont bloqués.", {}, { standing: FROZEN }],
  [
    "Le plan gratuit permet un retrait par semaine. Prochain retrait possible le lundi 23 novembre 2026 à 09:00.",
    {},
    { standing: null },
  ],
  [
    "Tant qu'aucun retrait ne vous a été payé, vous pouvez encore demander 501 FCFA. La limite est levée dès le premier payé.",
    {},
    { reopensAt: null },
  ],
];

describe("the order of refusals", () => {
  let form = WRONG;
  let limits = HARSH;
  const rows = ROWS.map(([sentence, mended, lifted]) => {
    form = { ...form, ...mended };
    limits = { ...limits, ...lifted };
    return { sentence, form, limits };
  });

  test.each(rows)("gives: $sentence", (row) => {
    const checked = checkWithdrawal(row.form, row.limits);
    const said = checked.ok ? "" : sayRefusal(checked.refusal, withdrawalsRefusals).body.message;
    expect(said).toBe(row.sentence);
  });

  test("ends with a valid request", () => {
    expect(checkWithdrawal(form, { ...limits, firstMax: fcfa(505n) })).toEqual({
      ok: true,
      value: { amount: 505n, method: "moov-ci", phone: "+2250101020304", whatsapp: "123456" },
    });
  });

  test("accepts each bound itself", () => {
    const easy = { ...HARSH, standing: null, reopensAt: null, firstMax: null };
    const numbers = { phone: "0701020304", whatsapp: "+225 07 01 02 03 04" };
    const right = { method: "orange-money-ci", ...numbers };
    for (const amount of [100, "100", 10_000, "10 000"]) {
      expect(checkWithdrawal({ ...right, amount }, easy).ok).toBe(true);
    }
    const rich = { ...easy, available: fcfa(50_000n) };
    expect(checkWithdrawal({ ...right, amount: 50_000 }, rich).ok).toBe(true);
  });
});

describe("an amount", () => {
  test("is whole francs above zero, as a number or as people type it", () => {
    for (const raw of [5000, "5000", " 5 000 ", "5\u202f000", "005000", 5e3]) {
      expect(readAmount(raw)).toBe(5_000n);
    }
  });

  test("has no other form", () => {
    const numbers = [0, -1, 0.5, 100.5, Number.NaN, Number.POSITIVE_INFINITY];
    const texts = ["", " ", "abc", "-100", "1e3", "0x64", "100.0", "1,000", "١٠٠", "0"];
    const others = [null, undefined, true, [100], { amount: 100 }, 100n];
    for (const raw of [...numbers, ...texts, ...others]) {
      expect([raw, readAmount(raw)]).toEqual([raw, null]);
    }
  });

  test("larger than any account counts as too large, however long it is", () => {
    for (const raw of [1e300, Number.MAX_VALUE, "9".repeat(200_000), 2 ** 53 + 2]) {
      expect(readAmount(raw)).toBe(10n ** 15n);
    }
  });
});

test("a switch on the wire is read as a boolean in each of its forms", () => {
  expect([true, 1, "1", "true"].map(readFlag)).toEqual([true, true, true, true]);
  expect([false, 0, "0", "false"].map(readFlag)).toEqual([false, false, false, false]);
  for (const other of [2, "oui", null, undefined, {}, ""]) expect(readFlag(other)).toBeNull();
});

test("the week of the free plan runs seven days from the last request, to the instant", () => {
  const last = new Date("2026-11-16T09:00:00Z");
  const after = (ms: number) => weeklyReopening(last, new Date(last.getTime() + ms));
  expect(after(0)).toEqual(REOPENS);
  expect(after(7 * DAY_MS - 1)).toEqual(REOPENS);
  expect(after(7 * DAY_MS)).toBeNull();
  expect(weeklyReopening(null, last)).toBeNull();
});
