import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { examplePlans, exampleProvider } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import {
  PAYMENT_PAGE,
  preparedOrder,
  servePayments,
  at,
  open,
  payButton,
  stubOpening,
  USER,
  type PaymentServer,
} from "../../testing/payment-server.ts";
import { posts } from "../../testing/web-server.ts";
import { PaymentForm, PaymentSelector } from "./payment-selector.tsx";

beforeEach(stubOpening);

function openSelector(server?: PaymentServer) {
  at("/PaymentSelector");
  const log = servePayments(server);
  renderScreen(<PaymentSelector />, { known: USER });
  return log;
}

describe("the choice of a payment", () => {
  test("lists what is open, with each one's own price and trouble, and asks for one", async () => {
    openSelector();
    fireEvent.click(await payButton());
    expect(screen.getByText("Veuillez sélectionner une méthode de paiement")).toBeTruthy();
    expect(screen.getByText("≈ 7,62 €")).toBeTruthy();
    expect(screen.getByText("Perturbé")).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/FedaPay/));
    expect(screen.getByText(/un autre moyen est plus sûr/)).toBeTruthy();
  });

  test("reads each operator once; what adds none goes by its name, and what answers badly comes last", async () => {
    openSelector({
      providers: [
        exampleProvider({ id: "paydunya", name: "PayDunya", disturbed: true }),
        exampleProvider({ methods: ["Orange Money", "Wave"] }),
        exampleProvider({ id: "kkiapay", name: "KkiaPay", methods: ["Wave"] }),
        exampleProvider({ id: "fedapay", name: "FedaPay", methods: ["Wave", "Celtiis"] }),
      ],
    });
    await payButton();
    const ways = screen.getAllByRole("radio").map((way) => way.closest("label")?.textContent);
    expect(ways).toEqual([
      expect.stringMatching(/^Orange Money, Wave ?Moneroo/),
      expect.stringMatching(/^KkiaPay ?Mobile Money/),
      expect.stringMatching(/^Celtiis ?FedaPay/),
      expect.stringMatching(/^PayDunya ?Mobile Money.*Perturbé/),
    ]);
  });

  test("orders the plan once, opens its page outside and follows the order", async () => {
    const log = openSelector();
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    const email = { target: { value: "awa@example.com" } };
    fireEvent.change(screen.getByLabelText("E-mail (facultatif)"), email);
    fireEvent.click(await payButton());
    await waitFor(() => expect(location.pathname).toBe("/PaymentStatus"));
    expect(location.search).toBe("?paymentId=12&app=vendeur");
    expect(open).toHaveBeenCalledWith(PAYMENT_PAGE, "_blank", "noopener");
    const customer = { email: "awa@example.com" };
    expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
      ["/api/orders", { plan: "payant", provider: "moneroo", customer }],
    ]);
    expect(posts(log)[0]?.headers.get("idempotency-key")).toBeTruthy();
  });

  test("says a provider's refusal in its words, and goes on with the order that was made", async () => {
    const refused = { success: false, code: "checkout.provider-keys-refused", order_id: "44" };
    const log = openSelector({
      pay: ({ path }) =>
        path === "/api/orders"
          ? { status: 422, body: { ...refused, message: "Configuration incomplète pour Moneroo" } }
          : preparedOrder("44"),
    });
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    fireEvent.click(await payButton());
    expect(await screen.findByText("Configuration incomplète pour Moneroo")).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/Crypto/));
    expect(screen.queryByLabelText("E-mail (facultatif)")).toBeNull();
    fireEvent.click(await payButton());
    await waitFor(() => expect(location.search).toBe("?paymentId=44&app=vendeur"));
    expect(posts(log).map(({ path }) => path)).toEqual(["/api/orders", "/api/orders/44/payment"]);
  });

  test.each([
    ["URL de paiement non fournie par le service", 201, { id: "12", payment_url: "" }],
    ["Erreur lors de la création du paiement", 422, {}],
  ])("of which nothing came says so: %s", async (said, status, body) => {
    openSelector({ pay: () => ({ status, body }) });
    fireEvent.click(await screen.findByLabelText(/Moneroo/));
    fireEvent.click(await payButton());
    await screen.findByText(said);
    expect(location.pathname).toBe("/PaymentSelector");
  });

  test("by nobody we know says so", async () => {
    at("/PaymentSelector");
    servePayments({ unknown: true });
    renderScreen(<PaymentSelector />);
    await screen.findByText("Utilisateur non identifié");
  });

  test("at the provider the address names has the button of B", async () => {
    at("/IndexPaiement?id=moneroo");
    servePayments();
    renderScreen(<PaymentForm />, { known: USER });
    await screen.findByRole("button", { name: "Payer Maintenant" });
    expect(screen.getAllByRole("textbox")).toEqual([screen.getByLabelText("E-mail (facultatif)")]);
  });

  test("without any provider says so, and without a session pays nothing", async () => {
    openSelector({ providers: [] });
    await screen.findByText(
      "Aucun agrégateur de paiement n'est disponible actuellement. Veuillez contacter le support.",
    );
    cleanup();
    at("/PaymentSelector");
    const log = servePayments();
    renderScreen(<PaymentSelector />, {
      offline: true,
      known: { ...USER, plans: examplePlans(), providers: [exampleProvider()] },
    });
    fireEvent.click(await payButton());
    expect(screen.getByText("Token d'authentification non disponible")).toBeTruthy();
    expect(posts(log)).toEqual([]);
  });

  test("the old payment form pays at the provider its address names, and refuses another", async () => {
    at("/IndexPaiement?id=monero&key=sk_live_secret");
    const log = servePayments();
    renderScreen(<PaymentForm />, { known: USER });
    fireEvent.click(await screen.findByRole("button", { name: "Payer Maintenant" }));
    await waitFor(() => expect(location.pathname).toBe("/PaymentStatus"));
    expect(JSON.stringify(posts(log).map(({ body }) => body))).not.toContain("sk_live");
    cleanup();
    for (const [id, words] of [
      ["zzz", "Méthode de paiement non trouvée. Veuillez réessayer."],
      ["kkiapay", "Méthode de paiement non disponible. Veuillez réessayer."],
    ] as const) {
      at(`/IndexPaiementAbonnement?id=${id}`);
      renderScreen(<PaymentForm />, { known: USER });
      expect(await screen.findByText(words)).toBeTruthy();
      cleanup();
    }
  });
});
