import type { Plan } from "@sesame/contract/plans";
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, startOfDay } from "@sesame/kernel";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { askWithdrawal, fundSeller, REQUEST, sellerBalance } from "../../../test/funds.ts";
import { type SignedInBuyer, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { buyProduct, openShelf } from "../../../test/sales.ts";
import { createStaffFixtures, giveNumberBefore, STAFF_ENV } from "../../../test/withdrawals.ts";
import { type Frequency, nextRunAfter, nextRunAfterDate } from "./settings.ts";

const NUMBER = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };
const FIRST_MONDAY = Date.parse("2026-11-16T09:00:00Z");
const WEEK_MS = 7 * DAY_MS;

const app = await startTestApp({ env: STAFF_ENV });
const staff = createStaffFixtures(app);
let agent: SignedInBuyer;
let monday = FIRST_MONDAY;

/** So many days after that Monday. */
const at = (days: number, hours = 9, minutes = 0): string =>
  new Date(monday + days * DAY_MS + (hours - 9) * HOUR_MS + minutes * MINUTE_MS).toISOString();
const dateAt = (days: number) => at(days).slice(0, 10);
/** Moves the clock to an instant, and drains. */
const goTo = (instant: string) => app.advance(Date.parse(instant) - app.clock.now().getTime());

type Fields = Readonly<Record<string, unknown>>;
const configure = async (seller: SignedInSeller, fields: Fields) =>
  (await app.done("PUT /api/users/paiement/update", seller, fields)).paiement;
const settingsOf = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/paiement", seller)).paiement;
const requestsOf = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/retrait/mes-demandes", seller)).demandes;

/** A seller whom the bot may write to, with funds and an automatic payout to a number that has waited. */
async function automatic(plan: Plan, funds: number, fields: Fields = {}) {
  const seller = await app.seller({ plan, funds });
  await giveNumberBefore(app, seller, "+2250501020304");
  await configure(seller, { retrait_auto: 1, ...NUMBER, ...fields });
  await app.drain();
  return seller;
}

/** The dates of his runs, in order. */
const datesOf = (seller: SignedInSeller) => app.values<string>`
  SELECT to_char(automatic_on, 'YYYY-MM-DD') AS on FROM withdrawals
  WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`;

/** A Monday at 9:00 on which nothing has happened yet, and nothing else runs. */
beforeEach(async () => {
  await app.sql`UPDATE payout_profiles SET automatic = false, next_run_at = NULL`;
  const weeks = Math.ceil((app.clock.now().getTime() - FIRST_MONDAY) / WEEK_MS);
  monday = FIRST_MONDAY + weeks * WEEK_MS;
  app.clock.advance(monday - app.clock.now().getTime());
  // Weeks pass from one test to the next: sessions expire.
  agent = await staff.agent();
});

describe("a weekly automatic payout", () => {
  test("is an ordinary request of what is available, made once, with a notification", async () => {
    const seller = await automatic("free", 30_050);
    expect((await settingsOf(seller)).prochaine_execution).toBe(at(7));
    await goTo(at(6, 23));
    expect(await requestsOf(seller)).toEqual([]);
    await goTo(at(7));
    await app.drain();
    const [request, ...others] = await requestsOf(seller);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      montant: 30_050,
      methode_paiement: "mtn-ci",
      numero_transfert: "+2250501020304",
      status: "pending",
      automatique: true,
    });
    expect(await sellerBalance(app, seller, "free")).toMatchObject({ available: 0, held: 30_050 });
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      dernier_resultat: "Demande envoyée",
      derniere_execution: at(7),
      prochaine_execution: at(14),
      echecs: 0,
    });
    const said = app.lastTo(seller.person.id, "seller").text;
    expect(said).toContain("Paiement automatique");
    expect(said).toContain(request?.reference_transaction);
    await goTo(at(8));
    expect(await requestsOf(seller)).toHaveLength(1);
  });

  test("requests the plan's maximum when more is available, week after week", async () => {
    const seller = await automatic("free", 120_000);
    for (const days of [7, 14, 21]) await goTo(at(days));
    await goTo(at(21, 10));
    expect((await requestsOf(seller)).map(({ montant }) => montant)).toEqual([
      20_000, 50_000, 50_000,
    ]);
  });

  test("with nothing to withdraw is no failure", async () => {
    const seller = await automatic("free", 99);
    for (const days of [7, 14, 21]) await goTo(at(days));
    expect(await requestsOf(seller)).toEqual([]);
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 0,
      dernier_resultat: "Rien à retirer ce jour-là",
      prochaine_execution: at(28),
    });
  });

  test("counts for the week: neither it nor a request by hand comes twice", async () => {
    const seller = await automatic("free", 90_000);
    await goTo(at(4, 15));
    await askWithdrawal(app, seller, { montant: 10_000 });
    await goTo(at(7));
    expect(await requestsOf(seller)).toHaveLength(1);
    // Postponed to the minute in which the week reopens, without a failure.
    expect(await settingsOf(seller)).toMatchObject({ prochaine_execution: at(11, 15), echecs: 0 });
    await goTo(at(11, 15));
    expect((await requestsOf(seller)).map(({ montant }) => montant)).toEqual([50_000, 10_000]);
    const again = await app.send("POST /api/users/retrait/demande", seller, REQUEST);
    expect(again).toMatchObject({ status: 422, body: { code: "withdrawals.weekly" } });
  });
});

test("the clock jumps over many dates: one run for the present, and the schedule continues", async () => {
  const weekly = await automatic("free", 200_000);
  const daily = await automatic("premium", 900_000, { frequence: "quotidien" });
  await goTo(at(24, 13));
  await app.drain();
  expect(await datesOf(weekly)).toEqual([dateAt(24)]);
  expect(await datesOf(daily)).toEqual([dateAt(24)]);
  expect((await settingsOf(weekly)).prochaine_execution).toBe(at(28));
  expect((await settingsOf(daily)).prochaine_execution).toBe(at(25));
});

describe("an automatic payout above a threshold", () => {
  test("runs within the hour once enough was sold, and once that date", async () => {
    const seller = await automatic("premium", 7_000, { frequence: "seuil", seuil: 10_000 });
    const { product } = await openShelf(app, seller);
    await goTo(at(0, 12, 5));
    expect(await requestsOf(seller)).toEqual([]);
    await buyProduct(app, await app.signInBuyer(), product.reference);
    await goTo(at(0, 13));
    expect((await requestsOf(seller)).map(({ montant }) => montant)).toEqual([12_000]);
    await fundSeller(app, seller, 50_000);
    await goTo(at(0, 20));
    expect(await requestsOf(seller)).toHaveLength(1);
    await goTo(at(1, 0));
    expect((await requestsOf(seller)).map(({ montant }) => montant)).toEqual([50_000, 12_000]);
    await goTo(at(1, 7));
    await fundSeller(app, seller, 10_000);
    await goTo(at(2, 1));
    expect((await requestsOf(seller))[0]).toMatchObject({ montant: 10_000 });
  });

  test("is not checked before a changed number has waited", async () => {
    const seller = await automatic("premium", 7_000, { frequence: "seuil", seuil: 10_000 });
    const { product } = await openShelf(app, seller);
    await goTo(at(0, 12));
    await configure(seller, { transfer_number: "05 05 05 05 05" });
    await buyProduct(app, await app.signInBuyer(), product.reference);
    await goTo(at(1, 11, 59));
    expect(await requestsOf(seller)).toEqual([]);
    await goTo(at(1, 13));
    expect(await requestsOf(seller)).toHaveLength(1);
  });
});

describe("two failures in a row", () => {
  const reject = async (seller: SignedInSeller) => {
    const id = (await requestsOf(seller))[0]?.id ?? "";
    await staff.act(agent, id, "assign");
    const body = { reason_code: "other", reason: "Nom différent" };
    expect(await staff.said(agent, id, "reject", body)).toBe("200");
  };

  test("rejected payouts switch it off, and notify the seller", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    await goTo(at(1));
    await reject(seller);
    await app.drain();
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 1,
      dernier_resultat: "Retrait rejeté",
    });
    await goTo(at(2));
    await reject(seller);
    await app.drain();
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 0,
      echecs: 2,
      prochaine_execution: null,
    });
    const said = app.textsTo(seller.person.id, "seller");
    expect(said.filter((text) => text.includes("désactivé après deux échecs"))).toHaveLength(1);
    await goTo(at(5));
    expect(await requestsOf(seller)).toHaveLength(2);
    const rows = await app.sql`
      SELECT actor_role, after, reason FROM audit_log
      WHERE subject = ${`seller:${seller.id}`} ORDER BY seq DESC LIMIT 1`;
    expect(rows).toEqual([
      { actor_role: "system", after: { automatic: false }, reason: "Deux échecs de suite" },
    ]);
    // Switched on again, the count restarts.
    expect(await configure(seller, { retrait_auto: 1 })).toMatchObject({ echecs: 0 });
  });

  test("switch it off before a run that is due when the second is rejected", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    await goTo(at(1));
    await reject(seller);
    await goTo(at(2));
    app.clock.advance(DAY_MS);
    await reject(seller);
    await app.drain();
    expect(await settingsOf(seller)).toMatchObject({ retrait_auto: 0, echecs: 2 });
    expect(await requestsOf(seller)).toHaveLength(2);
  });

  test("are not two with a received payment between them", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    await goTo(at(1));
    await reject(seller);
    await app.drain();
    await goTo(at(2));
    await staff.payByHand(agent, (await requestsOf(seller))[0]?.id ?? "", `REF-${seller.id}`);
    expect(await settingsOf(seller)).toMatchObject({ echecs: 0, dernier_resultat: "Retrait payé" });
    await fundSeller(app, seller, 5_000);
    await goTo(at(3));
    await reject(seller);
    await app.drain();
    expect(await settingsOf(seller)).toMatchObject({ retrait_auto: 1, echecs: 1 });
  });

  test("refused requests count too, each notified with its reason", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    // A number that was valid when it was saved.
    await app.sql`UPDATE payout_profiles SET phone = '+2250701020304' WHERE seller_id = ${BigInt(seller.id)}`;
    await goTo(at(1));
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 1,
      dernier_resultat: "Demande refusée",
    });
    const said = app.lastTo(seller.person.id, "seller").text;
    expect(said).toContain("Ce numéro n'est pas un numéro MTN");
    await goTo(at(2));
    expect(await settingsOf(seller)).toMatchObject({ retrait_auto: 0, echecs: 2 });
    expect(await requestsOf(seller)).toEqual([]);
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ available: 5_000 });
  });

  test("a cancelled request is none", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    for (const day of [1, 2, 3]) {
      await goTo(at(day));
      const id = (await requestsOf(seller))[0]?.id;
      await app.done("DELETE /api/users/retrait/annuler/:id", seller, { id });
    }
    expect(await settingsOf(seller)).toMatchObject({ retrait_auto: 1, echecs: 0 });
    expect(await requestsOf(seller)).toHaveLength(3);
  });
});

describe("a number changed", () => {
  test("waits a day: its automatic payout waits for the next run after it", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    await goTo(at(0, 20));
    await configure(seller, { transfer_number: "05 05 05 05 05" });
    await goTo(at(1, 12));
    expect(await requestsOf(seller)).toEqual([]);
    await goTo(at(2));
    expect(await requestsOf(seller)).toMatchObject([{ numero_transfert: "+2250505050505" }]);
  });

  test("by somebody else is stopped by a tap: frozen, off, reported to the back office, in the log", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    await configure(seller, { transfer_number: "05 05 05 05 05" });
    await app.drain();
    app.tap({ personId: seller.person.id, bot: "seller", text: "Ce n'est pas moi" });
    await app.drain();
    expect(app.lastTo(seller.person.id, "seller").text).toContain("sont bloqués");
    const paiement = await settingsOf(seller);
    expect(paiement).toMatchObject({ retrait_auto: 0, prochaine_execution: null });
    expect(paiement.bloque?.code).toBe("withdrawals.payouts-frozen");
    const rows = await app.sql`
      SELECT d.kind, l.actor_role, l.action FROM alerts d
      JOIN audit_log l ON l.subject = d.subject AND l.action = 'payouts.freeze'
      WHERE d.subject = ${`seller:${seller.id}`}`;
    expect(rows).toEqual([
      { kind: "payouts.frozen-by-seller", actor_role: "seller", action: "payouts.freeze" },
    ]);
    await goTo(at(3));
    expect(await requestsOf(seller)).toEqual([]);
    // Not by the seller, nor by an agent: only by an operator.
    const barred = await app.send("PUT /api/users/paiement/update", seller, { retrait_auto: 1 });
    expect([barred.status, barred.body.code]).toEqual([422, "withdrawals.payouts-frozen"]);
    const lift = { id: seller.id, reason: "Identité vérifiée au téléphone" };
    expect((await app.send("POST /api/desk/sellers/:id/unfreeze", agent, lift)).status).toBe(403);
    await app.done("POST /api/desk/sellers/:id/unfreeze", await staff.operator(), lift);
    expect((await settingsOf(seller)).bloque).toBeNull();
    await configure(seller, { retrait_auto: 1 });
    await goTo(at(4));
    expect(await requestsOf(seller)).toHaveLength(1);
  });

  test("the button freezes the payouts of the person who taps it, and of nobody else", async () => {
    const seller = await automatic("premium", 5_000, { frequence: "quotidien" });
    const other = await automatic("premium", 5_000, { frequence: "quotidien" });
    await configure(seller, { transfer_number: "05 05 05 05 05" });
    await app.drain();
    // The second time changes nothing.
    for (const text of ["Ce n'est pas moi", "Ce n'est pas moi"]) {
      app.tap({ personId: seller.person.id, bot: "seller", text });
    }
    await app.drain();
    expect((await settingsOf(seller)).bloque).not.toBeNull();
    expect((await settingsOf(other)).bloque).toBeNull();
    const rows = await app.sql`
      SELECT FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'payouts.freeze'`;
    expect(rows).toHaveLength(1);
  });
});

test("frozen payouts and those of a suspended seller wait, and run once when that ends, without a failure", async () => {
  const frozen = await automatic("premium", 5_000, { frequence: "quotidien" });
  const suspended = await automatic("premium", 5_000, { frequence: "quotidien" });
  await app.sql`UPDATE payout_profiles SET frozen_at = ${app.clock.now()}, frozen_by = 'operator'
    WHERE seller_id = ${BigInt(frozen.id)}`;
  await app.sql`UPDATE sellers SET suspended_at = ${app.clock.now()}, suspended_reason = 'Plaintes'
    WHERE id = ${BigInt(suspended.id)}`;
  await goTo(at(4));
  for (const seller of [frozen, suspended]) expect(await requestsOf(seller)).toEqual([]);
  await app.sql`UPDATE payout_profiles SET frozen_at = NULL, frozen_by = NULL`;
  await app.sql`UPDATE sellers SET suspended_at = NULL, suspended_reason = NULL`;
  await goTo(at(4, 9, 1));
  for (const seller of [frozen, suspended]) {
    expect(await datesOf(seller)).toEqual([dateAt(4)]);
    expect(await settingsOf(seller)).toMatchObject({ echecs: 0, prochaine_execution: at(5) });
  }
});

describe("a plan that ends", () => {
  test.each([{ frequence: "quotidien" }, { frequence: "seuil", seuil: 1_000 }])(
    "changes the frequency back to weekly, with a notification: %o",
    async (fields) => {
      const seller = await automatic("premium", 0, fields);
      await app.sql`UPDATE sellers SET plan = 'free' WHERE id = ${BigInt(seller.id)}`;
      await app.drain();
      expect(await settingsOf(seller)).toMatchObject({
        frequence: "hebdomadaire",
        frequences: ["hebdomadaire"],
        prochaine_execution: at(7),
      });
      expect(app.lastTo(seller.person.id, "seller").text).toContain("redevient hebdomadaire");
    },
  );

  test("of a seller without automatic payouts sends no notification", async () => {
    const seller = await automatic("premium", 0, { frequence: "quotidien" });
    await configure(seller, { retrait_auto: 0 });
    await app.drain();
    const before = app.messagesTo(seller.person.id, "seller").length;
    await app.sql`UPDATE sellers SET plan = 'free' WHERE id = ${BigInt(seller.id)}`;
    await app.drain();
    expect(await settingsOf(seller)).toMatchObject({
      retrait_auto: 0,
      frequence: "hebdomadaire",
      prochaine_execution: null,
    });
    expect(app.messagesTo(seller.person.id, "seller")).toHaveLength(before);
  });
});

const ABIDJAN = "Africa/Abidjan";
const PARIS = "Europe/Paris";
const ZONES = [ABIDJAN, PARIS, "Pacific/Kiritimati", "America/Los_Angeles"];
const FREQUENCIES: readonly Frequency[] = ["weekly", "daily", "threshold"];

describe("the next run after a served date", () => {
  test.each<[frequency: Frequency, date: string, run: string, zone?: string]>([
    // At 9:00 of the next day, over the ends of months and years.
    ["daily", "2026-11-16", "2026-11-17T09:00"],
    ["daily", "2026-11-30", "2026-12-01T09:00"],
    ["daily", "2026-12-31", "2027-01-01T09:00"],
    ["daily", "2027-02-28", "2027-03-01T09:00"],
    ["daily", "2028-02-28", "2028-02-29T09:00"],
    ["daily", "2028-02-29", "2028-03-01T09:00"],
    // On both sides of a change of summer time.
    ["daily", "2027-03-27", "2027-03-28T07:00", PARIS],
    ["daily", "2027-10-30", "2027-10-31T08:00", PARIS],
    // Next Monday, whatever the day of the last run.
    ["weekly", "2026-11-16", "2026-11-23T09:00"],
    ["weekly", "2026-11-18", "2026-11-23T09:00"],
    ["weekly", "2026-11-22", "2026-11-23T09:00"],
    ["weekly", "2026-12-28", "2027-01-04T09:00"],
    ["weekly", "2028-02-28", "2028-03-06T09:00"],
    // The next day's first hour.
    ["threshold", "2026-11-30", "2026-12-01T00:00"],
    ["threshold", "2026-11-30", "2026-11-30T23:00", PARIS],
  ])("%s, after %s, is at %s UTC", (frequency, date, run, zone = ABIDJAN) => {
    expect(nextRunAfterDate(date, frequency, zone)).toEqual(new Date(`${run}Z`));
  });

  test("is always on a later date, and the first of the schedule there", () => {
    const instants = fc.date({
      min: new Date("2020-01-01T00:00:00Z"),
      max: new Date("2040-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        instants,
        fc.constantFrom(...ZONES),
        fc.constantFrom(...FREQUENCIES),
        (instant, zone, frequency) => {
          const date = dayOf(instant, zone);
          const run = nextRunAfterDate(date, frequency, zone);
          expect(dayOf(run, zone) > date).toBe(true);
          expect(run.getTime() - instant.getTime()).toBeLessThanOrEqual(8 * DAY_MS);
          // No run of the schedule is between the end of the date and the run.
          const end = startOfDay(date, zone).getTime() + 20 * HOUR_MS;
          const between = nextRunAfter(new Date(Math.max(end, instant.getTime())), frequency, zone);
          if (dayOf(between, zone) > date) expect(between).toEqual(run);
        },
      ),
    );
  });
});

test("a date begins at midnight of the time zone", () => {
  expect(startOfDay("2026-11-16", ABIDJAN)).toEqual(new Date("2026-11-16T00:00:00Z"));
  expect(startOfDay("2026-07-14", PARIS)).toEqual(new Date("2026-07-13T22:00:00Z"));
  expect(dayOf(new Date("2026-07-13T22:00:00Z"), PARIS)).toBe("2026-07-14");
  expect(dayOf(new Date("2026-07-13T21:59:59.999Z"), PARIS)).toBe("2026-07-13");
});
