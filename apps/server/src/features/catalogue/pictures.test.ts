import { assert, DAY_MS, HOUR_MS } from "@sesame/kernel";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { startTestApp } from "../../../test/harness.ts";
import { blackPng, picture, pictureBytes } from "../../../test/pictures.ts";
import { checkImageHeader, countScans, encodeImage } from "../../pictures/picture-process.ts";
import { createPictures } from "../../pictures/picture-queue.ts";
import { execFileSync } from "node:child_process";
import { IMAGE_BYTES_MAX } from "@sesame/contract/catalogue";

/** For tests in which the size does not matter. */
const SMALL = { width: 60, height: 40 };

const kindOf = (result: { ok: boolean; refusal?: { kind: string } }) =>
  result.ok ? "ok" : result.refusal?.kind;

/** The kind of the header's refusal, else of the whole picture's. */
async function kindOfPicture(bytes: Buffer) {
  const checked = await checkImageHeader(bytes);
  return kindOf(checked.ok ? await encodeImage(bytes) : checked);
}

async function encode(bytes: Buffer) {
  const encoded = await encodeImage(bytes);
  if (!encoded.ok) throw new Error(encoded.refusal.kind);
  return encoded.value;
}

const app = await startTestApp();
const seller = await app.signInSeller();
const groupId = (await app.linkGroup(seller)).id;

const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: 9, g: 9, b: 9 } } });

describe("the memory that a picture would need", () => {
  test("is read from the header: 381 kB that decode to 400 MB are refused", async () => {
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
  test("that is killed fails its uploads, and the next upload finds a new one", async () => {
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

  test("accepts so many bytes at a time and refuses others with a sentence", async () => {
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

describe("stored pictures", () => {
  type Answer = { code?: string; product: { id: string; image_url: string } };
  const send = async (method: string, path: string) => {
    const form = { image: await picture(SMALL) };
    const fields = { title: "VIP", price: "5000", duration: "1", group_id: groupId };
    const filled = method === "POST" ? { ...fields, ...form } : form;
    return app.call<Answer>(method, path, { token: seller.token, form: filled });
  };
  const served = async (url: string) =>
    (await app.call("GET", new URL(url, app.url).pathname)).status;

  test("that were replaced or archived are served for a day, then deleted", async () => {
    const first = (await send("POST", "/api/products")).body.product;
    const second = (await send("PUT", `/api/products/${first.id}`)).body.product;
    const other = (await send("POST", "/api/products")).body.product;
    await app.call("DELETE", `/api/products/${other.id}`, seller);
    await app.advance(HOUR_MS);
    const all = [first.image_url, second.image_url, other.image_url];
    expect(await Promise.all(all.map(served))).toEqual([200, 200, 200]);
    await app.advance(DAY_MS + HOUR_MS);
    expect(await Promise.all(all.map(served))).toEqual([404, 200, 404]);
    expect(await app.sql`SELECT id FROM images`).toHaveLength(1);
  });

  test("are so many a day for a seller, and no more", async () => {
    await app.sql`
      INSERT INTO images (id, seller_id, width, height, created_at)
      SELECT 'cap' || n, ${BigInt(seller.id)}, 1, 1, ${app.clock.now()} FROM generate_series(1, 200) n
    `;
    const refused = await send("POST", "/api/products");
    expect([refused.status, refused.body.code]).toEqual([429, "catalogue.images-too-many"]);
    app.clock.advance(DAY_MS + 1);
    expect((await send("POST", "/api/products")).status).toBe(201);
  });
});

describe("the header of an image", () => {
  const FORMATS = ["jpeg", "png", "webp", "avif", "gif"] as const;
  test.each(FORMATS)("of %s is accepted", async (format) => {
    expect(await kindOfPicture(await pictureBytes({ ...SMALL, format }))).toBe("ok");
  });

  test("a decompression bomb is refused from its header: nothing after it is read, let alone decoded", async () => {
    const bomb = blackPng(16_000);
    expect(bomb.length).toBeLessThan(60_000);
    for (const bytes of [bomb, bomb.subarray(0, 64)]) {
      expect(kindOf(await checkImageHeader(bytes))).toBe("catalogue.image-too-many-pixels");
    }
  });

  test("SVG, HTML, PDF, video and an empty file are no images, whatever their name is", async () => {
    const others = [
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
      "<!doctype html><script>alert(1)</script>",
      "%PDF-1.7",
      "\0\0\0\x20ftypisom",
      "",
    ];
    for (const text of others) {
      const found = await checkImageHeader(Buffer.from(text, "latin1"));
      expect(kindOf(found)).toBe("catalogue.image-not-an-image");
    }
  });

  test("a header without a picture behind it is unreadable", async () => {
    const html = Buffer.from("GIF89a<script>alert(1)</script>", "latin1");
    expect(await kindOfPicture(html)).toMatch(/image-(unreadable|too-many-pixels)/);
  });
});

describe("a stored image", () => {
  test("has two widths in two formats, the list's AVIF within 40 kB", async () => {
    const photo = await pictureBytes({ width: 1_600, height: 1_200 });
    const { width, height, files } = await encode(photo);
    expect({ width, height }).toEqual({ width: 800, height: 600 });
    expect(files.map(({ name }) => name)).toEqual(["360.avif", "360.jpg", "800.avif", "800.jpg"]);
    const sizes = await Promise.all(files.map(({ bytes }) => sharp(bytes).metadata()));
    expect(sizes.map((size) => size.width)).toEqual([360, 360, 800, 800]);
    expect(files[0]?.bytes.length).toBeLessThanOrEqual(40_000);
  });

  test("is upright, and contains no metadata of the camera", async () => {
    const plain = await pictureBytes({ width: 400, height: 200 });
    const shot = await sharp(plain)
      .withExif({ IFD0: { Artist: "Awa" }, IFD3: { GPSLatitude: "5/1 20/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(shot).metadata()).exif).toBeDefined();
    const encoded = await encode(shot);
    expect(encoded).toMatchObject({ width: 200, height: 400 });
    for (const { bytes } of encoded.files) {
      const { exif, xmp, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      expect(bytes.includes("Awa")).toBe(false);
    }
  });

  test("loses what a polyglot file has behind its end", async () => {
    const evil = Buffer.concat([
      await pictureBytes({ width: 32, height: 32 }),
      Buffer.from("<script>alert(1)</script>PK\x03\x04"),
    ]);
    const { files } = await encode(evil);
    for (const { bytes } of files) expect(bytes.includes("<script>")).toBe(false);
  });

  test("never comes from a truncated file", async () => {
    for (const format of ["jpeg", "png", "webp", "avif"] as const) {
      const whole = await pictureBytes({ width: 300, height: 200, format });
      const cut = whole.subarray(0, Math.floor(whole.length / 2));
      expect(await kindOfPicture(cut)).toBe("catalogue.image-unreadable");
    }
  });

  // In a process of its own, whose memory is measured.
  test.runIf(process.env.LONG === "1")("five megabytes cost little memory", async () => {
    const large = await pictureBytes({ width: 3_000, height: 2_000 });
    expect(large.length).toBeLessThan(IMAGE_BYTES_MAX * 2);
    const script = `
      import { readFileSync } from "node:fs";
      const { encodeImage } = await import(${JSON.stringify(new URL("../../pictures/picture-process.ts", import.meta.url))});
      const large = readFileSync(0);
      await encodeImage(large);
      const before = process.memoryUsage().rss;
      for (let count = 0; count < 4; count++) await encodeImage(large);
      console.log(process.memoryUsage().rss - before);`;
    const grown = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      input: large,
      encoding: "utf8",
    });
    expect(Number(grown)).toBeLessThan(64 * 1_024 * 1_024);
  });
});
