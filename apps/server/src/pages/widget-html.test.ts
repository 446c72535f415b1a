import type { WidgetPayment } from "../features/checkout/index.ts";
import { describe, expect, test } from "vitest";
import { HOSTILE_TEXTS } from "../../test/hostile.ts";
import { widgetPolicy } from "../http/content-security-policy.ts";
import type { Site } from "./site.ts";
import { widgetHtml } from "./html.ts";

const SITE: Site = {
  shell: "",
  shellScripts: [],
  shellStyles: [],
  buyerEntry: "/assets/buyer.js",
  buyerPreload: [],
  buyerCss: "",
  bootScript: "",
  widgetEntry: "/assets/widget.js",
  widgetPreload: [],
  widgetCss: "main{color:red}",
  renderBuyerPage: () => "",
  assetsFolder: "",
};

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

function written(html: string): unknown {
  const [, json = "null"] = /id="sesame-payment">([\s\S]*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(json);
}

function directive(policy: string, name: string): string {
  return policy.split("; ").find((part) => part.startsWith(`${name} `)) ?? "";
}

describe("a payment's own page", () => {
  test("says what is paid and how else, and gives its script what the widget needs", () => {
    const html = widgetHtml(SITE, PAYMENT, "/paiement/retour/secret");
    expect(html).toContain("<h1>Cercle du matin</h1>");
    expect(html).toMatch(/25.000.FCFA/);
    expect(html).toContain('href="https://process.fedapay.com/abc"');
    expect(html).toContain('href="/paiement/retour/secret"');
    const { hostedUrl: _hosted, open: _open, ...needed } = PAYMENT;
    expect(written(html)).toEqual(needed);
  });

  test("runs nobody's script but ours and the widget's maker's, and inlines none", () => {
    const frame = { publicUrl: "https://app.example", frameAncestors: [] };
    const inlines = { scripts: [], styles: [SITE.widgetCss] };
    const policy = widgetPolicy(frame, inlines, PAYMENT.scriptUrl);
    const maker = "https://cdn.fedapay.com https://*.fedapay.com";
    expect(directive(policy, "script-src")).toBe(`script-src 'self' ${maker}`);
    expect(directive(policy, "frame-src")).toBe(`frame-src ${maker}`);
    expect(directive(policy, "connect-src")).toBe(`connect-src 'self' ${maker}`);
    expect(policy).not.toContain("unsafe");
    expect(directive(policy, "base-uri")).toBe("base-uri 'none'");
    // One name of one machine has no siblings to allow.
    const near = widgetPolicy(frame, inlines, "http://127.0.0.1:3001/kkiapay/k.js");
    expect(directive(near, "script-src")).toBe("script-src 'self' http://127.0.0.1:3001");
    expect(near).not.toContain("*.0.0.1");
  });

  test.each(HOSTILE_TEXTS)("is not broken by %j", (text) => {
    const tags = (html: string) => html.match(/<[a-z/!][^>]*>/gi)?.map((tag) => tag.slice(0, 9));
    const customer = { email: text, firstName: text, lastName: text, phone: text };
    const hostile = { ...PAYMENT, title: text, customer, reference: text, publicKey: text };
    const html = widgetHtml(SITE, hostile, "/paiement/retour/secret");
    expect(tags(html)).toEqual(tags(widgetHtml(SITE, PAYMENT, "/paiement/retour/secret")));
    expect(written(html)).toMatchObject({ title: text, customer });
  });

  test("links to a page of the provider's only by http", () => {
    for (const hostedUrl of ["javascript:alert(1)", "data:text/html,x", null]) {
      const html = widgetHtml(SITE, { ...PAYMENT, hostedUrl }, "/x");
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(html).not.toContain("javascript:");
    }
  });
});
