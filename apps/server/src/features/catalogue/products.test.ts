import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf } from "@sesame/contract/routes";
import { type Random, systemRandom } from "@sesame/kernel";
import { afterAll, describe, expect, test } from "vitest";
import { ownFolder } from "../../../../../tools/postgres/leftovers.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { SomeBody } from "../../../test/http.ts";
import { blackPng, picture } from "../../../test/pictures.ts";
import { publishProduct } from "../../../test/sales.ts";
import type { EncodedImage } from "../../pictures/picture-queue.ts";
import { keepImage } from "./image-files.ts";

let isForeseen = false;

const dataDir = ownFolder("pictures");
const random: Random = {
  bytes: (count) => (isForeseen ? new Uint8Array(count) : systemRandom.bytes(count)),
};

const app = await startTestApp({ random, env: { DATA_DIR: dataDir } });
const seller = await app.signInSeller();
const other = await app.signInSeller();
const group = await app.linkGroup(seller, { title: "Cuisine de Dakar" });
const image = await picture({ width: 200, height: 150 });
const { body } = await app.call<DurationOnWire[]>("GET", "/api/config/subscription_durations");
const month = body.find(({ minutes }) => minutes === 43_200)?.id ?? "";
afterAll(() => rm(dataDir, { recursive: true }));

type Fields = Record<string, string | Blob>;

const good = (): Fields => ({
  group_id: group.id,
  title: "Recettes du mois",
  price: "5000",
  description: "Une recette par jour.",
  duration: month,
  image,
});

function post(fields: Fields, key?: string) {
  const options = { token: seller.token, form: fields, key };
  return app.call<AnswerOf<"POST /api/products"> & SomeBody>("POST", "/api/products", options);
}

async function publish(fields: Fields = {}): Promise<ProductOnWire> {
  const answer = await post({ ...good(), ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.product;
}

const without = (name: string): Fields =>
  Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));

const FULL = "/dev/full";

test("a full disk is an outage: nothing of the picture is left, and it is accepted later", async (context) => {
  if (!existsSync(FULL)) return context.skip("needs a file that is always full");
  const folder = join(dataDir, "images");
  // The last of its files fails; those before it are written.
  const draft = join(folder, `.${"A".repeat(22)}.new`);
  await mkdir(draft, { recursive: true });
  await symlink(FULL, join(draft, "800.jpg"));
  isForeseen = true;
  const refused = await post(good());
  isForeseen = false;
  expect(refused).toMatchObject({ status: 503, body: { success: false, code: "outage" } });
  expect(await readdir(folder)).toEqual([]);
  await publish();
  expect(await readdir(folder)).toHaveLength(1);
});

describe("publishing a product", () => {
  test("answers with the whole product, active, with its own reference and link", async () => {
    const product = await publish();
    expect(product).toMatchObject({
      title: "Recettes du mois",
      price: 5000,
      description: "Une recette par jour.",
      duration: 43_200,
      duration_id: month,
      duration_label: "30 jours",
      group_id: group.id,
      idGroup: group.chatId,
      group: { name: "Cuisine de Dakar", type: "groupe" },
      status: "active",
      status_reason: null,
      views: 0,
      sales: 0,
      revenue_gross: 0,
      category: "other",
      stock: null,
    });
    expect(product.reference).toMatch(/^[A-Za-z2-9]{10}$/);
    expect(product.share_link).toContain(`=${product.reference}`);
  });

  test("accepts Telegram's id of the group too, and an empty description", async () => {
    const product = await publish({ group_id: String(group.chatId), description: "" });
    expect(product).toMatchObject({ group_id: group.id, description: "" });
  });

  test("accepts category, places and the switch", async () => {
    const product = await publish({ category: "ebook", stock: "12", status: "inactive" });
    expect(product).toMatchObject({ category: "ebook", stock: 12, status: "inactive" });
  });

  test("serves its images to anybody, for ever, with safe headers", async () => {
    const { picture: kept, image_url: address } = await publish();
    for (const path of [address, kept?.sources[0]?.avif, kept?.sources[1]?.jpeg]) {
      const answer = await fetch(`${app.url}${path}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^image\/(avif|jpeg)$/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
    for (const path of ["/images/x/360.avif", "/images/..%2f..%2fsecrets.key/360.avif"]) {
      expect((await app.call("GET", path)).status).toBe(404);
    }
  });
});

describe("a wrong form", () => {
  const big = () => new Blob([new Uint8Array(5 * 1024 * 1024 + 1)]);
  const svg = () => new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"]);
  const bomb = () => new Blob([new Uint8Array(blackPng(16_000))]);
  const cut = () => image.slice(0, 2_000);
  const SENTENCES = {
    "title-too-long": "Le titre ne peut pas dépasser 120 caractères.",
    "description-too-long": "La description ne peut pas dépasser 500 caractères.",
    "image-too-large": "L'image est trop volumineuse. La taille maximale est de 5 Mo.",
    "image-not-an-image": "Le fichier doit être une image (JPEG, PNG, WebP, AVIF ou GIF).",
    "image-too-many-pixels": "Les dimensions de l'image sont trop grandes.",
    "price-invalid": "Le prix doit être un nombre entier de francs.",
    "price-out-of-range": "Le prix doit être compris entre 100 et 1 000 000 FCFA.",
    "duration-unknown": "Veuillez choisir une durée parmi celles proposées.",
    "category-unknown": "Veuillez choisir une catégorie parmi celles proposées.",
    "stock-invalid":
      "Le nombre de places doit être un nombre entier, ou vide pour ne pas le limiter.",
    "group-unknown": "Groupe ou canal introuvable.",
    "image-unreadable": "L'image est abîmée ou illisible. Veuillez en choisir une autre.",
  };
  // Each row breaks its own rule and a later one: the order is part of the contract.
  const ROWS: readonly (readonly [keyof typeof SENTENCES, () => Fields])[] = [
    ["title-too-long", () => ({ title: "x".repeat(121), description: "x".repeat(501) })],
    ["description-too-long", () => ({ description: "x".repeat(501), image: big() })],
    ["image-too-large", () => ({ image: big(), price: "1" })],
    ["image-not-an-image", () => ({ image: svg(), price: "1" })],
    ["image-too-many-pixels", () => ({ image: bomb(), price: "1" })],
    ["price-invalid", () => ({ price: "cinq mille", duration: "999" })],
    ["price-out-of-range", () => ({ price: "99", duration: "999" })],
    ["duration-unknown", () => ({ duration: "43200", category: "autre" })],
    ["category-unknown", () => ({ category: "autre", stock: "1.5" })],
    ["stock-invalid", () => ({ stock: "1.5", group_id: "999999" })],
    ["group-unknown", () => ({ group_id: "999999", image: cut() })],
    ["image-unreadable", () => ({ image: cut() })],
  ];
  const LACKING: readonly (readonly [kind: string, () => Fields, message: string])[] = [
    [
      "fields-missing",
      () => ({ group_id: "1", title: "  ", price: "", description: "x".repeat(501) }),
      "Veuillez compléter tous les champs requis: Titre, Prix, Durée, Image",
    ],
    [
      "fields-missing",
      () => ({ ...without("image"), title: "x".repeat(121) }),
      "Veuillez compléter tous les champs requis: Image",
    ],
    ["group-missing", () => without("group_id"), "Veuillez choisir un groupe ou un canal."],
  ];
  const whole = ROWS.map(
    ([kind, change]) => [kind, () => ({ ...good(), ...change() }), SENTENCES[kind]] as const,
  );
  test.each([...LACKING, ...whole])("is refused: %s", async (kind, fields, message) => {
    const answer = await post(fields());
    const status = kind === "group-unknown" ? 404 : 422;
    const code = `catalogue.${kind}`;
    expect(answer).toMatchObject({ status, body: { success: false, code, message } });
  });

  test("stores nothing", async () => {
    const listed = async () =>
      (await app.call<ProductOnWire[]>("GET", "/api/products", seller)).body.length;
    const before = await listed();
    await post({ ...good(), price: "99" });
    expect(await listed()).toBe(before);
  });

  test("prices at the limits, with spaces as people type them, pass", async () => {
    expect((await publish({ price: "100" })).price).toBe(100);
    expect((await publish({ price: "1 000 000" })).price).toBe(1_000_000);
  });

  test("the group of another seller is as unknown as an absent one", async () => {
    const foreign = await app.linkGroup(other);
    const answers = await Promise.all([
      post({ ...good(), group_id: foreign.id }),
      post({ ...good(), group_id: String(foreign.chatId) }),
      post({ ...good(), group_id: "999999" }),
    ]);
    const absent = answers[2]?.body;
    for (const { status, body } of answers) expect([status, body]).toEqual([404, absent]);
  });
});

describe("the same key", () => {
  test("publishes once, however often and however at once it is sent", async () => {
    const again = () => post(good(), "publish-1");
    const answers = await Promise.all(Array.from({ length: 4 }, again));
    answers.push(await again());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.product.id)).size).toBe(1);
  });

  test("with other content is refused", async () => {
    await post(good(), "publish-2");
    const answer = await post({ ...good(), price: "6000" }, "publish-2");
    expect(answer).toMatchObject({ status: 409, body: { code: "request.key-reused" } });
  });

  test("of another person is another key, and a refused call is checked again", async () => {
    expect((await post({ ...good(), price: "1" }, "publish-3")).status).toBe(422);
    expect((await post(good(), "publish-3")).status).toBe(201);
  });
});

const publishIn = (into = group) => publishProduct(app, { seller, group: into });

describe("a published product", () => {
  const put = (id: string, options: { form?: Fields; body?: unknown; token?: string }) =>
    app.call<AnswerOf<"PUT /api/products/:id"> & SomeBody>("PUT", `/api/products/${id}`, {
      token: seller.token,
      ...options,
    });

  test("is edited as a form without image, and as JSON", async () => {
    const { id, image_url: before } = await publishIn();
    const title = "Autre titre";
    const form = { title, price: "7500", description: "", duration: month };
    const product = { title, price: 7500, image_url: before };
    expect(await put(id, { form })).toMatchObject({ status: 200, body: { product } });
    const again = await put(id, { body: { title: "Troisième", price: 8000, duration: month } });
    expect(again.body.product).toMatchObject({ title: "Troisième", price: 8000, description: "" });
    const pictured = await put(id, { form: { image: await picture({ width: 300 }) } });
    expect(pictured.body.product.image_url).not.toBe(before);
  });

  test("names what an edit lacks, except the image", async () => {
    const { id } = await publishIn();
    const answer = await put(id, { form: { title: "", price: "100", description: "" } });
    const message = "Veuillez compléter tous les champs requis: Titre, Durée";
    expect(answer).toMatchObject({ status: 422, body: { message } });
  });

  test("is switched off and on", async () => {
    const { id } = await publishIn();
    expect((await put(id, { body: { status: "inactive" } })).body.product.status).toBe("inactive");
    expect((await put(id, { body: { status: "active" } })).body.product.status).toBe("active");
    expect((await put(id, { body: { status: "gone" } })).status).toBe(400);
    expect((await put(id, { body: { title: ["x"], price: {}, duration: 1 } })).status).toBe(422);
  });

  test("is pending while its group cannot be sold, with the reason", async () => {
    const weak = await app.linkGroup(seller, { title: "Sans droits", rights: ["invite_users"] });
    const reason = "Il manque des droits au bot dans le groupe.";
    const pending = { status: "pending", status_reason: reason };
    expect(await publishIn(weak)).toMatchObject(pending);
  });

  test("is archived once, and then not found anywhere", async () => {
    const { id, reference } = await publishIn();
    for (let count = 0; count < 2; count++) {
      const gone = await app.send("DELETE /api/products/:id", seller, { id });
      expect(gone).toMatchObject({ status: 200, body: { success: true, members: 0 } });
    }
    expect((await app.send("GET /api/products/:id", seller, { id })).status).toBe(404);
    expect((await put(id, { body: { status: "active" } })).status).toBe(404);
    expect((await app.call("GET", `/api/public/products/${reference}`)).status).toBe(404);
  });
});

describe("the product's public page", () => {
  test("is visible to anybody, by reference and by ids, within a second of an edit", async () => {
    const { id, reference } = await publishIn();
    const shown = () => app.read("GET /api/public/products/:reference", undefined, { reference });
    const first = await shown();
    expect(first).toMatchObject({
      id,
      title: "Recettes du mois",
      status: "active",
      providers: expect.arrayContaining(["moneroo", "fedapay"]),
      seller: { id: seller.id },
      group: { name: "Cuisine de Dakar", type: "groupe" },
      places_left: null,
    });
    const byIds = await app.call("GET", `/api/products/${seller.id}/${id}`);
    expect(byIds.body).toEqual(first);
    const form = { title: "Changé", price: "5000", duration: month };
    await app.call("PUT", `/api/products/${id}`, { token: seller.token, form });
    expect((await shown()).title).toBe("Changé");
    expect((await app.call("GET", "/api/public/products/nosuchref1")).status).toBe(404);
    expect((await app.call("GET", `/api/products/${other.id}/${id}`)).status).toBe(404);
  });

  test("counts one view a day for each buyer, none for the seller and for strangers", async () => {
    const { id, reference } = await publishIn();
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
    const found = await app.send("GET /api/products/:id", seller, { id });
    expect(found.body.product.views).toBe(3);
  });
});

test("a failure of another kind than the disk's is not changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sesame-pictures-"));
  await writeFile(join(folder, "images"), "");
  const image = { files: [{ name: "360.jpg", bytes: Buffer.alloc(1) }] } as unknown as EncodedImage;
  const kept = keepImage({ config: { dataDir: folder }, random: systemRandom }, image);
  await expect(kept).rejects.toMatchObject({ code: "ENOTDIR" });
  await rm(folder, { recursive: true });
});
