import { readShopReference, shopReference } from "@sesame/contract/catalogue";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { type LinkedGroup, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { publishDonation, publishProduct } from "../../../test/sales.ts";
import { showPage, stubSite, viewOf } from "../../../test/stub-site.ts";

let seller: SignedInSeller;
let group: LinkedGroup;

const site = await stubSite();
const app = await startTestApp({ site });
beforeEach(async () => {
  seller = await app.signInSeller();
  group = await app.linkGroup(seller, { title: "Cuisine de Dakar" });
});

const publish = (title: string, into = group) =>
  publishProduct(app, { seller, group: into }, { title });
const own = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: seller.token, body });
const show = (path: string) => showPage(app, path);

async function titlesAt(path: string): Promise<string[] | null> {
  const view = viewOf(await show(path)) as { shop?: { products: { title: string }[] } } | null;
  return view?.shop?.products.map(({ title }) => title) ?? null;
}

describe("a seller's public shop", () => {
  test("shows what can be bought now, newest first, in any browser and in Telegram", async () => {
    const here = `/boutique/${seller.id}`;
    await publish("Premier");
    app.clock.advance(1_000);
    const { id } = await publish("Retiré");
    await publish("Deuxième");
    const off = await publish("Éteint");
    await own("PUT", `/api/products/${off.id}`, { status: "inactive" });
    await own("DELETE", `/api/products/${id}`);
    const weak = await app.linkGroup(seller, { title: "Faible", rights: ["invite_users"] });
    await publish("En attente", weak);
    expect(await titlesAt(here)).toEqual(["Deuxième", "Premier"]);
    const start = `/?tgWebAppStartParam=${shopReference(seller.id)}`;
    expect(await titlesAt(start)).toEqual(["Deuxième", "Premier"]);
    const { text } = await show(here);
    expect(text).toContain(`<title>Boutique de ${seller.user.nom}</title>`);
    expect(text).toMatch(/og:image" content="http[^"]+\.jpe?g"/);
  });

  test("shows a donation beside a membership", async () => {
    await publishDonation(app, seller, "");
    const { text } = await show(`/boutique/${seller.id}`);
    const view = viewOf({ status: 200, policy: "", text }) as { shop: { products: unknown[] } };
    expect(view.shop.products).toMatchObject([
      { kind: "donation", title: "Soutenez la chaîne", price: 500 },
    ]);
  });

  test("follows an edit at once, and stays as an empty page", async () => {
    const here = `/boutique/${seller.id}`;
    expect(await titlesAt(here)).toEqual([]);
    const { id } = await publish("Avant");
    expect(await titlesAt(here)).toEqual(["Avant"]);
    await own("PUT", `/api/products/${id}`, { status: "inactive" });
    expect(await titlesAt(here)).toEqual([]);
  });

  test("is not found when its seller is absent, suspended, closed, or no seller at all", async () => {
    await publish("Recettes");
    const here = `/boutique/${seller.id}`;
    const since = app.clock.now();
    const gone = async (path: string) => {
      const shown = await show(path);
      expect(shown.status, path).toBe(404);
      expect(viewOf(shown), path).toEqual({ at: "missing-shop" });
      expect(shown.text).toContain("<title>Boutique introuvable</title>");
    };
    const buyer = await app.signInBuyer();
    for (const id of ["999999999", "0", "x", buyer.id, "9".repeat(30)])
      await gone(`/boutique/${id}`);
    await gone("/?tgWebAppStartParam=boutique_999999999");
    expect((await show(here)).status).toBe(200);
    for (const column of ["suspended_at", "closed_at"]) {
      // Longer than the cache's age.
      const other = await app.signInSeller();
      await app.sql`UPDATE sellers SET ${sql.ref(column)} = ${since} WHERE id = ${other.id}`;
      await gone(`/boutique/${other.id}`);
    }
  });

  test("has a start parameter that no product can have", async () => {
    expect(readShopReference("boutique_12")).toBe(12n);
    for (const name of ["boutique_", "boutique_0", "boutique_x", "Boutique_1", "vip1K3pQ"]) {
      expect(readShopReference(name), name).toBeNull();
    }
    const { id } = await publish("Recettes");
    const steal = sql`UPDATE products SET reference = 'boutique_12' WHERE id = ${id}`;
    await expect(steal.execute(app.db)).rejects.toThrow(/products_reference_is_no_shop/);
  });

  test("has both its links on the seller's page", async () => {
    await publish("Recettes");
    const body = await app.read("GET /api/shop", seller);
    const page = `${app.url}/boutique/${seller.id}`;
    expect(body).toMatchObject({ success: true, open: true, products: 1, page_url: page });
    expect(body.share_link).toMatch(new RegExp(`startapp=boutique_${seller.id}$`));
  });
});

describe("a seller's answers to Soni", () => {
  const saveAnswers = (body: unknown) => own("PUT", "/api/soni", body);
  const readAnswers = async (token = seller.token) =>
    (await app.read("GET /api/soni", { token })).answers;

  test("are stored one by one, for the seller alone", async () => {
    expect(await readAnswers()).toEqual({ name: null, goal: null, motivation: null });
    await saveAnswers({ name: "  Cercle VIP  " });
    const next = { goal: "training", motivation: 4 };
    for (let count = 0; count < 2; count++) expect((await saveAnswers(next)).status).toBe(200);
    expect(await readAnswers()).toEqual({ name: "Cercle VIP", ...next });
    expect(await readAnswers((await app.signInSeller()).token)).toMatchObject({ name: null });
    await saveAnswers({ goal: null, motivation: null });
    expect(await readAnswers()).toEqual({ name: "Cercle VIP", goal: null, motivation: null });
  });

  test("are refused when they answer no question", async () => {
    const wrong = [{ name: "  " }, { goal: "rich" }, { motivation: 6 }, { motivation: "3" }];
    for (const body of [...wrong, { name: "x".repeat(121) }]) {
      expect((await saveAnswers(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(await readAnswers()).toMatchObject({ name: null, goal: null, motivation: null });
  });
});
