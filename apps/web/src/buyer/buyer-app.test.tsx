import { ofTexts, type PublicProductOnWire } from "@sesame/contract/catalogue";
import { PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  exampleAccess,
  exampleComplaint,
  exampleOrder,
  exampleRefund,
} from "../testing/payment-examples.ts";
import { telegramSays } from "../testing/seller-app.ts";
import { type Answer, type Asked, answerCalls, ok, good } from "../testing/web-server.ts";
import { BuyerApp } from "./app.tsx";
import { renderBuyerPage } from "./entry-server.tsx";
import type { BuyerPage, BuyerView } from "./page.ts";
import { ShopView } from "../features/checkout/shop-page.tsx";

const { moneroo, fedapay } = PAYMENT_PROVIDERS;

const PRODUCT: PublicProductOnWire = {
  id: "7",
  kind: "access",
  suggestions: [],
  reference: "abcdef",
  title: "Cercle du matin",
  price: 5_000,
  ...ofTexts(() => ""),
  image_url: null,
  picture: null,
  duration: 43_200,
  duration_label: "30 jours",
  seller: { id: "1", name: "Aminata" },
  group: { name: "Cercle", type: "groupe", members: null },
  status: "active",
  places_left: null,
  share_link: "https://t.me/sesame?startapp=abcdef",
  providers: ["moneroo", "fedapay"],
};

const ORDER = exampleOrder({
  kind: "product",
  may_complain: ["paid-not-confirmed"],
  title: PRODUCT.title,
  seller: PRODUCT.seller,
  reference: PRODUCT.reference,
  payment_url: "https://pay.example/1",
});

/** The reader's number, by his token. */
const ME = "4242";

/** What the outside sees of an opened address. */
const opened: string[] = [];

beforeEach(() => {
  const user = encodeURIComponent(JSON.stringify({ id: 42 }));
  location.hash = `#tgWebAppVersion=8.0&tgWebAppData=${encodeURIComponent(`user=${user}`)}`;
  vi.stubGlobal("TelegramWebviewProxy", {
    postEvent: (type: string, payload: string) => opened.push(`${type} ${payload}`),
  });
  opened.length = 0;
});

/** The page, with a server that answers by `method path`. */
function open(
  view: BuyerView,
  answers: Record<string, (asked: Asked) => Answer>,
  tapped?: true | string,
): Asked[] {
  const log = answerCalls((asked) => {
    if (asked.path === "/api/auth/acheteur") return ok({ token: "t0k", user: { id: ME } });
    const answer = answers[`${asked.method} ${asked.path.split("?")[0]}`];
    return answer ? answer(asked) : ok({});
  });
  const page: BuyerPage = {
    view,
    botUsername: "sesame",
    botAppName: null,
    providers: [moneroo, fedapay],
  };
  render(<BuyerApp page={page} tapped={tapped} own={{ ShopView }} />);
  return log;
}

const openProduct = (...served: [answers: Parameters<typeof open>[1], tapped?: true | string]) =>
  open({ at: "product", product: PRODUCT }, ...served);
/** The page of an order; the server has it as it was made, unless `answers` say otherwise. */
const openOrder = (answers: Parameters<typeof open>[1] = {}) =>
  open({ at: "order", orderId: "12" }, { "GET /api/orders/12": () => ok(ORDER), ...answers });

const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole("button", { name }));
/** On the sheet of a payment. */
const payBy = async (name: RegExp) => {
  fireEvent.click(await screen.findByRole("radio", { name }));
  await press(/^Payer/);
};
const sentTo = (log: readonly Asked[], path: string) => log.filter((asked) => asked.path === path);

test("a product shows what is bought, and its button leads to the choice of a payment", async () => {
  const source = { width: 360, height: 225, avif: "/images/7/360.avif", jpeg: "/images/7/360.jpg" };
  const picture = { width: 1280, height: 800, sources: [source] };
  const product = { ...PRODUCT, description: "Les analyses.", image_url: source.jpeg, picture };
  open({ at: "product", product }, {});
  screen.getByRole("heading", { level: 1, name: "Cercle du matin" });
  expect(document.querySelector("picture img")?.getAttribute("src")).toBe("/images/7/360.jpg");
  screen.getByText(/^5\s000\sFCFA$/);
  screen.getByText("Les analyses.");
  await press("Acheter ce produit");
  screen.getByRole("dialog", { name: "Choisissez votre paiement" });
});

test("an open page follows Telegram from light to dark, and back", async () => {
  await vi.importActual("../telegram/before-paint.js");
  openProduct({});
  await waitFor(() => expect("Telegram" in window).toBe(true));
  for (const [ground, scheme] of [
    ["#17212b", "dark"],
    ["#ffffff", "light"],
  ]) {
    telegramSays("theme_changed", { theme_params: { bg_color: ground } });
    expect(document.documentElement.dataset["scheme"]).toBe(scheme);
  }
  // What is no theme changes nothing.
  telegramSays("theme_changed");
  expect(document.documentElement.dataset["scheme"]).toBe("light");
});

/** The provider that the sheet of a payment names last: one that was tried for the order. */
const lastWay = () => screen.getAllByRole("radio", { hidden: true }).at(-1)?.getAttribute("value");

test("a product without a place left says so, and lets who holds one prolong", async () => {
  open({ at: "product", product: { ...PRODUCT, places_left: 0 } }, {});
  screen.getByText("Complet : toutes les places sont prises.");
  expect(screen.queryByRole("button", { name: "Acheter ce produit" })).toBeNull();
  await press("Prolonger mon accès");
  screen.getByRole("dialog", { name: "Choisissez votre paiement" });
});

test("who opens the link of his own product reads that it is his, and is offered no payment", async () => {
  const own = { ...PRODUCT, seller: { ...PRODUCT.seller, id: ME } };
  open({ at: "product", product: own }, {});
  await screen.findByText("C'est votre produit : vos acheteurs voient cette page.");
  expect(screen.queryByRole("button", { name: "Acheter ce produit" })).toBeNull();
});

test.each([
  ["tapped before the page was alive", { paying: false, tapped: true as const }],
  ["opened by a link to its payment", { paying: true, tapped: undefined }],
])("a product %s asks for a payment once, not again on the way back", async (_, how) => {
  const answers = {
    "POST /api/orders": () => ({ status: 201, body: ORDER }),
    "GET /api/orders/12": () => ok(ORDER),
  };
  open({ at: "product", product: PRODUCT, paying: how.paying }, answers, how.tapped);
  await payBy(/Moneroo/);
  await screen.findByRole("heading", { name: "Paiement en attente" });
  expect(location.pathname, "loading the page anew shows the order").toBe("/commande/12");
  await waitFor(() => expect(opened).toContain('web_app_setup_back_button {"is_visible":true}'));
  const back = () => telegramSays("back_button_pressed");
  // An open sheet is closed first.
  await press("J'ai payé, mais rien ne vient");
  await screen.findByRole("dialog");
  back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  screen.getByRole("heading", { name: "Paiement en attente" });
  back();
  await screen.findByRole("button", { name: "Acheter ce produit" });
  expect(location.pathname).toBe("/");
  expect(screen.queryByRole("dialog")).toBeNull();
});

describe("a payment that cannot be opened", () => {
  test("leaves its order to another way, and is said in the server's words", async () => {
    const refused = { code: "x", message: "Moneroo est injoignable.", order_id: "12" };
    const opening = { ...ORDER, payment_url: "https://feda.example/9", opens: "widget" };
    const log = openProduct({
      "GET /api/payment-providers": () => "silence",
      "POST /api/orders": () => ({ status: 503, body: { success: false, ...refused } }),
      "POST /api/orders/12/payment": () => ({ status: 201, body: opening }),
      "GET /api/orders/12": () => ok(ORDER),
    });
    await press("Acheter ce produit");
    await payBy(/Moneroo/);
    expect((await screen.findByText(/Moneroo est injoignable/)).textContent).toContain(
      "Votre commande est gardée",
    );
    expect(lastWay()).toBe("moneroo");
    await payBy(/FedaPay/);
    await screen.findByRole("heading", { name: "Paiement en attente" });
    expect(sentTo(log, "/api/orders")).toHaveLength(1);
    expect(sentTo(log, "/api/orders/12/payment").map(({ body }) => body)).toEqual([
      { provider: "fedapay" },
    ]);
    await waitFor(() =>
      expect(opened).toContain('web_app_open_link {"url":"https://feda.example/9"}'),
    );
  });

  test.each([
    ["for want of a page, puts its provider last", "moneroo", 201, { ...ORDER, payment_url: "" }],
    // The provider was not asked.
    ["after too many attempts, moves no provider", "fedapay", 429, { order_id: "12" }],
  ])("%s", async (_, last, status, body) => {
    openProduct({ "POST /api/orders": () => ({ status, body }) });
    await press("Acheter ce produit");
    await payBy(/Moneroo/);
    await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
    expect(lastWay()).toBe(last);
  });

  test("tapped again after a lost answer, is the same intention", async () => {
    let answers = 0;
    const log = openProduct({
      "POST /api/orders": () => (++answers === 1 ? "silence" : { status: 201, body: ORDER }),
      "GET /api/orders/12": () => ok(ORDER),
    });
    await press("Acheter ce produit");
    await payBy(/Moneroo/);
    await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
    await press(/^Payer/);
    await screen.findByRole("heading", { name: "Paiement en attente" });
    const keys = sentTo(log, "/api/orders").map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    // Opened later, it would be found by the next test.
    await waitFor(() => expect(opened.join()).toContain("https://pay.example/1"));
  });
});

describe("an order's page", () => {
  test.each([
    [true, /le bot vous écrira/],
    [false, /votre commande vous attend dans Telegram/],
  ])("promises a message only when the bot may write: %s", async (bot_can_write, words) => {
    openOrder({ "GET /api/orders/12": () => ok({ ...ORDER, bot_can_write }) });
    await screen.findByText(words);
  });

  test("says that nobody answers, and is there when somebody does", async () => {
    let away = true;
    openOrder({ "GET /api/orders/12": () => (away ? "silence" : ok(ORDER)) });
    await screen.findByRole("heading", { name: "Erreur lors de la vérification du paiement" });
    screen.getByText("Impossible de vérifier le paiement. Veuillez réessayer.");
    away = false;
    await press("Réessayer");
    await screen.findByRole("heading", { name: "Paiement en attente" });
  });

  test("is found by the provider's name for its payment", async () => {
    const log = open({ at: "named", name: "py_77" }, { "POST /api/transactions": () => ok(ORDER) });
    await screen.findByRole("heading", { name: "Paiement en attente" });
    expect(sentTo(log, "/api/transactions")[0]?.body).toEqual({ paymentId: "py_77" });
  });

  test("says that its address names no payment", async () => {
    open({ at: "named", name: null }, {});
    await screen.findByRole("heading", { name: "ID de paiement manquant" });
  });

  test("another way is opened on the same order, and both ways are shown", async () => {
    const log = openOrder({
      "POST /api/orders/12/payment": () => ({ status: 201, body: ORDER }),
    });
    await press("Changer de moyen de paiement");
    expect(screen.getByRole("dialog").textContent).toContain(
      "Si vous avez déjà payé, ne payez pas",
    );
    expect(lastWay()).toBe("moneroo");
    await payBy(/FedaPay/);
    await waitFor(() => expect(sentTo(log, "/api/orders/12/payment")).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await press("Rouvrir la page de paiement");
    await waitFor(() =>
      expect(opened.filter((line) => line.includes("https://pay.example/1"))).toHaveLength(2),
    );
  });

  test.each([
    [
      "here",
      ORDER.may_complain,
      "Aucun montant n'a été confirmé. Si vous avez été débité, dites-le ici : nous le retrouvons.",
    ],
    ["nowhere", [], "Aucun montant n'a été confirmé."],
  ] as const)("that failed says where to complain: %s", async (_, kinds, said) => {
    const order = { ...ORDER, status: "failed", may_complain: kinds };
    open({ at: "order", orderId: "12" }, { "GET /api/orders/12": () => ok(order) });
    const title = await screen.findByRole("heading", { name: "Paiement non effectué" });
    expect(title.nextSibling?.textContent).toBe(said);
  });

  test("who pays again after a refusal is not warned of a payment that may have been made", async () => {
    openOrder({ "GET /api/orders/12": () => ok({ ...ORDER, status: "failed" }) });
    await press("Payer à nouveau");
    expect(screen.getByRole("dialog").textContent).not.toContain("Si vous avez déjà payé");
  });

  test("takes a complaint in two taps, and shows its record", async () => {
    let complaint: unknown = null;
    const log = openOrder({
      "GET /api/orders/12": () =>
        ok({ ...ORDER, complaint, may_complain: complaint ? [] : ORDER.may_complain }),
      "POST /api/orders/12/complaint": () => {
        complaint = exampleComplaint({
          kind: "paid-not-confirmed",
          status: "operateur",
          seller: null,
          may: { answer: true, contest: false, refund: false, withdraw: true, decide: false },
        });
        return { status: 201, body: { success: true, message: "Envoyée.", complaint } };
      },
    });
    await press("J'ai payé, mais rien ne vient");
    await press("Envoyer la réclamation");
    await screen.findByRole("heading", { name: /Votre réclamation/ });
    screen.getByText("Réclamation ouverte");
    expect(sentTo(log, "/api/orders/12/complaint")[0]?.body).toEqual({
      motif: "paid-not-confirmed",
      message: "",
    });
    expect(screen.queryByRole("button", { name: "J'ai payé, mais rien ne vient" })).toBeNull();
  });

  test("asks where a refund goes, in the server's words when the number is wrong", async () => {
    const refund = exampleRefund({ status: "numero_attendu", rail: "staff" });
    const refunded = { ...ORDER, status: "refunded", refund, may_complain: [] };
    const body = { success: false, code: "x", message: "Ce numéro n'est pas valide." };
    const log = openOrder({
      "GET /api/orders/12": () => ok(refunded),
      "POST /api/orders/12/refund-number": () => ({ status: 422, body }),
    });
    await screen.findByRole("heading", { name: /^Où vous rembourser/ });
    fireEvent.change(await screen.findByLabelText("Opérateur"), { target: { value: "wave-ci" } });
    const number = screen.getByLabelText<HTMLInputElement>("Numéro");
    expect(number.placeholder).toBe("+225 0X XX XX XX XX");
    const other = screen.getByRole("button", { name: "Mes accès" });
    const order = number.compareDocumentPosition(other);
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING, "the form comes first").toBeTruthy();
    fireEvent.change(number, { target: { value: "0701" } });
    await press("Envoyer ce numéro");
    await screen.findByText("Ce numéro n'est pas valide.");
    expect(sentTo(log, "/api/orders/12/refund-number")[0]?.body).toEqual({
      methode: "wave-ci",
      numero: "0701",
    });
    fireEvent.change(number, { target: { value: "+2250701020304" } });
    await press("Envoyer ce numéro");
    const toRead = await screen.findByText(
      "Vérifiez : l'argent ira à Wave CI, +225 07 01 02 03 04.",
    );
    expect(document.activeElement, "a second Enter sends nothing").toBe(toRead);
    fireEvent.change(number, { target: { value: "0701020305" } });
    fireEvent.change(number, { target: { value: "+2250701020304" } });
    expect(screen.queryByText(/^Vérifiez/), "typing keeps the focus").toBeNull();
    await press("Envoyer ce numéro");
    expect(sentTo(log, "/api/orders/12/refund-number")).toHaveLength(1);
    await press("C'est le bon numéro");
    await waitFor(() => expect(sentTo(log, "/api/orders/12/refund-number")).toHaveLength(2));
  });
});

test("an order begun before the app was closed is one tap away from its product", async () => {
  localStorage.setItem("sesame.order.42.abcdef", JSON.stringify({ orderId: "12", at: Date.now() }));
  openProduct({ "GET /api/orders/12": () => ok(ORDER) });
  await press("Suivre ma commande");
  await screen.findByRole("heading", { name: "Paiement en attente" });
});

test("a paid order whose group lost the bot says who must act, and keeps both ways out", async () => {
  const access = {
    status: "waiting" as const,
    expires_at: "2027-02-03T10:00:00.000Z",
    invite_link: "https://t.me/+a",
    entry_paused: true,
    links: [],
  };
  const order = { ...ORDER, status: "paid", access, may_complain: ["no-access"] };
  openOrder({ "GET /api/orders/12": () => ok(order) });
  await screen.findByText(/^Le vendeur doit rendre au bot sa place ou ses droits/);
  screen.getByRole("button", { name: "Rejoindre le groupe" });
  await press(/^Un problème avec cet achat/);
  await screen.findByRole("dialog", { name: "J'ai payé, mais je n'ai pas accès au groupe" });
});

test("« Prolonger » opens the product with the access that it prolongs, and until when", async () => {
  open(
    { at: "accesses" },
    {
      "GET /api/me/access": () =>
        good({ accesses: [exampleAccess({ renew_reference: PRODUCT.reference })] }),
      [`GET /api/public/products/${PRODUCT.reference}`]: () => ok(PRODUCT),
    },
  );
  await press("Prolonger");
  await screen.findByText(
    "Votre accès à Cercle court jusqu'au 3 février 2027. Cet achat le prolonge jusqu'au 5 mars 2027.",
  );
  await press("Prolonger mon accès");
  screen.getByRole("dialog", { name: "Choisissez votre paiement" });
});

describe("a seller's shop", () => {
  const { kind, reference, title, price, image_url, picture, duration_label } = PRODUCT;
  const row = { kind, reference, title, price, image_url, picture, duration_label, places_left: 2 };
  const shop = { seller: { id: "7", name: "Awa" }, products: [row] };

  test("opens a product in place, asked for anew", async () => {
    const log = open(
      { at: "shop", shop },
      { [`GET /api/public/products/${reference}`]: () => ok(PRODUCT) },
    );
    expect(screen.getByText("Plus que 2 places")).toBeTruthy();
    fireEvent.click(screen.getByRole("link", { name: new RegExp(title) }));
    await screen.findByRole("button", { name: "Acheter ce produit" });
    // Then once more with a token: a view of the product is counted.
    const asked = sentTo(log, `/api/public/products/${reference}`);
    expect(asked[0]?.headers.get("authorization")).toBeNull();
  });

  test("a product of it that was tapped before the page was alive opens, and leads back", async () => {
    const answers = { [`GET /api/public/products/${row.reference}`]: () => ok(PRODUCT) };
    open({ at: "shop", shop }, answers, row.reference);
    await screen.findByRole("button", { name: "Acheter ce produit" });
    await waitFor(() => expect(opened).toContain('web_app_setup_back_button {"is_visible":true}'));
    telegramSays("back_button_pressed");
    await screen.findByText("Plus que 2 places");
    expect(screen.queryByRole("button", { name: "Acheter ce produit" })).toBeNull();
  });

  test("leaves its links to a plain browser", () => {
    location.hash = "";
    open({ at: "shop", shop: { ...shop, products: [{ ...row, places_left: 0 }] } }, {});
    expect(screen.getByText("Complet")).toBeTruthy();
    const link = screen.getByRole("link", { name: new RegExp(title) });
    expect(link.getAttribute("href")).toBe(`/achats?reference=${reference}`);
    // Not taken by the page: followed.
    expect(fireEvent.click(link)).toBe(true);
  });

  test("that is not there says so", () => {
    open({ at: "missing-shop" }, {});
    expect(screen.getByRole("heading", { name: "Boutique introuvable" })).toBeTruthy();
  });
});

describe("the page of an order, as the server renders it", () => {
  // The server compresses one rendering for all orders: a number in it would be another order's.
  test.each<[string, BuyerView, BuyerView]>([
    ["by its number", { at: "order", orderId: "12" }, { at: "order", orderId: "987654" }],
    ["by a payment's name", { at: "named", name: "py_a" }, { at: "named", name: "another" }],
  ])("is the same whichever order it is, %s", (_how, ...views) => {
    const page = { botUsername: "sesame_bot", botAppName: null, providers: [] };
    const [one, other] = views.map((view) => renderBuyerPage({ view, ...page }));
    expect(one).toBe(other);
  });
});
