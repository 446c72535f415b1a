import type { UserAnswer } from "@sesame/contract/identity";
import type { PlansAnswer } from "@sesame/contract/plans";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SomeBody } from "../../../test/client.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const put = (seller: SignedInSeller, body: unknown) =>
  app.call<UserAnswer & SomeBody>("PUT", `/api/users/${seller.id}`, { token: seller.token, body });
const read = async (seller: SignedInSeller) =>
  (await app.call<UserAnswer>("GET", `/api/users/${seller.id}`, { token: seller.token })).body.user;

describe("updating the user", () => {
  test("takes the profile, onboarding and the free plan; the date is the server's", async () => {
    const seller = await app.signInSeller();
    app.clock.advance(1_000);
    const answer = await put(seller, {
      plan: true,
      type_plan: "gratuit",
      deja: true,
      updated_at: "1999-01-01T00:00:00.000Z",
      display_name: "  Chez Awa ",
      country: "CI",
      whatsapp_number: "+225 07 00 00 00 01",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        user: {
          plan: true,
          type_plan: "gratuit",
          deja: true,
          nom: "Chez Awa",
          display_name: "Chez Awa",
          country: "CI",
          whatsapp_number: "+2250700000001",
          groups_max: 3,
          capabilities: [],
          updated_at: app.clock.now().toISOString(),
        },
      },
    });
    const cleared = await put(seller, { display_name: "", country: null });
    expect(cleared.body.user).toMatchObject({ display_name: null, country: null, deja: true });
  });

  test("a whole user sent back changes nothing but the date", async () => {
    const seller = await app.signInSeller();
    await put(seller, { type_plan: "gratuit", deja: 1 });
    const before = await read(seller);
    const after = await put(seller, { ...before, balanceGratuit: 1_000_000, id: "1" });
    expect(after.body.user).toEqual({ ...before, updated_at: after.body.user.updated_at });
  });

  test("buys nothing, whatever it is told, and writes nothing then", async () => {
    const seller = await app.signInSeller();
    const bought = await put(seller, { type_plan: "payant", plan: true, deja: true });
    expect(bought).toMatchObject({ status: 403, body: { code: "plans.premium-not-bought" } });
    for (const type_plan of ["gold", 7, ["gratuit"], { a: 1 }, true]) {
      const answer = await put(seller, { type_plan, deja: true });
      expect(answer).toMatchObject({ status: 400, body: { code: "plans.unknown-plan" } });
    }
    expect(await read(seller)).toMatchObject({ plan: false, deja: false });
  });

  test("a premium seller keeps his plan, and cannot drop it halfway", async () => {
    const seller = await app.signInSeller();
    await sql`UPDATE sellers SET plan = 'premium' WHERE id = ${BigInt(seller.id)}`.execute(app.db);
    expect(await read(seller)).toMatchObject({ type_plan: "payant", groups_max: null });
    expect((await put(seller, { type_plan: "payant" })).status).toBe(200);
    const dropped = await put(seller, { type_plan: "gratuit" });
    expect(dropped).toMatchObject({ status: 409, body: { code: "plans.premium-running" } });
  });

  test("wrong types and broken bodies are malformed", async () => {
    const seller = await app.signInSeller();
    for (const body of [{ deja: "yes" }, { country: "Ivoire" }, { display_name: 7 }, "[]", "{"]) {
      const answer = await put(seller, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "request.malformed" } });
    }
    const other = await app.call("GET", "/api/users/abc", { token: seller.token });
    expect(other.status).toBe(400);
  });
});

describe("a buyer", () => {
  test("is no seller, though the same person may be both", async () => {
    const person = await app.person({ allows_write_to_pm: true });
    const buyer = await app.signInBuyer(person);
    expect(buyer.user.can_be_written_to).toBe(true);
    const own = `/api/users/${buyer.id}`;
    expect((await app.call("GET", own, { token: buyer.token })).status).toBe(403);
    const { rows } = await sql`SELECT FROM sellers WHERE id = ${BigInt(buyer.id)}`.execute(app.db);
    expect(rows.length).toBe(0);
    const seller = await app.signInSeller(person);
    expect(seller.id).toBe(buyer.id);
    expect((await app.call("GET", own, { token: seller.token })).status).toBe(200);
  });
});

describe("the socket's registration of old clients", () => {
  test("is answered with the caller's own id, whatever id it names", async () => {
    const seller = await app.signInSeller();
    const body = { idsocket: "abc", iduser: "1", role: "vendeur" };
    const answer = await app.call("POST", "/api/socket/add", { token: seller.token, body });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: { idsocket: "abc", iduser: seller.id, role: "vendeur" } },
    });
  });
});

describe("the plans", () => {
  test("are told with their true prices and what is open, and compared line by line", async () => {
    const answer = await app.call<PlansAnswer & SomeBody>("GET", "/api/plans");
    const table = answer.body.comparison.map(({ label, free, premium }) => [label, free, premium]);
    expect(table).toEqual([
      ["Solutions de paiement", "Intégrées", "Intégrées et vos propres clés"],
      ["Frais par transaction", "18 %", "0 %"],
      ["Retraits", "Une fois par semaine", "À tout moment"],
      ["Support", "Standard", "Prioritaire"],
      ["Groupes et canaux", "3 maximum", "Illimités"],
      ["Statistiques avancées", "Non", "Oui"],
      ["API développeur", "Non", "Oui"],
      ["Configuration personnalisée", "Non", "Oui"],
    ]);
    expect(answer.body).toMatchObject({
      success: true,
      currency: "XOF",
      break_even: 27_778,
      plans: [
        { type_plan: "gratuit", price: 0, fee_percent: 18, groups_max: 3, withdrawals: "weekly" },
        {
          type_plan: "payant",
          price: 5_000,
          price_eur: 7.62,
          period_days: 30,
          fee_percent: 0,
          groups_max: null,
          withdrawals: "instant",
        },
      ],
      providers: expect.arrayContaining([expect.objectContaining({ id: "moneroo" })]),
    });
  });
});
