import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startTestApp } from "../../test/harness.ts";
import { openShelf } from "../../test/sales.ts";
import { showPage, stubSite, viewOf } from "../../test/stub-site.ts";
import type { WidgetPayment } from "../features/checkout/index.ts";
import { HOSTILE_TEXTS } from "../../test/hostile.ts";
import { widgetPolicy } from "../http/content-security-policy.ts";
import { widgetHtml } from "./html.ts";

const site = await stubSite();
const app = await startTestApp({ site });
const seller = await app.signInSeller();
const { product } = await openShelf(app, seller, { title: "Cercle <b>du</b> matin" });
const buyer = await app.signInBuyer();
const asked = { reference: product.reference, provider: "fedapay" };
const order = await app.done("POST /api/orders", buyer, asked);

const show = (path: string) => showPage(app, path);
const view = async (path: string) => viewOf(await show(path));

describe("an address of the specification", () => {
  test("of a product shows it, by its seller and id or by its reference", async () => {
    const byIds = `idVendeur=${seller.id}&idProduit=${product.id}`;
    const named = `reference=${product.reference}`;
    for (const path of ["/achat", "/achats", "/paiement", "/checkout", "/achats/ancien/lien"]) {
      for (const query of [byIds, named, `${byIds}&key=sk_live_1`]) {
        const shown = await show(`${path}?${query}`);
        expect(viewOf(shown), path).toMatchObject({ at: "product", product: { id: product.id } });
        expect(shown.text).not.toContain("sk_live_1");
      }
      expect((await show(path)).status).toBe(404);
      expect(await view(`${path}?idVendeur=x&idProduit=1`)).toEqual({ at: "missing" });
    }
    // Only an order reports the result of a payment: without one the page is the product's.
    for (const path of ["/payment-success", "/payment-error", "/payment-success/merci"]) {
      const sold = { at: "product", product: { id: product.id } };
      expect(await view(`${path}?${byIds}&status=success`), path).toMatchObject(sold);
      expect(await view(`${path}?idVendeur=x&idProduit=1`)).toEqual({ at: "missing" });
      const ordered = { at: "order", orderId: "12" };
      expect(await view(`${path}?${byIds}&order=12`), path).toEqual(ordered);
    }
    for (const query of [byIds, named]) {
      const paying = { at: "product", paying: true, product: { id: product.id } };
      expect(await view(`/PaymentSelector?${query}`)).toMatchObject(paying);
    }
  });

  test("of an order is the one status page, whatever the address states about the payment", async () => {
    const ours = { at: "order", orderId: "12" };
    for (const path of ["/commande/12", "/IndexPaiement?order=12", "/payment-error?order=12"]) {
      expect(await view(path), path).toEqual(ours);
    }
    const named = {
      "/PaymentStatus?paymentId=py_1": "py_1",
      "/MonerooPaymentStatus?payment_id=py_1&status=failed": "py_1",
      "/PaymentStatusFedapay?id=77&status=approved": "77",
      "/PaymentStatusFedapayFalse?id=77": "77",
      "/payment-success?transaction_id=Abc-1": "Abc-1",
      "/payment-error?token=xyz": "xyz",
    };
    for (const [path, name] of Object.entries(named)) {
      expect(await view(path), path).toEqual({ at: "named", name });
    }
  });

  test("without a payment says so", async () => {
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

  test("allows its own styles by their hash, and no others", async () => {
    const { headers } = await ask();
    const hash = createHash("sha256").update("p{color:red}").digest("base64");
    expect(headers.get("content-security-policy")).toContain(`style-src 'self' 'sha256-${hash}';`);
  });

  test("is sent again only after a change", async () => {
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
  const address = new URL(order.payment_url).pathname;
  const secret = address.split("/").at(-1) ?? "";

  test("is at the address of the order, and runs the maker's script alone", async () => {
    expect(order.opens).toBe("widget");
    const shown = await show(address);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("Cercle &lt;b&gt;du&lt;/b&gt; matin");
    expect(shown.text).toContain(`href="/paiement/retour/${secret}"`);
    const given = writtenIn(shown.text);
    expect(given).toMatchObject({ kind: "fedapay", amount: product.price, reference: order.id });
    expect(JSON.stringify(given)).not.toContain(secret);
    const maker = new URL(given.scriptUrl).origin;
    expect(shown.policy).toContain(`script-src 'self' ${maker};`);
    expect(shown.policy).not.toContain("unsafe");
    // The app itself runs only its own scripts.
    expect((await show("/mes-acces")).policy).not.toContain(maker);
  });

  test("is in no cache: it contains the payer's name, e-mail and phone", async () => {
    const cached = async (path: string) =>
      (await app.call("GET", path)).headers.get("cache-control");
    expect(await cached(address)).toBe("no-store");
    expect(await cached(`/commande/${order.id}`)).toBe("no-store");
    expect(await cached(`/achat?reference=${product.reference}`)).toBe("no-cache");
  });

  test("is absent without its secret", async () => {
    for (const path of ["/paiement/page/nonsense", `/paiement/page/${secret}x`]) {
      const shown = await show(path);
      expect(shown.status).toBe(404);
      expect(shown.text).not.toContain("sesame-payment");
    }
    const gone = (await show("/paiement/page")).text;
    expect(gone).not.toContain("sesame-payment");
    expect(gone, "a way back").toContain('href="/mes-acces"');
  });
});

const PAYMENT: WidgetPayment = {
  kind: "fedapay",
  scriptUrl: "https://cdn.fedapay.com/checkout.js?v=1.1.7",
  publicKey: "pk_live_1",
  sandbox: false,
  amount: 25_000,
  reference: "12-2",
  transactionId: "9",
  customer: { email: "k@example.com", firstName: "Koffi", lastName: "Koffi", phone: null },
  hostedUrl: "https://process.fedapay.com/abc",
  title: "Cercle du matin",
  open: true,
};

/** What the script of the page is given. */
function writtenIn(html: string): WidgetPayment {
  const [, json = "null"] = /id="sesame-payment">([\s\S]*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(json);
}

const pageOf = (payment: WidgetPayment) =>
  widgetHtml({ ...site, widgetCss: "main{color:red}" }, payment, "/paiement/retour/secret");

const directive = (policy: string, name: string): string =>
  policy.split("; ").find((part) => part.startsWith(`${name} `)) ?? "";

describe("a payment's own page", () => {
  test("shows the amount and other ways to pay, and gives its script what the widget needs", () => {
    const html = pageOf(PAYMENT);
    expect(html).toContain("<h1>Cercle du matin</h1>");
    expect(html).toMatch(/25.000.FCFA/);
    expect(html).toContain('href="https://process.fedapay.com/abc"');
    expect(html).toContain('href="/paiement/retour/secret"');
    const { hostedUrl: _hosted, open: _open, ...needed } = PAYMENT;
    expect(writtenIn(html)).toEqual(needed);
  });

  test("runs only our and the widget maker's scripts, and none inline", () => {
    const frame = { publicUrl: "https://app.example", telegramWebOrigins: [] };
    const inlines = { scripts: [], styles: ["main{color:red}"] };
    const policy = widgetPolicy(frame, inlines, PAYMENT.scriptUrl);
    const maker = "https://cdn.fedapay.com https://*.fedapay.com";
    expect(directive(policy, "script-src")).toBe(`script-src 'self' ${maker}`);
    expect(directive(policy, "frame-src")).toBe(`frame-src ${maker}`);
    expect(directive(policy, "connect-src")).toBe(`connect-src 'self' ${maker}`);
    expect(policy).not.toContain("unsafe");
    expect(directive(policy, "base-uri")).toBe("base-uri 'none'");
    // A host of one machine has no other names to allow.
    const near = widgetPolicy(frame, inlines, "http://127.0.0.1:3001/kkiapay/k.js");
    expect(directive(near, "script-src")).toBe("script-src 'self' http://127.0.0.1:3001");
    expect(near).not.toContain("*.0.0.1");
  });

  test.each(HOSTILE_TEXTS)("is not broken by %j", (text) => {
    const tags = (html: string) => html.match(/<[a-z/!][^>]*>/gi)?.map((tag) => tag.slice(0, 9));
    const customer = { email: text, firstName: text, lastName: text, phone: text };
    const hostile = { ...PAYMENT, title: text, customer, reference: text, publicKey: text };
    const html = pageOf(hostile);
    expect(tags(html)).toEqual(tags(pageOf(PAYMENT)));
    expect(writtenIn(html)).toMatchObject({ title: text, customer });
  });

  test("links to a page of the provider's only by http", () => {
    for (const hostedUrl of ["javascript:alert(1)", "data:text/html,x", null]) {
      const html = pageOf({ ...PAYMENT, hostedUrl });
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(html).not.toContain("javascript:");
    }
  });
});
