import { assert, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { blackPng, picture, pictureBytes } from "../../../test/pictures.ts";
import { checkImageHeader, countScans } from "../../pictures/picture-process.ts";
import { createPictures } from "../../pictures/picture-lane.ts";

/** For tests in which the size does not matter. */
const SMALL = { width: 60, height: 40 };

const kindOf = (result: { ok: boolean; refusal?: { kind: string } }) =>
  result.ok ? "ok" : result.refusal?.kind;

const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: 9, g: 9, b: 9 } } });

describe("the memory that a picture would take", () => {
  test("is judged from the header: 381 kB that decode to 400 MB are refused", async () => {
    const bomb = blackPng(7_000, true);
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024);
    expect(kindOf(await checkImageHeader(bomb))).toBe("catalogue.image-too-many-pixels");
  });

  test("allows a phone's photograph: by rows, progressive, AVIF", async () => {
    const photograph = blank(3_500);
    const kinds = [
      photograph.clone().jpeg(),
      photograph.clone().jpeg({ progressive: true }),
      photograph.clone().png(),
      photograph.clone().avif({ effort: 0 }),
    ].map(async (made) => kindOf(await checkImageHeader(await made.toBuffer())));
    expect(await Promise.all(kinds)).toEqual(["ok", "ok", "ok", "ok"]);
  });

  test("counts the scans of a JPEG, and refuses one with a thousand", async () => {
    const progressive = await blank(64).jpeg({ progressive: true }).toBuffer();
    const scans = countScans(progressive);
    expect(scans).toBeGreaterThan(1);
    expect(scans).toBeLessThan(20);
    expect(countScans(await blank(64).jpeg().toBuffer())).toBe(1);
    const lastScan = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
    const scan = progressive.subarray(lastScan, -2);
    const many = Buffer.concat([
      progressive.subarray(0, lastScan),
      ...Array.from({ length: 1_000 }, () => scan),
      Buffer.from([0xff, 0xd9]),
    ]);
    expect(countScans(many)).toBeGreaterThan(1_000);
    expect(kindOf(await checkImageHeader(many))).toBe("catalogue.image-too-many-pixels");
  });
});

describe("the process of pictures", () => {
  test("that is ended costs the uploads it had, and the next one finds another", async () => {
    const pictures = createPictures();
    const bytes = await pictureBytes(SMALL);
    const encoding = pictures.encode(bytes);
    const made = pictures.pid();
    assert(made, "the upload started a process");
    process.kill(made, "SIGKILL");
    expect(kindOf(await encoding)).toBe("catalogue.image-unreadable");
    expect(kindOf(await pictures.encode(bytes))).toBe("ok");
    expect(pictures.pid()).not.toBe(made);
    pictures.close();
  });

  test("takes so many bytes at a time and refuses the others with a sentence", async () => {
    const bytes = await pictureBytes(SMALL);
    const pictures = createPictures(9 * bytes.length);
    const kinds = await Promise.all(
      Array.from({ length: 14 }, async () => kindOf(await pictures.encode(bytes))),
    );
    expect(kinds.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => "ok"));
    expect(new Set(kinds.slice(9))).toEqual(new Set(["catalogue.image-busy"]));
    pictures.close();
  });
});

describe("kept pictures", () => {
  let app: TestApp;
  let seller: SignedInSeller;
  let groupId: string;

  beforeAll(async () => {
    app = await startTestApp();
    seller = await app.signInSeller();
    groupId = (await app.linkGroup(seller)).id;
  });
  afterAll(() => app.close());

  type Answer = { code?: string; product: { id: string; image_url: string } };
  const send = async (method: string, path: string) => {
    const form = { image: await picture(SMALL) };
    const fields = { title: "VIP", price: "5000", duration: "1", group_id: groupId };
    const filled = method === "POST" ? { ...fields, ...form } : form;
    return app.call<Answer>(method, path, { token: seller.token, form: filled });
  };
  const served = async (url: string) =>
    (await app.call("GET", new URL(url, app.url).pathname)).status;

  test("that were replaced or archived are served for a day, then removed", async () => {
    const first = (await send("POST", "/api/products")).body.product;
    const second = (await send("PUT", `/api/products/${first.id}`)).body.product;
    const other = (await send("POST", "/api/products")).body.product;
    await app.call("DELETE", `/api/products/${other.id}`, { token: seller.token });
    app.clock.advance(HOUR_MS);
    await app.drain();
    const all = [first.image_url, second.image_url, other.image_url];
    expect(await Promise.all(all.map(served))).toEqual([200, 200, 200]);
    app.clock.advance(DAY_MS + HOUR_MS);
    await app.drain();
    expect(await Promise.all(all.map(served))).toEqual([404, 200, 404]);
    const { rows } = await sql`SELECT id FROM images`.execute(app.db);
    expect(rows).toHaveLength(1);
  });

  test("are so many a day for a seller, and no more", async () => {
    await sql`
      INSERT INTO images (id, seller_id, width, height, created_at)
      SELECT 'cap' || n, ${BigInt(seller.id)}, 1, 1, ${app.clock.now()} FROM generate_series(1, 200) n
    `.execute(app.db);
    const refused = await send("POST", "/api/products");
    expect([refused.status, refused.body.code]).toEqual([429, "catalogue.images-too-many"]);
    app.clock.advance(DAY_MS + 1);
    expect((await send("POST", "/api/products")).status).toBe(201);
  });
});
