import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { ToastPlace } from "../../ui/toast.tsx";
import { CloseAccount } from "./close-account.tsx";
import { Profile } from "./profile.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// @shows A8.user-update-fails, A8.mise-a-jour
test.each([
  ["Ce nom est trop long.", "Ce nom est trop long."],
  ["", "Erreur lors de la mise à jour"],
])(
  "a profile that is not saved is said in the server's words, or in ours (%j)",
  async (message, said) => {
    answerCalls(() => ({ status: 422, body: { success: false, code: "x", message } }));
    renderScreen(
      <>
        <Profile onLogout={async () => undefined} />
        <ToastPlace />
      </>,
      { known: [[keys.user, exampleUser()]] },
    );
    fireEvent.change(screen.getByLabelText("Nom affiché aux acheteurs"), {
      target: { value: "Awa la Forte" },
    });
    fireEvent.click(screen.getByRole("button", { name: "Enregistrer" }));
    await screen.findByText(said);
  },
);

// @shows decision 24, /profile
test.each([
  ["+2250701020304", "orange-money-ci", /Orange.*\+225 07 01 02 03 04/],
  [null, null, /Numéro de retraitÀ choisir/],
] as const)("the number his money goes to is there, and leads to its page (%s)", (...row) => {
  const [transfer_number, payment_method, said] = row;
  const user = exampleUser({ transfer_number, payment_method, username: null });
  renderScreen(<Profile onLogout={async () => undefined} />, { known: [[keys.user, user]] });
  const number = screen.getByRole("link", { name: /Numéro de retrait/ });
  expect(number.textContent).toMatch(said);
  expect(number.getAttribute("href")).toBe("/ConfigurationRetrait");
  for (const words of ["Identifiant Telegram", "5001", "Aucun", "1er novembre 2026"]) {
    screen.getByText(words);
  }
});

// @shows B8.une-erreur-reessayer
test("an account that is not closed says so, without a word of the server's in ours", async () => {
  answerCalls(() => ({ status: 422, body: { success: false, code: "x", message: "" } }));
  const onClosed = vi.fn();
  renderScreen(<CloseAccount onClosed={onClosed} />);
  fireEvent.click(screen.getByRole("button", { name: "Fermer mon compte vendeur" }));
  fireEvent.click(screen.getByRole("button", { name: "Fermer mon compte" }));
  await screen.findByText("Une erreur est survenue. Veuillez réessayer.");
  expect(onClosed).not.toHaveBeenCalled();
});
