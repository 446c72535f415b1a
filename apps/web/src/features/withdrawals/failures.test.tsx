import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  exampleLimits,
  examplePayoutSettings,
  exampleWithdrawal,
} from "../../testing/money-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { AutomaticPayout } from "./automatic-payout.tsx";
import { ActSheet } from "../../kit/use-action.tsx";
import { switchOff } from "./automatic-card.tsx";
import { CancelWithdrawal } from "./tracking.tsx";
import { Withdraw } from "./withdraw.tsx";

/** The server says no, and not why; or it is broken. */
const SILENT: Answer = { status: 422, body: {} };
const BROKEN: Answer = { status: 500, body: {} };

beforeEach(() => localStorage.clear());
function serve(written: Answer): void {
  answerCalls(({ method, path }) => {
    if (method !== "GET") return written;
    if (path.endsWith("/limites")) return ok(exampleLimits());
    if (path.endsWith("/paiement")) return good({ message: "", paiement: examplePayoutSettings() });
    if (/retrait\/\d+$/.test(path)) return good({ message: "", demande: exampleWithdrawal() });
    return good({ user: exampleUser() });
  });
}

const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole("button", { name }));

describe("a withdrawal the server refuses without a word", () => {
  test.each([
    ["Erreur lors de la demande de retrait", SILENT],
    ["Une erreur est survenue lors du traitement de votre demande", BROKEN],
  ])("is said in ours: %s", async (said, answer) => {
    serve(answer);
    renderScreen(<Withdraw />);
    const amount = await screen.findByLabelText(/^Montant/);
    fireEvent.change(amount, { target: { value: "4100" } });
    await press("Continuer");
    await press("Confirmer");
    await screen.findByText(said);
  });
});

describe("the automatic payout", () => {
  test("that is not saved says so", async () => {
    history.replaceState(null, "", "/ConfigurationRetrait");
    serve(SILENT);
    renderScreen(<AutomaticPayout />);
    const phone = await screen.findByLabelText(/^Numéro de transfert/);
    fireEvent.change(phone, { target: { value: "+2250701020304" } });
    await press(/^(Activer|Enregistrer)/);
    await screen.findByText("Erreur lors de la mise à jour des informations de paiement");
    expect(location.pathname).toBe("/ConfigurationRetrait");
  });

  test.each([
    ["Erreur lors de la désactivation des paiements automatiques", SILENT],
    ["Une erreur est survenue lors de la désactivation des paiements automatiques", BROKEN],
  ])("that is not switched off says so: %s", async (said, answer) => {
    serve(answer);
    const onClose = vi.fn();
    renderScreen(<ActSheet of={switchOff(true)} onClose={onClose} />);
    await press("Désactiver");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(said));
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe("a cancellation the server refuses without a word", () => {
  test("is said in ours", async () => {
    serve(SILENT);
    renderScreen(<CancelWithdrawal id="45" />, { known: { user: exampleUser() } });
    await press("Annuler la demande");
    await press("Oui, annuler");
    await waitFor(() =>
      expect(screen.getByRole("alert").textContent).toBe("Une erreur est survenue"),
    );
  });
});
