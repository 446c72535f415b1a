import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { encodeOnce, createSplicedGzip, createRecent } from "./compress.ts";

describe("a gzip whose beginning is compressed once", () => {
  test("reads as beginning and end, whatever they hold", () => {
    const beginnings = ["", "a", "la même chose ".repeat(5_000), "\u0000\u00ff"];
    const ends = ["", "x", "la même chose ".repeat(300), '{"id":"12"}</script>'];
    for (const beginning of beginnings) {
      const splice = createSplicedGzip(Buffer.from(beginning));
      for (const end of ends) {
        expect(gunzipSync(splice(Buffer.from(end))).toString()).toBe(beginning + end);
      }
    }
  });
});

describe("a body that is encoded once", () => {
  test("is made in the encoding asked for, and only once", async () => {
    const plain = Buffer.from("le même texte ".repeat(1_000));
    const bodyIn = encodeOnce(plain, 5);
    expect(await bodyIn("identity")).toBe(plain);
    const brotli = await bodyIn("br");
    expect(brotliDecompressSync(brotli)).toEqual(plain);
    expect(await bodyIn("br")).toBe(brotli);
    expect(gunzipSync(await bodyIn("gzip"))).toEqual(plain);
  });
});

describe("what is kept of recent results", () => {
  test("is made once while it is used, and the one unused for longest is forgotten", () => {
    const made: string[] = [];
    const recent = createRecent<string>(2);
    const get = (key: string) =>
      recent.get(key, () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")].join("")).toBe("ABACAB");
    expect(made).toEqual(["a", "b", "c", "b"]);
  });
});
