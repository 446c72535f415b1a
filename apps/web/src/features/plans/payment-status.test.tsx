import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { exampleOrder } from "../../testing/payment-examples.ts";
import { refreshResources } from "../../lib/resources.ts";
import { renderScreen } from "../../testing/screen.tsx";
import {
  servePayments,
  at,
  open,
  payButton,
  stubOpening,
  USER,
  type PaymentServer,
} from "../../testing/payment-server.ts";
import { type Answer, posts, ok } from "../../testing/web-server.ts";
import { PaymentStatus } from "./payment-status.tsx";

beforeEach(stubOpening);

function openStatus(address: string, server?: PaymentServer) {
  at(address);
  const log = servePayments(server);
  renderScreen(<PaymentStatus />, { known: USER });
  return log;
}

describe("the status of a payment", () => {
  test.each([
    ["pending", {}, "Paiement en attente", "Rouvrir la page de paiement"],
    ["failed", { status: "failed" }, "Paiement non effectué", "Réessayer"],
    ["refunded", { status: "refunded" }, "Paiement remboursé", "Aller à mon espace"],
    ["plan", { status: "paid", paid_twice: true }, "Votre plan Premium est actif", "Ouvrir le bot"],
    ["trial", { status: "paid", kind: "trial" }, "Essai réussi", "Mes moyens de paiement"],
    ["product", { status: "paid", kind: "product" }, "Paiement reçu", "Aller à mon espace"],
  ] as const)("%s says what the order says, whatever the address", async (...row) => {
    const [, part, title, way] = row;
    openStatus("/PaymentStatusFedapayFalse?status=declined&transaction_id=12", {
      order: () => ok(exampleOrder(part)),
    });
    screen.getByRole("heading", { level: 1, name: "Vérification du paiement…" });
    expect((await screen.findByRole("heading", { level: 1, name: title })).textContent).toBe(title);
    expect(screen.getByText(way).closest("a, button")).not.toBeNull();
    if ("paid_twice" in part) expect(screen.getByText(/Vous avez payé deux fois/)).toBeTruthy();
  });

  test("once paid, asks the seller's account anew, and leads home", async () => {
    at("/PaymentStatus?paymentId=12");
    let status: "pending" | "paid" = "pending";
    const log = servePayments({ order: () => ok(exampleOrder({ status })) });
    const client = renderScreen(<PaymentStatus />, { known: USER });
    await screen.findByRole("heading", { name: "Paiement en attente" });
    status = "paid";
    await refreshResources(client, ["orders"]);
    fireEvent.click(await screen.findByRole("link", { name: "Aller à mon espace" }));
    expect(location.pathname).toBe("/IndexEspace");
    await waitFor(() => expect(log.map(({ path }) => path)).toContain("/api/users/7"));
    expect(log.every(({ method }) => method === "GET")).toBe(true);
  });

  test("goes on with another provider under the same order", async () => {
    const log = openStatus("/PaymentStatus?paymentId=12", {
      order: () => ok(exampleOrder({ status: "failed" })),
    });
    fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
    fireEvent.click(await screen.findByLabelText(/FedaPay/));
    fireEvent.click(await payButton());
    await waitFor(() => expect(open).toHaveBeenCalled());
    expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
      ["/api/orders/12/payment", { provider: "fedapay" }],
    ]);
  });

  test("says that no payment is named, that it is another's, that nobody answers", async () => {
    openStatus("/PaymentStatusFedapay");
    expect(await screen.findByText("ID de paiement manquant")).toBeTruthy();
    cleanup();
    openStatus("/PaymentStatus?paymentId=13", {
      order: () => ({ status: 404, body: { message: "Commande introuvable" } }),
    });
    expect(await screen.findByRole("heading", { name: "Commande introuvable" })).toBeTruthy();
    cleanup();
    let order: Answer = { status: 500, body: {} };
    openStatus("/PaymentStatus?paymentId=14", { order: () => order });
    await screen.findByText("Impossible de vérifier le paiement. Veuillez réessayer.");
    screen.getByRole("heading", { name: "Erreur lors de la vérification du paiement" });
    order = ok(exampleOrder());
    fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
    await screen.findByRole("heading", { name: "Paiement en attente" });
  });
});
