import { execFileSync } from "node:child_process";
import { IMAGE_BYTES_MAX } from "@sesame/contract/catalogue";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { blackPng, pictureBytes } from "../../test/pictures.ts";
import { encodeImage } from "./encode-image.ts";
import { checkImageHeader } from "./picture-process.ts";

const kindOf = (result: { ok: boolean; refusal?: { kind: string } }) =>
  result.ok ? "ok" : result.refusal?.kind;

describe("the header of an image", () => {
  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)(
    "of %s is accepted",
    async (format) => {
      const bytes = await pictureBytes({ width: 64, height: 48, format });
      expect(kindOf(await checkImageHeader(bytes))).toBe("ok");
      expect(kindOf(await encodeImage(bytes))).toBe("ok");
    },
  );

  test("a bomb is refused from its header: nothing after it is read, let alone decoded", async () => {
    const bomb = blackPng(16_000);
    expect(bomb.length).toBeLessThan(60_000);
    for (const bytes of [bomb, bomb.subarray(0, 64)]) {
      expect(kindOf(await checkImageHeader(bytes))).toBe("catalogue.image-too-many-pixels");
    }
  });

  test("SVG, HTML, PDF, video and nothing are no images, whatever their name says", async () => {
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

  test("a promise without a picture behind it is unreadable", async () => {
    const html = Buffer.from("GIF89a<script>alert(1)</script>", "latin1");
    const checked = await checkImageHeader(html);
    const read = checked.ok ? await encodeImage(html) : checked;
    expect(kindOf(read)).toMatch(/image-(unreadable|too-many-pixels)/);
  });
});

describe("a kept image", () => {
  test("has two widths in two formats, the list's AVIF within 40 kB", async () => {
    const encoded = await encodeImage(await pictureBytes({ width: 1_600, height: 1_200 }));
    if (!encoded.ok) throw new Error(encoded.refusal.kind);
    const { width, height, files } = encoded.value;
    expect({ width, height }).toEqual({ width: 800, height: 600 });
    expect(files.map(({ name }) => name)).toEqual(["360.avif", "360.jpg", "800.avif", "800.jpg"]);
    const sizes = await Promise.all(files.map(({ bytes }) => sharp(bytes).metadata()));
    expect(sizes.map((size) => size.width)).toEqual([360, 360, 800, 800]);
    expect(files[0]?.bytes.length).toBeLessThanOrEqual(40_000);
  });

  test("is upright, and carries nothing of what the camera wrote", async () => {
    const plain = await pictureBytes({ width: 400, height: 200 });
    const shot = await sharp(plain)
      .withExif({ IFD0: { Artist: "Awa" }, IFD3: { GPSLatitude: "5/1 20/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(shot).metadata()).exif).toBeDefined();
    const encoded = await encodeImage(shot);
    if (!encoded.ok) throw new Error(encoded.refusal.kind);
    expect(encoded.value).toMatchObject({ width: 200, height: 400 });
    for (const { bytes } of encoded.value.files) {
      const { exif, xmp, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      expect(bytes.includes("Awa")).toBe(false);
    }
  });

  test("loses what a polyglot hid behind its end", async () => {
    const evil = Buffer.concat([
      await pictureBytes({ width: 32, height: 32 }),
      Buffer.from("<script>alert(1)</script>PK\x03\x04"),
    ]);
    const encoded = await encodeImage(evil);
    if (!encoded.ok) throw new Error(encoded.refusal.kind);
    for (const { bytes } of encoded.value.files) expect(bytes.includes("<script>")).toBe(false);
  });

  test("never comes from a truncated file", async () => {
    for (const format of ["jpeg", "png", "webp", "avif"] as const) {
      const whole = await pictureBytes({ width: 300, height: 200, format });
      const cut = whole.subarray(0, Math.floor(whole.length / 2));
      const checked = await checkImageHeader(cut);
      const read = checked.ok ? await encodeImage(cut) : checked;
      expect(kindOf(read)).toBe("catalogue.image-unreadable");
    }
  });

  // In a process of its own: that is what is measured.
  test.runIf(process.env.LONG === "1")("five megabytes cost little memory", async () => {
    const large = await pictureBytes({ width: 3_000, height: 2_000 });
    expect(large.length).toBeLessThan(IMAGE_BYTES_MAX * 2);
    const script = `
      import { readFileSync } from "node:fs";
      const { encodeImage } = await import(${JSON.stringify(new URL("./encode-image.ts", import.meta.url))});
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
