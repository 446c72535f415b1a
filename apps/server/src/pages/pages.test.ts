import { createHash } from "node:crypto";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { publishProduct } from "../../test/sales.ts";
import { type Shown, showPage, stubSite, viewOf } from "../../test/stub-site.ts";

let removeSite: () => Promise<void>;
let app: TestApp;
let product: ProductOnWire;
let sellerId: string;
let order: CreateOrderAnswer;

beforeAll(async () => {
  const { site, remove } = await stubSite();
  removeSite = remove;
  app = await startTestApp({ site });
  const seller = await app.signInSeller();
  sellerId = seller.id;
  const group = await app.linkGroup(seller);
  product = await publishProduct(app, { seller, group }, { title: "Cercle <b>du</b> matin" });
  const buyer = await app.signInBuyer();
  const made = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference: product.reference, provider: "fedapay" },
  });
  expect(made.status).toBe(201);
  order = made.body;
});
afterAll(async () => {
  await app?.close();
  await removeSite?.();
});

const show = (path: string): Promise<Shown> => showPage(app, path);

describe("an address of the specification", () => {
  test("of a product shows it, by its seller and number or by its reference", async () => {
    const byIds = `idVendeur=${sellerId}&idProduit=${product.id}`;
    const named = `reference=${product.reference}`;
    for (const path of ["/achat", "/achats", "/paiement", "/checkout"]) {
      for (const query of [byIds, named, `${byIds}&key=sk_live_1`]) {
        const shown = await show(`${path}?${query}`);
        expect(viewOf(shown), path).toMatchObject({ at: "product", product: { id: product.id } });
        expect(shown.text).not.toContain("sk_live_1");
      }
      expect((await show(path)).status).toBe(404);
      expect(viewOf(await show(`${path}?idVendeur=x&idProduit=1`))).toEqual({ at: "missing" });
    }
    // What became of a payment is told by an order alone: named by none, it is the product's.
    for (const path of ["/payment-success", "/payment-error"]) {
      const view = viewOf(await show(`${path}?${byIds}&status=success`));
      expect(view, path).toMatchObject({ at: "product", product: { id: product.id } });
      expect(viewOf(await show(`${path}?idVendeur=x&idProduit=1`))).toEqual({ at: "missing" });
      const ordered = viewOf(await show(`${path}?${byIds}&order=12`));
      expect(ordered, path).toEqual({ at: "order", orderId: "12" });
    }
    for (const query of [byIds, named]) {
      const view = viewOf(await show(`/PaymentSelector?${query}`));
      expect(view).toMatchObject({ at: "product", paying: true, product: { id: product.id } });
    }
  });

  test("of an order is the one status page, whatever the address says of the payment", async () => {
    const ours = { at: "order", orderId: "12" };
    for (const path of ["/commande/12", "/IndexPaiement?order=12", "/payment-error?order=12"]) {
      expect(viewOf(await show(path)), path).toEqual(ours);
    }
    const named: readonly (readonly [string, string])[] = [
      ["/PaymentStatus?paymentId=py_1", "py_1"],
      ["/MonerooPaymentStatus?payment_id=py_1&status=failed", "py_1"],
      ["/PaymentStatusFedapay?id=77&status=approved", "77"],
      ["/PaymentStatusFedapayFalse?id=77", "77"],
      ["/payment-success?transaction_id=Abc-1", "Abc-1"],
      ["/payment-error?token=xyz", "xyz"],
    ];
    for (const [path, name] of named) {
      expect(viewOf(await show(path)), path).toEqual({ at: "named", name });
    }
  });

  test("that names no payment says so", async () => {
    for (const path of [
      "/PaymentStatus",
      "/PaymentStatusFedapay",
      "/payment-success?order=nonsense",
      "/MonerooPaymentStatus?payment_id=%3Cb%3E",
      "/commande/x",
      `/PaymentStatus?paymentId=${"a".repeat(65)}`,
      "/PaymentStatus?paymentId=a&paymentId=b",
    ]) {
      const shown = await show(path);
      expect(viewOf(shown), path).toEqual({ at: "named", name: null });
      expect(shown.status, path).toBe(404);
    }
  });

  test("of a seller's purchase is the sellers' shell", async () => {
    for (const path of [
      "/PaymentSelector",
      "/IndexPaiement?id=fedapay&key=sk_live_1",
      "/IndexPaiementAbonnement?id=moneroo",
      "/PaymentStatus?paymentId=12&app=vendeur",
    ]) {
      const shown = await show(path);
      expect(shown.text, path).toContain("shell");
      expect(shown.text).not.toContain("sk_live_1");
    }
  });
});

describe("the sellers' shell", () => {
  const ask = (headers: Record<string, string> = {}) =>
    app.call<string>("GET", "/IndexEspace", { headers: { accept: "text/html", ...headers } });

  test("allows the styles it holds by their hash, and no others", async () => {
    const { headers } = await ask();
    const hash = createHash("sha256").update("p{color:red}").digest("base64");
    expect(headers.get("content-security-policy")).toContain(`style-src 'self' 'sha256-${hash}';`);
  });

  test("travels again once it has changed, and not before", async () => {
    const first = await ask();
    const tag = first.headers.get("etag") ?? "";
    expect(first.status).toBe(200);
    const again = await ask({ "if-none-match": tag });
    expect(again.status).toBe(304);
    for (const name of ["etag", "content-security-policy", "x-sesame-page"]) {
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect((await ask({ "if-none-match": 'W/"of-the-release-before"' })).status).toBe(200);
  });
});

describe("the page of a payment made in a widget", () => {
  const secretOf = () => new URL(order.payment_url).pathname.split("/").at(-1) ?? "";

  test("stands at the address the order gives, and runs the maker's script alone", async () => {
    expect(order.opens).toBe("widget");
    const shown = await show(new URL(order.payment_url).pathname);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("Cercle &lt;b&gt;du&lt;/b&gt; matin");
    expect(shown.text).toContain(`href="/paiement/retour/${secretOf()}"`);
    const [, json = "{}"] = /id="sesame-payment">([\s\S]*?)<\/script>/.exec(shown.text) ?? [];
    const written = JSON.parse(json) as { scriptUrl: string; reference: string };
    expect(written).toMatchObject({ kind: "fedapay", amount: product.price, reference: order.id });
    expect(json).not.toContain(secretOf());
    expect(shown.policy).toContain(`script-src 'self' ${new URL(written.scriptUrl).origin};`);
    expect(shown.policy).not.toContain("unsafe");
    // The app itself runs nobody's script but its own.
    expect((await show("/mes-acces")).policy).not.toContain(new URL(written.scriptUrl).origin);
  });

  test("stays in no cache: it holds the payer's name, e-mail and phone", async () => {
    const page = await app.call("GET", new URL(order.payment_url).pathname);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const returned = await app.call("GET", `/commande/${order.id}`);
    expect(returned.headers.get("cache-control")).toBe("no-store");
    const sold = await app.call("GET", `/achat?reference=${product.reference}`);
    expect(sold.headers.get("cache-control")).toBe("no-cache");
  });

  test("is nobody's without its secret", async () => {
    for (const path of ["/paiement/page/nonsense", `/paiement/page/${secretOf()}x`]) {
      const shown = await show(path);
      expect(shown.status).toBe(404);
      expect(shown.text).not.toContain("sesame-payment");
    }
    const gone = (await show("/paiement/page")).text;
    expect(gone).not.toContain("sesame-payment");
    expect(gone, "a way back").toContain('href="/mes-acces"');
  });
});
