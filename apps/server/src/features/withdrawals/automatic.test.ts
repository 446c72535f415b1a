import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lastTo } from "../../../test/groups.ts";
import { buyProduct, publishProduct } from "../../../test/sales.ts";
import {
  askWithdrawal,
  type AutomaticFixtures,
  fundSeller,
  openAutomaticFixtures,
  sellerBalance,
} from "../../../test/withdrawals.ts";

let stage: AutomaticFixtures;
beforeAll(async () => {
  stage = await openAutomaticFixtures();
});
beforeEach(() => stage.freshWeek());
afterAll(() => stage?.app.close());

describe("a weekly automatic payout", () => {
  test("is an ordinary request of what is available, made once, and said", async () => {
    const seller = await stage.automatic("free", 30_050);
    expect((await stage.settingsOf(seller)).prochaine_execution).toBe(stage.at(7));
    await stage.goTo(stage.at(6, 23));
    expect(await stage.requestsOf(seller)).toEqual([]);
    await stage.goTo(stage.at(7));
    await stage.app.drain();
    const [request, ...others] = await stage.requestsOf(seller);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      montant: 30_050,
      methode_paiement: "mtn-ci",
      numero_transfert: "+2250501020304",
      status: "pending",
      automatique: true,
    });
    expect(await sellerBalance(stage.app, seller, "free")).toMatchObject({
      available: 0,
      held: 30_050,
    });
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      dernier_resultat: "Demande envoyée",
      derniere_execution: stage.at(7),
      prochaine_execution: stage.at(14),
      echecs: 0,
    });
    const said = lastTo(stage.app.emulators, seller.person.id, "seller").text;
    expect(said).toContain("Paiement automatique");
    expect(said).toContain(request?.reference_transaction);
    await stage.goTo(stage.at(8));
    expect(await stage.requestsOf(seller)).toHaveLength(1);
  });

  test("asks for the plan's maximum when more is available, week after week", async () => {
    const seller = await stage.automatic("free", 120_000);
    for (const days of [7, 14, 21]) await stage.goTo(stage.at(days));
    await stage.goTo(stage.at(21, 10));
    expect((await stage.requestsOf(seller)).map(({ montant }) => montant)).toEqual([
      20_000, 50_000, 50_000,
    ]);
  });

  test("with nothing to withdraw is no failure", async () => {
    const seller = await stage.automatic("free", 99);
    for (const days of [7, 14, 21]) await stage.goTo(stage.at(days));
    expect(await stage.requestsOf(seller)).toEqual([]);
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 0,
      dernier_resultat: "Rien à retirer ce jour-là",
      prochaine_execution: stage.at(28),
    });
  });

  test("counts as the week's: neither it nor a request by hand doubles the other", async () => {
    const seller = await stage.automatic("free", 90_000);
    await stage.goTo(stage.at(4, 15));
    await askWithdrawal(stage.app, seller, { montant: 10_000 });
    await stage.goTo(stage.at(7));
    expect(await stage.requestsOf(seller)).toHaveLength(1);
    // Put off to the minute the week reopens, without a failure.
    expect(await stage.settingsOf(seller)).toMatchObject({
      prochaine_execution: stage.at(11, 15),
      echecs: 0,
    });
    await stage.goTo(stage.at(11, 15));
    expect((await stage.requestsOf(seller)).map(({ montant }) => montant)).toEqual([
      50_000, 10_000,
    ]);
    const path = "/api/users/retrait/demande";
    const body = {
      montant: 1_000,
      methode_paiement: "mtn-ci",
      numero_transfert: "0501020304",
      numero_whatsapp: "0501020304",
    };
    const again = await stage.app.call("POST", path, { token: seller.token, body });
    expect(again).toMatchObject({ status: 422, body: { code: "withdrawals.weekly" } });
  });
});

describe("the clock", () => {
  test("jumps over many dates: one run for the present, and the schedule goes on", async () => {
    const weekly = await stage.automatic("free", 200_000);
    const daily = await stage.automatic("premium", 900_000, { frequence: "quotidien" });
    await stage.goTo(stage.at(24, 13));
    await stage.app.drain();
    expect(await stage.datesOf(weekly)).toEqual([stage.dateAt(24)]);
    expect(await stage.datesOf(daily)).toEqual([stage.dateAt(24)]);
    expect((await stage.settingsOf(weekly)).prochaine_execution).toBe(stage.at(28));
    expect((await stage.settingsOf(daily)).prochaine_execution).toBe(stage.at(25));
  });
});

describe("an automatic payout above a threshold", () => {
  test("runs within the hour once enough has come in, and once that date", async () => {
    const seller = await stage.automatic("premium", 7_000, { frequence: "seuil", seuil: 10_000 });
    const group = await stage.app.linkGroup(seller);
    const product = await publishProduct(stage.app, { seller, group });
    await stage.goTo(stage.at(0, 12, 5));
    expect(await stage.requestsOf(seller)).toEqual([]);
    await buyProduct(stage.app, await stage.app.signInBuyer(), product.reference);
    await stage.goTo(stage.at(0, 13));
    expect((await stage.requestsOf(seller)).map(({ montant }) => montant)).toEqual([12_000]);
    await fundSeller(stage.app, seller, 50_000);
    await stage.goTo(stage.at(0, 20));
    expect(await stage.requestsOf(seller)).toHaveLength(1);
    await stage.goTo(stage.at(1, 0));
    expect((await stage.requestsOf(seller)).map(({ montant }) => montant)).toEqual([
      50_000, 12_000,
    ]);
    await stage.goTo(stage.at(1, 7));
    await fundSeller(stage.app, seller, 10_000);
    await stage.goTo(stage.at(2, 1));
    expect((await stage.requestsOf(seller))[0]).toMatchObject({ montant: 10_000 });
  });

  test("is not looked at before a changed number has rested", async () => {
    const seller = await stage.automatic("premium", 7_000, { frequence: "seuil", seuil: 10_000 });
    const group = await stage.app.linkGroup(seller);
    const product = await publishProduct(stage.app, { seller, group });
    await stage.goTo(stage.at(0, 12));
    await stage.configure(seller, { transfer_number: "05 05 05 05 05" });
    await buyProduct(stage.app, await stage.app.signInBuyer(), product.reference);
    await stage.goTo(stage.at(1, 11, 59));
    expect(await stage.requestsOf(seller)).toEqual([]);
    await stage.goTo(stage.at(1, 13));
    expect(await stage.requestsOf(seller)).toHaveLength(1);
  });
});
