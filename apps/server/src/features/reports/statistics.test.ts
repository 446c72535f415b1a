import { DAY_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { askWithdrawal, fundSeller } from "../../../test/funds.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { countedByHand, countedInTotals } from "../../../test/sales-by-hand.ts";
import { buyProduct, openShop, publishDonation, publishProduct } from "../../../test/sales.ts";
import { foldSales } from "./statistics.ts";

let token: string;

/**
 * Monday the 16th of November: Awa buys 30 days at 5 000, Zoé 7 days at 1 000. Wednesday the 25th:
 * Awa extends; a third buys 7 days. All on the free plan: a fee of 18 %.
 */
const shop = await openShop();
const { app, seller, group, buyer, product } = shop;
const trial = { title: "Essai", price: 1_000, minutes: 10_080 };
const weekly = await publishProduct(app, { seller, group }, trial);
const zoe = await app.signInBuyer(await app.person({ first_name: "Zoé" }));
await buyProduct(app, buyer, product.reference);
await buyProduct(app, zoe, weekly.reference);
await passDays(9);
await buyProduct(app, buyer, product.reference);
await buyProduct(app, await app.signInBuyer(), weekly.reference);

const statistics = (periode: string, who = { token }) =>
  app.read("GET /api/statistics", who, { periode });
const calendarOf = (mois?: string) =>
  app.read("GET /api/calendar", { token }, mois ? { mois } : {});
const eventsOn = (jour: string) => app.read("GET /api/calendar/day", { token }, { jour });

/** Time passes, and the seller opens the app again. */
async function passDays(days: number): Promise<void> {
  await app.advance(days * DAY_MS);
  ({ token } = await app.signInSeller(shop.seller.person));
}

describe("the statistics of a seller", () => {
  test("are the figures of the sales, compared with the period before", async () => {
    const week = await statistics("week");
    expect(week).toMatchObject({
      periode: "week",
      du: "2026-11-19",
      au: "2026-11-25",
      brut: { valeur: 6_000, precedent: 6_000, evolution: 0 },
      net: { valeur: 4_920, precedent: 4_920, evolution: 0 },
      ventes: { valeur: 2, precedent: 2, evolution: 0 },
      frais: 1_080,
      direct: 0,
      nouvelles: 1,
      renouvellements: 1,
      autres_produits: null,
      avancees: null,
    });
    expect(week.barres).toHaveLength(7);
    expect(week.barres.at(-1)).toEqual({ debut: "2026-11-25", net: 4_920, brut: 6_000, ventes: 2 });
    expect(week.barres.slice(0, 6).every((bar) => bar.ventes === 0)).toBe(true);
    expect(week.dernieres).toHaveLength(4);
  });

  test("list the products and the customers that bring most", async () => {
    const month = await statistics("month");
    expect(month.produits).toEqual([
      { id: shop.product.id, titre: shop.product.title, ventes: 2, net: 8_200, part: 83 },
      { id: weekly.id, titre: "Essai", ventes: 2, net: 1_640, part: 17 },
    ]);
    const { id, person } = shop.buyer;
    const awa = { id, nom: person.first_name, achats: 2, montant: 10_000 };
    expect(month.clients[0]).toEqual(awa);
    const year = await statistics("year");
    expect(year.clients).toEqual(month.clients);
    expect(year.barres).toHaveLength(12);
    expect(year.barres.at(-1)).toMatchObject({ debut: "2026-11-01", ventes: 4, brut: 12_000 });
    expect(year.net).toEqual({ valeur: 9_840, precedent: 0, evolution: null });
  });

  test("count the members inside by a membership", async () => {
    await app.sql`UPDATE accesses SET status = 'inside' WHERE person_id = ${BigInt(shop.buyer.id)}`;
    expect((await statistics("week")).membres).toBe(1);
  });

  test("are each seller's own, and refuse another period", async () => {
    expect(await statistics("year", await app.signInSeller())).toMatchObject({
      net: { valeur: 0, precedent: 0, evolution: null },
      produits: [],
      clients: [],
      dernieres: [],
      membres: 0,
    });
    for (const path of [
      "/api/statistics?periode=day",
      "/api/calendar?mois=2026-13",
      "/api/calendar/day?jour=2026-02-30",
    ]) {
      expect((await app.call("GET", path, { token })).status).toBe(400);
    }
  });

  test("give the card at home the last seven days, before the fold", async () => {
    const { user } = await app.read("GET /api/users/:id", { token }, { id: seller.id });
    expect(user.revenus_semaine).toEqual([0, 0, 0, 0, 0, 0, 4_920]);
  });
});

describe("the calendar of a seller", () => {
  test("counts the items of each day of a month", async () => {
    await fundSeller(app, seller, 50_000, "free");
    await askWithdrawal(app, seller, { montant: 1_000 });
    const calendar = await calendarOf("2026-11");
    expect(calendar).toMatchObject({ mois: "2026-11", aujourdhui: "2026-11-25" });
    expect(calendar.jours).toEqual([
      { jour: "2026-11-23", expirations: 1, renouvellements: 0, retraits: 0 },
      { jour: "2026-11-25", expirations: 0, renouvellements: 1, retraits: 1 },
    ]);
    const secondOfDecember = {
      jour: "2026-12-02",
      expirations: 1,
      renouvellements: 0,
      retraits: 0,
    };
    expect((await calendarOf("2026-12")).jours).toEqual([secondOfDecember]);
    expect(await calendarOf()).toEqual(calendar);
    // Extended with 21 days left: 30 more from their end.
    expect((await calendarOf("2027-01")).jours.map(({ jour }) => jour)).toEqual(["2027-01-15"]);
  });

  test("lists for a day who leaves, who extended, and which withdrawals were requested", async () => {
    expect((await eventsOn("2026-11-23")).evenements).toMatchObject([
      { type: "expiration", nomClient: "Zoé", produitNom: "Essai", passee: true },
    ]);
    const today = await eventsOn("2026-11-25");
    expect(today.evenements).toMatchObject([
      { type: "renouvellement", montant: 5_000, produitNom: shop.product.title },
      { type: "retrait", montant: 1_000, status: "pending", automatique: false },
    ]);
    expect(today.autres).toBe(0);
  });
});

describe("what premium adds", () => {
  test("shows recurring revenue, who stays and who leaves", async () => {
    await fundSeller(app, seller, 0, "premium");
    const { avancees } = await statistics("month");
    // Running beyond today: Awa's first 30 days (5 000), and 7 days at 1 000 that began today.
    expect(avancees).toMatchObject({
      mrr: { valeur: 5_000 + 4_285, precedent: 0, evolution: null },
      abonnes: 2,
      echeances: 1,
      renouveles: 0,
      taux_renouvellement: 0,
      perdus: 1,
      servis: 2,
      taux_attrition: 50,
      cohortes: [{ mois: "2026-11-01", clients: 3, restes: [] }],
    });
    await passDays(25);
    const later = await statistics("month");
    expect(later.avancees).toMatchObject({
      mrr: { valeur: 5_000 },
      // Awa's first period ended on the 16th of December, extended; two ended for good.
      echeances: 3,
      renouveles: 1,
      taux_renouvellement: 33,
    });
    await passDays(20);
    const { avancees: last } = await statistics("year");
    expect(last?.cohortes).toEqual([
      { mois: "2026-11-01", clients: 3, restes: [{ mois: "2026-12-01", clients: 1, part: 33 }] },
    ]);
  });

  test("includes a spreadsheet of the period", async () => {
    const path = "/api/statistics/export?periode=year";
    const answer = await app.call<string>("GET", path, { token });
    expect(answer.headers.get("content-type")).toContain("text/csv");
    const lines = answer.body.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines.slice(1)).toContain("2026-11;Essai;2;0;2000;360;1640;0");
  });
});

test("a donation counts in the totals as in the orders themselves, and once refunded nowhere", async () => {
  const donor = await app.signInBuyer();
  const don = await publishDonation(app, { ...seller, token });
  const orders: string[] = [];
  for (const amount of [1_500, 2_500]) {
    const given = { reference: don.reference, provider: "moneroo", amount };
    const { id } = await app.done("POST /api/orders", donor, given);
    await app.pay("moneroo", id);
    orders.push(id);
  }
  const before = await statistics("year");
  const refunded = await createRefundFixtures(app).bySeller({ token }, orders[1] ?? "");
  expect(refunded.status).toBe(200);
  const after = await statistics("year");
  expect(before.brut.valeur - after.brut.valeur).toBe(2_500);
  expect([before.ventes.valeur - after.ventes.valeur, after.nouvelles]).toEqual([1, 4]);
  const zone = "Africa/Abidjan";
  const asked = { sellerId: BigInt(seller.id), zone, now: app.clock.now() };
  await foldSales(app.db, asked);
  expect(await countedInTotals(app.db, asked)).toEqual(await countedByHand(app.db, asked));
});
