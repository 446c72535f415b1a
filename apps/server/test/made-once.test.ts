import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startTestApp } from "./harness.ts";
import { stubSite } from "./stub-site.ts";

let rendered = 0;

const site = await stubSite();
const renderBuyerPage = () => {
  rendered += 1;
  return "<p>une page</p>".repeat(2_000);
};
const app = await startTestApp({ site: { ...site, renderBuyerPage } });

/** The raw bytes: `fetch` would decode them. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const asked = get(new URL(path, app.url), { headers: { accept: "text/html", ...headers } });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode, headers: answer.headers, body };
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;

describe.each(["/api/openapi.json", "/docs"])("%s", (path) => {
  test("has a tag, and a reader who has it is answered 304 without its bytes", async () => {
    const first = await ask(path);
    expect(first).toMatchObject({ status: 200 });
    const tag = String(first.headers.etag);
    const again = await ask(path, { "if-none-match": tag });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await ask(path, { "if-none-match": 'W/"another"' })).status).toBe(200);
  });

  test("is the same in each encoding, and compressed", async () => {
    const plain = await ask(path);
    for (const encoding of ["br", "gzip"] as const) {
      const answer = await ask(path, { "accept-encoding": encoding });
      expect(answer.headers["content-encoding"]).toBe(encoding);
      expect(answer.body.length).toBeLessThan(plain.body.length / 4);
      expect(DECODERS[encoding](answer.body)).toEqual(plain.body);
    }
  });
});

describe("pages that are the same for all", () => {
  test("are rendered once, whatever absent id the address has", async () => {
    for (const kind of ["/achat?reference=inconnu", "/boutique/99999", "/paiement/retour/rien"]) {
      await ask(`${kind}0`);
      const before = rendered;
      for (let n = 1; n < 20; n++) expect((await ask(`${kind}${n}`)).status).toBe(404);
      expect(rendered, kind).toBe(before);
    }
  });

  test("of an order share one rendering, and each names its own order", async () => {
    await ask("/commande/1");
    await ask("/payment-success?paymentId=py_0");
    const before = rendered;
    for (let n = 1; n < 20; n++) {
      const plain = (await ask(`/commande/${n}`)).body.toString();
      expect(plain).toContain(`"orderId":"${n}"`);
      for (const accepted of ["gzip", "gzip, deflate, br"]) {
        const answer = await ask(`/commande/${n}`, { "accept-encoding": accepted });
        expect(answer.headers["content-encoding"]).toBe("gzip");
        expect(gunzipSync(answer.body).toString()).toBe(plain);
      }
      expect((await ask(`/payment-success?paymentId=py_${n}`)).body.toString()).toContain(
        `"name":"py_${n}"`,
      );
    }
    expect(rendered).toBe(before);
  });
});
