import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { exampleOrder, examplePlans, exampleProvider } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { PaymentForm, PaymentSelector } from "./payment-selector.tsx";
import { PaymentStatus } from "./payment-status.tsx";

const USER = [keys.user, exampleUser()] as const;
const PAGE = "https://pay.example/12";
const open = vi.fn();

beforeEach(() => {
  open.mockClear();
  vi.stubGlobal("open", open);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Server = {
  readonly unknown?: boolean;
  readonly product?: Partial<PublicProductOnWire>;
  readonly providers?: ReturnType<typeof exampleProvider>[];
  pay?(asked: Asked): Answer;
  order?(): Answer;
};

function serve(server: Server = {}): Asked[] {
  const providers = server.providers ?? [
    exampleProvider(),
    exampleProvider({
      id: "cryptopay",
      name: "Crypto",
      fields: { email: "none", phone: "none" },
      quote: { currency: "EUR", amount: "7.62", label: "≈ 7,62 €" },
    }),
    exampleProvider({ id: "fedapay", name: "FedaPay", disturbed: true }),
  ];
  return answerCalls((asked) => {
    if (asked.method === "POST") return server.pay?.(asked) ?? prepared("12");
    if (asked.path.startsWith("/api/payment-providers")) {
      return { status: 200, body: { success: true, providers } };
    }
    if (asked.path.startsWith("/api/public/")) return { status: 200, body: server.product };
    if (asked.path === "/api/plans") return { status: 200, body: examplePlans() };
    if (asked.path.startsWith("/api/orders/")) {
      return server.order?.() ?? { status: 200, body: exampleOrder() };
    }
    if (asked.path.includes("/verify/")) {
      return { status: 200, body: { status: "success", payment: { id: "12", status: "pending" } } };
    }
    if (asked.path.startsWith("/api/users/") && !server.unknown) {
      return { status: 200, body: { success: true, user: exampleUser() } };
    }
    return { status: 200, body: {} };
  });
}

function prepared(id: string): Answer {
  const body = { id, status: "pending", amount: 5_000, currency: "XOF", payment_url: PAGE };
  return { status: 201, body: { ...body, opens: "page" } };
}

function at(address: string): void {
  history.replaceState(null, "", address);
}

const posts = (log: Asked[]) => log.filter(({ method }) => method === "POST");
const payButton = () => screen.findByRole("button", { name: /^Payer/ });

describe("the choice of a payment", () => {
  // @shows B5.method-chosen, B5.veuillez-selectionner-une-methode-de-paiement, B2.selector
  test("lists what is open, with each one's own price and trouble, and asks for one", async () => {
    at("/PaymentSelector");
    serve();
    renderScreen(<PaymentSelector />, { known: [USER] });
    fireEvent.click(await payButton());
    expect(screen.getByText("Veuillez sélectionner une méthode de paiement")).toBeTruthy();
    expect(screen.getByText("≈ 7,62 €")).toBeTruthy();
    expect(screen.getByText("Perturbé")).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/FedaPay/));
    expect(screen.getByText(/un autre moyen est plus sûr/)).toBeTruthy();
  });

  // @shows B4.payment-opened
  test("orders the plan once, opens its page outside and follows the order", async () => {
    at("/PaymentSelector");
    const log = serve();
    renderScreen(<PaymentSelector />, { known: [USER] });
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    const email = { target: { value: "awa@example.com" } };
    fireEvent.change(screen.getByLabelText("E-mail (facultatif)"), email);
    fireEvent.click(await payButton());
    await waitFor(() => expect(location.pathname).toBe("/PaymentStatus"));
    expect(location.search).toBe("?paymentId=12&app=vendeur");
    expect(open).toHaveBeenCalledWith(PAGE, "_blank", "noopener");
    const customer = { email: "awa@example.com" };
    expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
      ["/api/orders", { plan: "payant", provider: "moneroo", customer }],
    ]);
    expect(posts(log)[0]?.headers.get("idempotency-key")).toBeTruthy();
  });

  // @shows B5.configuration-incomplete-pour-moneroo
  test("says a provider's refusal in its words, and goes on with the order that was made", async () => {
    at("/PaymentSelector");
    const refused = { success: false, code: "checkout.provider-keys-refused", order_id: "44" };
    const log = serve({
      pay: ({ path }) =>
        path === "/api/orders"
          ? {
              status: 422,
              body: { ...refused, message: "Configuration incomplète pour Moneroo" },
            }
          : prepared("44"),
    });
    renderScreen(<PaymentSelector />, { known: [USER] });
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    fireEvent.click(await payButton());
    expect(await screen.findByText("Configuration incomplète pour Moneroo")).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/Crypto/));
    expect(screen.queryByLabelText("E-mail (facultatif)")).toBeNull();
    fireEvent.click(await payButton());
    await waitFor(() => expect(location.search).toBe("?paymentId=44&app=vendeur"));
    expect(posts(log).map(({ path }) => path)).toEqual(["/api/orders", "/api/orders/44/payment"]);
  });

  // @shows B8.url-de-paiement-non-fournie-par, B8.erreur-lors-de-la-creation-du
  test.each<[string, Answer]>([
    [
      "URL de paiement non fournie par le service",
      { status: 201, body: { id: "12", payment_url: "" } },
    ],
    ["Erreur lors de la création du paiement", { status: 422, body: { code: "x", message: "" } }],
  ])("of which nothing came says so: %s", async (said, answer) => {
    at("/PaymentSelector");
    serve({ pay: () => answer });
    renderScreen(<PaymentSelector />, { known: [USER] });
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    fireEvent.click(await payButton());
    await screen.findByText(said);
    expect(location.pathname).toBe("/PaymentSelector");
  });

  // @shows decision 45
  test("of a don asks its donor for the amount first, and prices every way by it", async () => {
    at("/PaymentSelector?reference=don1K3pQ");
    const don = { id: "3", kind: "donation", title: "Un café", price: 500 } as const;
    const seller = { id: "9", name: "Awa" };
    const log = serve({ product: { ...don, seller, suggestions: [1_000, 5_000] } });
    renderScreen(<PaymentSelector />, { known: [USER] });
    const field = "Montant de votre don";
    const goOn = () => fireEvent.click(screen.getByRole("button", { name: /^(Donner|Continuer)/ }));
    const give = async (value: string) => {
      fireEvent.change(await screen.findByLabelText(field), { target: { value } });
      goOn();
    };
    for (const wrong of ["", "499", "1000001"]) {
      await give(wrong);
      expect(screen.getByLabelText(field).getAttribute("aria-invalid")).toBe("true");
    }
    fireEvent.click(screen.getByLabelText(/5.000/));
    goOn();
    fireEvent.click(await screen.findByRole("button", { name: "Changer le montant" }));
    await give("1 750");
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    fireEvent.click(screen.getByRole("button", { name: /^Payer 1.750/ }));
    await waitFor(() => expect(location.pathname).toBe("/PaymentStatus"));
    const said = { reference: "don1K3pQ", amount: 1_750, provider: "moneroo" };
    expect(posts(log).map(({ body }) => body)).toEqual([said]);
    const priced = "/api/payment-providers?reference=don1K3pQ&amount=1750";
    expect(log.map(({ path }) => path)).toContain(priced);
  });

  // @shows B8.utilisateur-non-identifie
  test("by nobody we know says so", async () => {
    at("/PaymentSelector");
    serve({ unknown: true });
    renderScreen(<PaymentSelector />);
    await screen.findByText("Utilisateur non identifié");
  });

  // @shows B2.payer-maintenant, B2.payment-form
  test("at the provider the address names has the button of B", async () => {
    at("/IndexPaiement?id=moneroo");
    serve();
    renderScreen(<PaymentForm />, { known: [USER] });
    await screen.findByRole("button", { name: "Payer Maintenant" });
    expect(screen.getAllByRole("textbox")).toEqual([screen.getByLabelText("E-mail (facultatif)")]);
  });

  // @shows B8.no-aggregator, B8.no-stored-token, B8.token-d-authentification-non-disponible
  // @shows B8.aucun-agregateur-de-paiement-n-est
  test("without any provider says so, and without a session pays nothing", async () => {
    at("/PaymentSelector");
    serve({ providers: [] });
    renderScreen(<PaymentSelector />, { known: [USER] });
    expect(
      await screen.findByText(
        "Aucun agrégateur de paiement n'est disponible actuellement. Veuillez contacter le support.",
      ),
    ).toBeTruthy();
    cleanup();
    at("/PaymentSelector");
    const log = serve();
    renderScreen(<PaymentSelector />, {
      offline: true,
      known: [
        USER,
        [["plans"], examplePlans()],
        [[...keys.orders, "providers", { plan: "payant" }] as never, [exampleProvider()]],
      ],
    });
    fireEvent.click(await payButton());
    expect(screen.getByText("Token d'authentification non disponible")).toBeTruthy();
    expect(posts(log)).toEqual([]);
  });

  // @shows B8.methode-de-paiement-*, B2.payment-form-old
  test("the old payment form pays at the provider its address names, and refuses another", async () => {
    at("/IndexPaiement?id=monero&key=sk_live_secret");
    const log = serve();
    renderScreen(<PaymentForm />, { known: [USER] });
    fireEvent.click(await screen.findByRole("button", { name: "Payer Maintenant" }));
    await waitFor(() => expect(location.pathname).toBe("/PaymentStatus"));
    expect(JSON.stringify(posts(log).map(({ body }) => body))).not.toContain("sk_live");
    cleanup();
    for (const [id, words] of [
      ["zzz", "Méthode de paiement non trouvée. Veuillez réessayer."],
      ["kkiapay", "Méthode de paiement non disponible. Veuillez réessayer."],
    ] as const) {
      at(`/IndexPaiementAbonnement?id=${id}`);
      renderScreen(<PaymentForm />, { known: [USER] });
      expect(await screen.findByText(words)).toBeTruthy();
      cleanup();
    }
  });
});

describe("the status of a payment", () => {
  // @shows B4.verification, B8.failure-screen, B2.status-*, B2.failure
  test.each([
    ["pending", {}, "Paiement en attente", "Rouvrir la page de paiement"],
    ["failed", { status: "failed" }, "Paiement non effectué", "Réessayer"],
    ["refunded", { status: "refunded" }, "Paiement remboursé", "Aller à mon espace"],
    ["plan", { status: "paid", paid_twice: true }, "Votre plan Premium est actif", "Ouvrir le bot"],
    ["trial", { status: "paid", kind: "trial" }, "Essai réussi", "Mes moyens de paiement"],
    ["product", { status: "paid", kind: "product" }, "Paiement reçu", "Aller à mon espace"],
  ] as const)("%s says what the order says, whatever the address", async (...row) => {
    const [, part, title, way] = row;
    at("/PaymentStatusFedapayFalse?transaction_id=py_abc");
    serve({ order: () => ({ status: 200, body: exampleOrder(part) }) });
    renderScreen(<PaymentStatus />, { known: [USER] });
    screen.getByRole("heading", { level: 1, name: "Vérification du paiement…" });
    expect((await screen.findByRole("heading", { level: 1, name: title })).textContent).toBe(title);
    screen.getByRole("button", { name: way });
    if ("paid_twice" in part) expect(screen.getByText(/Vous avez payé deux fois/)).toBeTruthy();
  });

  // @shows B4.verification, B4.card-verified, B2.status
  test("once paid, asks the seller's account anew, and leads home", async () => {
    at("/PaymentStatus?paymentId=12");
    let status: "pending" | "paid" = "pending";
    const log = serve({ order: () => ({ status: 200, body: exampleOrder({ status }) }) });
    const client = renderScreen(<PaymentStatus />, { known: [USER] });
    await screen.findByRole("heading", { name: "Paiement en attente" });
    status = "paid";
    await client.invalidateQueries({ queryKey: keys.orders });
    fireEvent.click(await screen.findByRole("button", { name: "Aller à mon espace" }));
    expect(location.pathname).toBe("/IndexEspace");
    expect(log.map(({ path }) => path)).toContain("/api/users/7");
    expect(log.every(({ method }) => method === "GET")).toBe(true);
  });

  test("goes on with another provider under the same order", async () => {
    at("/PaymentStatus?paymentId=12");
    const log = serve({ order: () => ({ status: 200, body: exampleOrder({ status: "failed" }) }) });
    renderScreen(<PaymentStatus />, { known: [USER] });
    fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
    fireEvent.click(await screen.findByLabelText(/FedaPay/));
    fireEvent.click(await payButton());
    await waitFor(() => expect(open).toHaveBeenCalled());
    expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
      ["/api/orders/12/payment", { provider: "fedapay" }],
    ]);
  });

  // @shows B8.id-de-paiement-manquant, B8.impossible-de-verifier-le-paiement-veuillez
  // @shows B8.erreur-lors-de-la-verification-du
  test("says that no payment is named, that it is another's, that nobody answers", async () => {
    at("/PaymentStatusFedapay");
    serve();
    renderScreen(<PaymentStatus />, { known: [USER] });
    expect(await screen.findByText("ID de paiement manquant")).toBeTruthy();
    cleanup();
    at("/PaymentStatus?paymentId=13");
    serve({ order: () => ({ status: 404, body: { message: "Commande introuvable" } }) });
    renderScreen(<PaymentStatus />, { known: [USER] });
    expect(await screen.findByRole("heading", { name: "Commande introuvable" })).toBeTruthy();
    cleanup();
    at("/PaymentStatus?paymentId=14");
    let order: Answer = { status: 500, body: {} };
    serve({ order: () => order });
    renderScreen(<PaymentStatus />, { known: [USER] });
    const patience = { timeout: 8_000 };
    await screen.findByText(
      "Impossible de vérifier le paiement. Veuillez réessayer.",
      {},
      patience,
    );
    screen.getByRole("heading", { name: "Erreur lors de la vérification du paiement" });
    order = { status: 200, body: exampleOrder() };
    fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
    await screen.findByRole("heading", { name: "Paiement en attente" });
  });
});
