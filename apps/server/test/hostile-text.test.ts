import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DurationOnWire } from "@sesame/contract/catalogue";
import { describe, expect, test } from "vitest";
import { loadSite } from "../src/pages/site.ts";
import { startTestApp } from "./harness.ts";
import { forEach, HOSTILE_TEXTS } from "./hostile.ts";
import type { TestPerson } from "./http.ts";
import { picture } from "./pictures.ts";
import { orderProduct, paymentIdOf, publishProduct } from "./sales.ts";

const BUILT = fileURLToPath(new URL("../../web/dist", import.meta.url));
const isBuilt = ["server/entry-server.js", "client/.vite/manifest.json"].every((file) =>
  existsSync(`${BUILT}/${file}`),
);

/** Texts that are allowed as a title or a name. */
const TEXTS = HOSTILE_TEXTS.filter((text) => text.length <= 100);

const SMALL = { width: 40, height: 30 };

const app = await startTestApp(isBuilt ? { site: await loadSite(BUILT) } : {});
const durations = await app.call<DurationOnWire[]>("GET", "/api/config/subscription_durations");
const durationId = durations.body[0]?.id ?? "";
const seller = await app.signInSeller();
const group = await app.linkGroup(seller);

describe("hostile text in a person's name", () => {
  test.each(TEXTS)("signs in and comes back unchanged: %j", async (text) => {
    const person = await app.person({ first_name: text, last_name: text });
    const signedIn = await app.signInSeller(person);
    expect(signedIn.user.nom).toBe(`${text} ${text}`);
    const buyer = await app.signInBuyer(person);
    expect(buyer.user).toMatchObject({ first_name: text, last_name: text });
  });

  test("with NUL or half a surrogate pair never causes an error of ours", async () => {
    for (const text of ["a\0b", "\ud83d", "\0"]) {
      const someone = await app.person();
      const raw = app.initData({ ...someone, first_name: text });
      const headers = { "x-telegram-init-data": raw };
      const answer = await app.call("POST", "/api/auth/vendeur", { headers });
      expect([200, 400, 401]).toContain(answer.status);
    }
  });

  test("is accepted as a display name too", async () => {
    for (const text of TEXTS.filter((each) => each.length <= 64 && each.trim() === each)) {
      const chosen = { id: seller.id, display_name: text };
      const { user } = await app.done("PUT /api/users/:id", seller, chosen);
      expect(user).toMatchObject({ display_name: text });
    }
  });
});

describe("hostile text in a product", () => {
  test.each(TEXTS)("is stored as typed: %j", async (text) => {
    const words = { title: `x${text}x`, description: text };
    const product = await publishProduct(app, { seller, group }, words);
    expect(product.title).toBe(words.title);
    const page = await app.call("GET", `/api/public/products/${product.reference}`);
    expect(page.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.body).toMatchObject({ title: words.title });
  });

  test("with NUL is refused, or accepted without it", async () => {
    for (const field of ["title", "description", "category", "group_id", "duration", "stock"]) {
      const form = { title: "T", price: "500", duration: durationId, group_id: group.id };
      const answer = await app.call<Record<string, unknown>>("POST", "/api/products", {
        token: seller.token,
        form: { ...form, description: "", [field]: "a\0b", image: await picture(SMALL) },
      });
      expect([201, 400, 404, 422], `${field} → ${answer.status}`).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toContain("\\u0000");
    }
  });
});

/** A person with that name, who starts both bots. */
async function person(firstName: string): Promise<TestPerson> {
  const who = await app.person({ first_name: firstName });
  for (const bot of ["seller", "buyer"] as const) {
    app.write(who.id, bot, "/start");
  }
  return who;
}

test("hostile text in the bots' messages arrives as text, and no message is broken", async () => {
  const texts = TEXTS.filter((each) => each.trim() === each);
  const pairs = await forEach(texts, async (text) => ({
    text,
    shop: await person(text),
    buyer: await person(text),
  }));
  await app.drain();
  for (const { text, shop, buyer } of pairs) {
    const owner = await app.signInSeller(shop);
    const club = await app.linkGroup(owner, { title: text });
    const words = { title: text, description: text };
    const { reference } = await publishProduct(app, { seller: owner, group: club }, words);
    const order = await orderProduct(app, await app.signInBuyer(buyer), reference);
    app.emulators.collectors.moneroo.settle(paymentIdOf(order.payment_url), "success");
  }
  await app.drain();
  for (const { text, shop, buyer } of pairs) {
    const said = [...app.messagesTo(buyer.id, "buyer"), ...app.messagesTo(shop.id, "seller")];
    // Both greetings, the receipt, the sale: the last two contain titles and names.
    const theirs = said.filter((message) => message.text.includes(text));
    expect(theirs.length, text).toBeGreaterThan(1);
  }
  expect(app.takeErrors()).toEqual([]);
});

const INLINE = /<(script|style)((?:\s[^>]*)?)>([\s\S]*?)<\/\1>/g;

/** Names of elements and of their attributes, which text must never change. */
function skeletonOf(html: string): Set<string> {
  const elements = html
    .replaceAll(INLINE, "<$1$2>")
    .matchAll(/<(\/?[a-z][^\s>/]*)((?:"[^"]*"|[^">])*)>/gi);
  return new Set(
    [...elements].map(([, name = "", attributes = ""]) =>
      [name, ...attributes.replaceAll(/="[^"]*"/g, "").split(/\s+/)].join(" "),
    ),
  );
}

/** What would run a stranger's script or style; short, since pages are long. */
function weaknessesOf({ html, policy }: Page): string[] {
  const weaknesses: string[] = [];
  if (/unsafe-|script-src[^;]*(\*|https?:|data:)/.test(policy)) weaknesses.push("loose policy");
  for (const due of ["script-src 'self'", "object-src 'none'", "base-uri 'none'"]) {
    if (!policy.includes(due)) weaknesses.push(`no ${due}`);
  }
  // Inline parts are allowed by hashes only.
  for (const [, name = "", attributes = "", text = ""] of html.matchAll(INLINE)) {
    if (/\ssrc=|type="application\/json"/.test(attributes)) continue;
    const hash = createHash("sha256").update(text).digest("base64");
    if (!policy.includes(`'sha256-${hash}'`)) weaknesses.push(`a ${name} without its hash`);
  }
  const elements = html.replaceAll(INLINE, "<$1$2>").match(/<[a-z](?:"[^"]*"|[^">])*>/gi) ?? [];
  for (const element of elements) {
    const names = element.replaceAll(/="[^"]*"/g, "=");
    if (/\s(style|on[a-z]+)=/i.test(names)) weaknesses.push(element.slice(0, 80));
    if (/^<(script|link|img|iframe)\b.*\s(src|href)="(https?:)?\/\//.test(element)) {
      weaknesses.push(element.slice(0, 80));
    }
  }
  return weaknesses;
}

type Page = { readonly html: string; readonly policy: string };

async function openPage(path: string): Promise<Page> {
  const answer = await app.call<string>("GET", path, { headers: { accept: "text/html" } });
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return { html: answer.body, policy: answer.headers.get("content-security-policy") ?? "" };
}

describe.skipIf(!isBuilt)(
  "hostile text on the pages (skipped while the web app is not built)",
  () => {
    const productPath = (reference: string) =>
      `/?tgWebAppStartParam=${encodeURIComponent(reference)}`;

    test("changes no element, runs nothing, and is what the browser hydrates", async () => {
      const ordinary = { title: "Recettes", description: "Chaque jour" };
      const plain = await publishProduct(app, { seller, group }, ordinary);
      const skeleton = skeletonOf((await openPage(productPath(plain.reference))).html);
      for (const text of TEXTS) {
        const words = { title: `x${text}x`, description: `x${text.replaceAll("\u2028", "")}x` };
        const product = await publishProduct(app, { seller, group }, words);
        const page = await openPage(productPath(product.reference));
        expect(weaknessesOf(page)).toEqual([]);
        expect(skeletonOf(page.html)).toEqual(skeleton);
        const [, json = "{}"] = /id="sesame-page">([\s\S]*?)<\/script>/.exec(page.html) ?? [];
        expect(JSON.parse(json)).toMatchObject({ view: { product: { title: words.title } } });
      }
    });

    test("in an address is not repeated anywhere", async () => {
      for (const text of [...TEXTS, "\0", "1/2"]) {
        const raw = encodeURIComponent(text.toWellFormed());
        for (const path of [
          productPath(text),
          `/achats?idVendeur=${raw}&idProduit=${raw}`,
          `/payment-success?order=${raw}`,
          `/commande/${raw}`,
          `/paiement/retour/${raw}`,
          `/paiement/page/${raw}`,
          `/PaymentStatus?paymentId=${raw}`,
          `/PaymentSelector?reference=${raw}`,
          `/${raw}`,
          `/?x=${raw}`,
        ]) {
          const answer = await app.call<unknown>("GET", path, { headers: { accept: "text/html" } });
          expect(answer.status, path).toBeLessThan(500);
          const policy = answer.headers.get("content-security-policy") ?? "";
          if (typeof answer.body !== "string") continue;
          expect(weaknessesOf({ html: answer.body, policy })).toEqual([]);
          if (/[<>"]/.test(text)) expect(answer.body.includes(text)).toBe(false);
        }
      }
      expect(app.takeErrors()).toEqual([]);
    });

    test("allows only Telegram's and our pages to frame it", async () => {
      for (const path of ["/", "/IndexEspace", "/mes-acces", "/docs"]) {
        const page = await openPage(path);
        expect(weaknessesOf(page), path).toEqual([]);
        expect(page.policy).toContain("frame-ancestors 'self' https://web.telegram.org");
      }
    });
  },
);
