import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keys, renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { ToastPlace } from "../../kit/toast.tsx";
import { CloseAccount, Profile } from "./profile.tsx";
import { Settings } from "./settings.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

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

test("an account that is not closed says so, without a word of the server's in ours", async () => {
  answerCalls(() => ({ status: 422, body: {} }));
  const onClosed = vi.fn();
  renderScreen(<CloseAccount onClosed={onClosed} />);
  fireEvent.click(screen.getByRole("button", { name: "Fermer mon compte vendeur" }));
  fireEvent.click(screen.getByRole("button", { name: "Fermer mon compte" }));
  await screen.findByText("Une erreur est survenue. Veuillez réessayer.");
  expect(onClosed).not.toHaveBeenCalled();
});

test("the settings answer four questions, and say when the support answers", async () => {
  const hours = { open: true, label: "du lundi au vendredi, de 9 h à 18 h", says: "Ouvert" };
  const questions = [1, 2, 3, 4].map((nth) => ({ question: `Question ${nth}`, answer: "Oui." }));
  answerCalls(({ path }) => {
    if (path === "/api/support/faq") {
      const chapters = { settings: questions, index: [], plans: [] };
      return { status: 200, body: { success: true, chapters } };
    }
    const support = { success: true, hours, reply_hours: 24, unread: 0 };
    return { status: 200, body: path === "/api/support" ? support : { success: true } };
  });
  renderScreen(<Settings />, { known: [[keys.user, exampleUser()]] });
  expect(await screen.findAllByText(/^Question \d$/)).toHaveLength(4);
  await screen.findByText("Réponse sous 24 h en moyenne, du lundi au vendredi, de 9 h à 18 h.");
  const support = screen.getByRole("link", { name: /^Support/ });
  expect(support.getAttribute("href")).toBe("/CustomerSupport");
});
