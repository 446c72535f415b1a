import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGroupFixtures, type Shop } from "../../../test/groups.ts";
import { OPERATOR_ID, startTestApp, type TestApp } from "../../../test/harness.ts";

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startTestApp({ env: { SUPPORT_WHATSAPP: "+225 07 00 00 00 00" } });
  const scene = createGroupFixtures(app);
  shop = await scene.openShop();
  await scene.buyerInside(shop);
});
afterAll(() => app?.close());

type Who = { readonly token: string };
const read = async <T>(who: Who, path: string) => (await app.call<T>("GET", path, who)).body;

describe("the support's page", () => {
  test("says when somebody answers, by the one setting and the instance's clock", async () => {
    const at = async (instant: string) => {
      app.clock.advance(Date.parse(instant) - app.clock.now().getTime());
      const seller = await app.signInSeller();
      return (await read<AnswerOf<"GET /api/support">>(seller, "/api/support")).hours;
    };
    expect(await at("2026-12-04T17:59:00Z")).toEqual({
      open: true,
      label: "du lundi au vendredi, de 9 h à 18 h",
      says: "Ouvert jusqu'à 18 h",
    });
    expect(await at("2026-12-04T18:00:00Z")).toMatchObject({
      open: false,
      says: "Fermé, de retour lundi à 9 h",
    });
    expect((await at("2026-12-07T08:00:00Z")).says).toBe("Fermé, de retour à 9 h");
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Ibrahim" });
    const settings = await read<{ settings: { hours: object } }>(operator, "/api/desk/settings");
    const support = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 6, to_hour: 22 };
    const changes = { hours: { ...settings.settings.hours, support } };
    const changed = await app.call("PUT", "/api/desk/settings", {
      token: operator.token,
      body: { changes, reason: "Essai" },
    });
    expect(changed.status).toBe(200);
    expect((await at("2026-12-06T21:00:00Z")).says).toBe("Ouvert jusqu'à 22 h");
  });

  test("opens what the operator gave, and what a ticket may be about", async () => {
    const page = await read<AnswerOf<"GET /api/support">>(shop.seller, "/api/support");
    expect(page.contacts).toEqual({ whatsapp: "https://wa.me/2250700000000", telegram: null });
    expect([page.priority, page.reply_hours]).toEqual([false, 24]);
    expect(page.subjects[0]).toMatchObject({
      what: "commande",
      label: expect.any(String),
      buyer: expect.any(String),
    });
    const premium = await app.signInSeller();
    await sql`UPDATE sellers SET plan = 'premium' WHERE id = ${BigInt(premium.id)}`.execute(app.db);
    expect((await read<AnswerOf<"GET /api/support">>(premium, "/api/support")).priority).toBe(true);
  });

  test("has one source of questions, with the figures in force", async () => {
    const { chapters } = (
      await app.call<AnswerOf<"GET /api/support/faq">>("GET", "/api/support/faq")
    ).body;
    expect(Object.entries(chapters).map(([name, list]) => [name, list.length])).toEqual([
      ["settings", 4],
      ["index", 4],
      ["plans", 3],
    ]);
    expect(chapters.settings.map(({ question }) => question)).toEqual([
      "Comment fonctionne le service\u202f?",
      "Comment ajouter un moyen de paiement\u202f?",
      "Comment fonctionnent les retraits\u202f?",
      "Comment relier un groupe Telegram\u202f?",
    ]);
    const all = JSON.stringify(chapters);
    expect(all).toContain("18\u202f%");
    expect(all).toContain("50\u202f000\u00a0FCFA");
    expect(all).not.toMatch(/15 février|24\/7|5 minutes/i);
    // What a seller has not switched on is not what his buyers have (decision 3).
    expect(all).toMatch(/déjà actifs, sauf KkiaPay/);
    expect(all).toMatch(/Aujourd'hui[^.]*Moneroo[^.]*\. À activer vous-même[^.]*: KkiaPay\./);
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Ibrahim" });
    const changes = { fee_rates: { free: 1_250, premium: 0 }, stars_only: true };
    await app.call("PUT", "/api/desk/settings", {
      token: operator.token,
      body: { changes, reason: "Essai" },
    });
    const after = JSON.stringify(await read(shop.seller, "/api/support/faq"));
    expect(after).toContain("12,5\u202f%");
    expect(after).not.toContain("18\u202f%");
    expect(after).toMatch(/Aujourd'hui[^.]*: Telegram Stars\. Vos acheteurs/);
    expect(after).not.toMatch(/Moneroo|KkiaPay/);
  });
});
