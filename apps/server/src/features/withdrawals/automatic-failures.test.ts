import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lastTo, messagesTo, tap } from "../../../test/groups.ts";
import type { SignedInBuyer, SignedInSeller } from "../../../test/harness.ts";
import {
  type AutomaticFixtures,
  fundSeller,
  openAutomaticFixtures,
  sellerBalance,
} from "../../../test/withdrawals.ts";

let stage: AutomaticFixtures;
beforeAll(async () => {
  stage = await openAutomaticFixtures();
});
let agent: SignedInBuyer;
beforeEach(async () => {
  await stage.freshWeek();
  // Weeks go by from one test to the next: sessions end.
  agent = await stage.desk.agent();
});
afterAll(() => stage?.app.close());

describe("two failures in a row", () => {
  const reject = async (seller: SignedInSeller) => {
    const id = (await stage.requestsOf(seller))[0]?.id ?? "";
    await stage.desk.act(agent, { id, action: "claim" });
    const body = { reason_code: "other", reason: "Nom différent" };
    const answer = await stage.desk.act(agent, { id, action: "reject", body });
    expect(answer.status).toBe(200);
    await stage.app.drain();
  };

  test("rejected payouts switch it off, and tell the seller", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await stage.goTo(stage.at(1));
    await reject(seller);
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 1,
      dernier_resultat: "Retrait rejeté",
    });
    await stage.goTo(stage.at(2));
    await reject(seller);
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 0,
      echecs: 2,
      prochaine_execution: null,
    });
    const said = messagesTo(stage.app.emulators, seller.person.id, "seller").map(
      ({ text }) => text,
    );
    expect(said.filter((text) => text.includes("désactivé après deux échecs"))).toHaveLength(1);
    await stage.goTo(stage.at(5));
    expect(await stage.requestsOf(seller)).toHaveLength(2);
    const { rows } = await sql`
      SELECT actor_role, after, reason FROM audit_log
      WHERE subject = ${`seller:${seller.id}`} ORDER BY seq DESC LIMIT 1
    `.execute(stage.app.db);
    expect(rows).toEqual([
      { actor_role: "system", after: { automatic: false }, reason: "Deux échecs de suite" },
    ]);
    // Switched on again, it starts anew.
    expect(await stage.configure(seller, { retrait_auto: 1 })).toMatchObject({ echecs: 0 });
  });

  test("are not two with a payment received between them", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await stage.goTo(stage.at(1));
    await reject(seller);
    await stage.goTo(stage.at(2));
    await stage.desk.payByHand(
      agent,
      (await stage.requestsOf(seller))[0]?.id ?? "",
      `REF-${seller.id}`,
    );
    expect(await stage.settingsOf(seller)).toMatchObject({
      echecs: 0,
      dernier_resultat: "Retrait payé",
    });
    await fundSeller(stage.app, seller, 5_000);
    await stage.goTo(stage.at(3));
    await reject(seller);
    expect(await stage.settingsOf(seller)).toMatchObject({ retrait_auto: 1, echecs: 1 });
  });

  test("refused requests count too, each said with its reason", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    // A number that was right when it was saved.
    await sql`UPDATE payout_profiles SET phone = '+2250701020304' WHERE seller_id = ${BigInt(seller.id)}
    `.execute(stage.app.db);
    await stage.goTo(stage.at(1));
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 1,
      echecs: 1,
      dernier_resultat: "Demande refusée",
    });
    const said = lastTo(stage.app.emulators, seller.person.id, "seller").text;
    expect(said).toContain("Ce numéro n'est pas un numéro MTN");
    await stage.goTo(stage.at(2));
    expect(await stage.settingsOf(seller)).toMatchObject({ retrait_auto: 0, echecs: 2 });
    expect(await stage.requestsOf(seller)).toEqual([]);
    expect(await sellerBalance(stage.app, seller, "premium")).toMatchObject({ available: 5_000 });
  });

  test("a cancelled request is none", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    for (const day of [1, 2, 3]) {
      await stage.goTo(stage.at(day));
      const path = `/api/users/retrait/annuler/${(await stage.requestsOf(seller))[0]?.id}`;
      expect((await stage.app.call("DELETE", path, seller)).status).toBe(200);
    }
    expect(await stage.settingsOf(seller)).toMatchObject({ retrait_auto: 1, echecs: 0 });
    expect(await stage.requestsOf(seller)).toHaveLength(3);
  });
});

describe("a number changed", () => {
  test("rests a day: its automatic payout waits for the next run after it", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await stage.goTo(stage.at(0, 20));
    await stage.configure(seller, { transfer_number: "05 05 05 05 05" });
    await stage.goTo(stage.at(1, 12));
    expect(await stage.requestsOf(seller)).toEqual([]);
    await stage.goTo(stage.at(2));
    expect(await stage.requestsOf(seller)).toMatchObject([{ numero_transfert: "+2250505050505" }]);
  });

  test("by somebody else is stopped by a tap: frozen, off, on the desk, in the log", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await stage.configure(seller, { transfer_number: "05 05 05 05 05" });
    await stage.app.drain();
    tap(stage.app.emulators, {
      personId: seller.person.id,
      bot: "seller",
      text: "Ce n'est pas moi",
    });
    await stage.app.drain();
    expect(lastTo(stage.app.emulators, seller.person.id, "seller").text).toContain("sont bloqués");
    const paiement = await stage.settingsOf(seller);
    expect(paiement).toMatchObject({ retrait_auto: 0, prochaine_execution: null });
    expect(paiement.bloque?.code).toBe("withdrawals.payouts-frozen");
    const { rows } = await sql`
      SELECT d.kind, l.actor_role, l.action FROM desk_alerts d
      JOIN audit_log l ON l.subject = d.subject AND l.action = 'payouts.freeze'
      WHERE d.subject = ${`seller:${seller.id}`}
    `.execute(stage.app.db);
    expect(rows).toEqual([
      { kind: "payouts.frozen-by-seller", actor_role: "seller", action: "payouts.freeze" },
    ]);
    await stage.goTo(stage.at(3));
    expect(await stage.requestsOf(seller)).toEqual([]);
    // Not by himself, nor by an agent: by an operator alone.
    const body = { retrait_auto: 1 };
    const path = "/api/users/paiement/update";
    expect(await stage.app.call("PUT", path, { token: seller.token, body })).toMatchObject({
      status: 422,
      body: { code: "withdrawals.payouts-frozen" },
    });
    const unfreeze = `/api/desk/sellers/${seller.id}/unfreeze`;
    const reason = { body: { reason: "Identité vérifiée au téléphone" } };
    expect((await stage.app.call("POST", unfreeze, { token: agent.token, ...reason })).status).toBe(
      403,
    );
    const operator = await stage.desk.operator();
    const lifted = await stage.app.call("POST", unfreeze, { token: operator.token, ...reason });
    expect(lifted.status).toBe(200);
    expect((await stage.settingsOf(seller)).bloque).toBeNull();
    await stage.configure(seller, { retrait_auto: 1 });
    await stage.goTo(stage.at(4));
    expect(await stage.requestsOf(seller)).toHaveLength(1);
  });

  test("the button freezes the payouts of who taps it, and of nobody else", async () => {
    const seller = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    const other = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await stage.configure(seller, { transfer_number: "05 05 05 05 05" });
    await stage.app.drain();
    // Twice changes nothing more than once.
    for (const text of ["Ce n'est pas moi", "Ce n'est pas moi"]) {
      tap(stage.app.emulators, { personId: seller.person.id, bot: "seller", text });
    }
    await stage.app.drain();
    expect((await stage.settingsOf(seller)).bloque).not.toBeNull();
    expect((await stage.settingsOf(other)).bloque).toBeNull();
    const { rows } = await sql`
      SELECT FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'payouts.freeze'
    `.execute(stage.app.db);
    expect(rows).toHaveLength(1);
  });
});

describe("payouts frozen by an operator, a seller suspended", () => {
  test("rest, and run once when that ends, without a failure", async () => {
    const frozen = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    const suspended = await stage.automatic("premium", 5_000, { frequence: "quotidien" });
    await sql`UPDATE payout_profiles SET frozen_at = ${stage.app.clock.now()}, frozen_by = 'operator'
      WHERE seller_id = ${BigInt(frozen.id)}`.execute(stage.app.db);
    await sql`UPDATE sellers SET suspended_at = ${stage.app.clock.now()}, suspended_reason = 'Plaintes'
      WHERE id = ${BigInt(suspended.id)}`.execute(stage.app.db);
    await stage.goTo(stage.at(4));
    for (const seller of [frozen, suspended]) expect(await stage.requestsOf(seller)).toEqual([]);
    await sql`UPDATE payout_profiles SET frozen_at = NULL, frozen_by = NULL`.execute(stage.app.db);
    await sql`UPDATE sellers SET suspended_at = NULL, suspended_reason = NULL`.execute(
      stage.app.db,
    );
    await stage.goTo(stage.at(4, 9, 1));
    for (const seller of [frozen, suspended]) {
      expect(await stage.datesOf(seller)).toEqual([stage.dateAt(4)]);
      expect(await stage.settingsOf(seller)).toMatchObject({
        echecs: 0,
        prochaine_execution: stage.at(5),
      });
    }
  });
});

describe("a plan that ends", () => {
  test("brings the frequency back to weekly, and says so", async () => {
    for (const fields of [{ frequence: "quotidien" }, { frequence: "seuil", seuil: 1_000 }]) {
      const seller = await stage.automatic("premium", 0, fields);
      await sql`UPDATE sellers SET plan = 'free' WHERE id = ${BigInt(seller.id)}`.execute(
        stage.app.db,
      );
      await stage.app.drain();
      expect(await stage.settingsOf(seller)).toMatchObject({
        frequence: "hebdomadaire",
        frequences: ["hebdomadaire"],
        prochaine_execution: stage.at(7),
      });
      expect(lastTo(stage.app.emulators, seller.person.id, "seller").text).toContain(
        "redevient hebdomadaire",
      );
    }
  });

  test("of a seller without automatic payouts says nothing", async () => {
    const seller = await stage.automatic("premium", 0, { frequence: "quotidien" });
    await stage.configure(seller, { retrait_auto: 0 });
    await stage.app.drain();
    const before = messagesTo(stage.app.emulators, seller.person.id, "seller").length;
    await sql`UPDATE sellers SET plan = 'free' WHERE id = ${BigInt(seller.id)}`.execute(
      stage.app.db,
    );
    await stage.app.drain();
    expect(await stage.settingsOf(seller)).toMatchObject({
      retrait_auto: 0,
      frequence: "hebdomadaire",
      prochaine_execution: null,
    });
    expect(messagesTo(stage.app.emulators, seller.person.id, "seller")).toHaveLength(before);
  });
});
