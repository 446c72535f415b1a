import type { AnswerOf } from "@sesame/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SomeBody } from "../../../test/client.ts";
import {
  type LinkedGroup,
  type SignedInSeller,
  startTestApp,
  type TestApp,
} from "../../../test/harness.ts";
import { picture } from "../../../test/pictures.ts";
import { publishProduct } from "../../../test/sales.ts";

let app: TestApp;
let seller: SignedInSeller;
let other: SignedInSeller;
let group: LinkedGroup;
let month: string;

beforeAll(async () => {
  app = await startTestApp();
  seller = await app.signInSeller();
  other = await app.signInSeller();
  group = await app.linkGroup(seller, { title: "Cuisine de Dakar" });
  month = (await publish()).duration_id ?? "";
});
afterAll(() => app?.close());

type Fields = Record<string, string | Blob>;

const publish = (into = group) => publishProduct(app, { seller, group: into });

describe("a published product", () => {
  const put = (id: string, options: { form?: Fields; body?: unknown; token?: string }) =>
    app.call<AnswerOf<"PUT /api/products/:id"> & SomeBody>("PUT", `/api/products/${id}`, {
      token: seller.token,
      ...options,
    });

  test("is edited as a form without image, and as JSON", async () => {
    const { id, image_url: before } = await publish();
    const form = { title: "Autre titre", price: "7500", description: "", duration: month };
    const edited = await put(id, { form });
    expect(edited.status).toBe(200);
    expect(edited.body.product).toMatchObject({
      title: "Autre titre",
      price: 7500,
      image_url: before,
    });
    const again = await put(id, { body: { title: "Troisième", price: 8000, duration: month } });
    expect(again.body.product).toMatchObject({ title: "Troisième", price: 8000, description: "" });
    const pictured = await put(id, { form: { image: await picture({ width: 300 }) } });
    expect(pictured.body.product.image_url).not.toBe(before);
  });

  test("names what an edit lacks, the image excepted", async () => {
    const { id } = await publish();
    const answer = await put(id, { form: { title: "", price: "100", description: "" } });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: "Veuillez compléter tous les champs requis: Titre, Durée" },
    });
  });

  test("is switched off and on", async () => {
    const { id } = await publish();
    expect((await put(id, { body: { status: "inactive" } })).body.product.status).toBe("inactive");
    expect((await put(id, { body: { status: "active" } })).body.product.status).toBe("active");
    expect((await put(id, { body: { status: "gone" } })).status).toBe(400);
    expect((await put(id, { body: { title: ["x"], price: {}, duration: 1 } })).status).toBe(422);
  });

  test("is pending while its group cannot be sold, and says why", async () => {
    const weak = await app.linkGroup(seller, { title: "Sans droits", rights: ["invite_users"] });
    const product = await publish(weak);
    expect(product).toMatchObject({
      status: "pending",
      status_reason: "Il manque des droits au bot dans le groupe.",
    });
  });

  test("is archived once, and then nowhere to be found", async () => {
    const { id, reference } = await publish();
    const token = { token: seller.token };
    for (let count = 0; count < 2; count++) {
      const gone = await app.call("DELETE", `/api/products/${id}`, token);
      expect(gone).toMatchObject({ status: 200, body: { success: true, members: 0 } });
    }
    expect((await app.call("GET", `/api/products/${id}`, token)).status).toBe(404);
    expect((await put(id, { body: { status: "active" } })).status).toBe(404);
    expect((await app.call("GET", `/api/public/products/${reference}`)).status).toBe(404);
  });

  test("is not another seller's to see or touch", async () => {
    const { id } = await publish();
    const token = other.token;
    const calls = [
      ["GET", ""],
      ["GET", "/members"],
      ["PUT", ""],
      ["DELETE", ""],
    ] as const;
    for (const [method, rest] of calls) {
      const options = method === "PUT" ? { token, body: { status: "gone" } } : { token };
      const foreign = await app.call(method, `/api/products/${id}${rest}`, options);
      const absent = await app.call(method, `/api/products/999999${rest}`, options);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
    }
    const list = await app.call("GET", `/api/products/seller/${seller.id}`, { token });
    expect(list.status).toBe(404);
  });
});

describe("the product's public page", () => {
  type PublicProduct = { id: string; title: string; status: string; providers: string[] };

  test("shows it to anybody, by reference and by ids, within a second of an edit", async () => {
    const { id, reference } = await publish();
    const byReference = `/api/public/products/${reference}`;
    const first = await app.call<PublicProduct>("GET", byReference);
    expect(first.body).toMatchObject({
      id,
      title: "Recettes du mois",
      status: "active",
      providers: expect.arrayContaining(["moneroo", "fedapay"]),
      seller: { id: seller.id },
      group: { name: "Cuisine de Dakar", type: "groupe" },
      places_left: null,
    });
    const byIds = await app.call("GET", `/api/products/${seller.id}/${id}`);
    expect(byIds.body).toEqual(first.body);
    const form = { title: "Changé", price: "5000", duration: month };
    await app.call("PUT", `/api/products/${id}`, { token: seller.token, form });
    expect((await app.call<PublicProduct>("GET", byReference)).body.title).toBe("Changé");
    expect((await app.call("GET", "/api/public/products/nosuchref1")).status).toBe(404);
    expect((await app.call("GET", `/api/products/${other.id}/${id}`)).status).toBe(404);
  });

  test("counts one view a day for each buyer, none for the seller and for strangers", async () => {
    const { id, reference } = await publish();
    const look = (token?: string) =>
      app.call("GET", `/api/public/products/${reference}`, token ? { token } : {});
    const buyers = [await app.signInBuyer(), await app.signInBuyer()];
    for (let count = 0; count < 2; count++) {
      for (const buyer of buyers) await look(buyer.token);
      await look(seller.token);
      await look("forged");
      await look();
    }
    app.clock.advance(24 * 3_600_000);
    await look(buyers[0]?.token);
    const found = await app.call<AnswerOf<"PUT /api/products/:id">>("GET", `/api/products/${id}`, {
      token: seller.token,
    });
    expect(found.body.product.views).toBe(3);
  });
});
