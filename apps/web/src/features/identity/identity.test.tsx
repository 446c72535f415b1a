import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { findAlert, renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, good } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { PersonalData } from "./personal-data.tsx";
import { CloseAccount, Profile } from "./profile.tsx";
import { Settings } from "./settings.tsx";
import { SplashError } from "./splash.tsx";
import { Stories } from "./stories.tsx";
import { TelegramRequired } from "./telegram-required.tsx";

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

function show(element: React.JSX.Element, plan: boolean) {
  const user = exampleUser({ plan, deja: false });
  const log = answerCalls(() => good({ user }));
  renderScreen(element, { known: { user } });
  return log;
}

test("four cards follow one another, and the last one leads to the plans", async () => {
  const log = show(<Stories />, false);
  for (const title of ["Relier le bot", "Créer un produit", "Partager le lien"]) {
    expect(screen.getByRole("heading", { level: 2, name: title })).toBeTruthy();
    press("Continuer");
  }
  expect(screen.getByRole("heading", { level: 2, name: "Être payé" })).toBeTruthy();
  press("Commencer");
  expect(location.pathname).toBe("/Plans");
  await waitFor(() =>
    expect(log.find(({ method }) => method === "PUT")?.body).toEqual({ deja: true }),
  );
});

test("who skips them goes home when a plan is chosen", () => {
  show(<Stories />, true);
  press("Passer");
  expect(location.pathname).toBe("/IndexEspace");
});

test("the splash that fails says why, and reloads the page", () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  render(<SplashError message="La base ne répond pas." />);
  const words = screen.getByRole("alert").textContent;
  expect(words).toContain("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
  expect(words).toContain("La base ne répond pas.");
  fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test("the blocking screen has its three states", () => {
  const onEnter = vi.fn();
  const { rerender } = render(<TelegramRequired state="checking" onEnter={onEnter} />);
  expect(screen.getByRole("status").textContent).toContain("Vérification...");
  rerender(<TelegramRequired state="entering" onEnter={onEnter} />);
  expect(screen.getByRole("status").textContent).toContain("Redirection en cours...");
  fireEvent.click(screen.getByRole("button", { name: "Continuer vers l'application" }));
  expect(onEnter).toHaveBeenCalledTimes(1);
  rerender(<TelegramRequired state="outside" onEnter={onEnter} />);
  screen.getByRole("heading", { name: "Ouvrez Sésame dans Telegram" });
  screen.getByRole("button", { name: "Rafraîchir la page" });
  fireEvent.click(screen.getByRole("button", { name: "Effacer les données locales" }));
  screen.getByText("Effacer les données locales ?");
});

test("data are erased only after a yes, and what is still needed is said", async () => {
  let answer: Answer = { status: 409, body: { message: "Il reste 500 FCFA à retirer." } };
  const log = answerCalls(() => answer);
  const posts = () => log.filter(({ method }) => method === "POST");
  let left = 0;
  renderScreen(<PersonalData onErased={async () => void (left += 1)} />);
  const ask = () => fireEvent.click(screen.getByRole("button", { name: "Effacer mes données" }));
  ask();
  fireEvent.click(screen.getByRole("button", { name: "Annuler" }));
  expect(posts()).toEqual([]);
  ask();
  fireEvent.click(screen.getByRole("button", { name: "Effacer définitivement" }));
  await findAlert("Il reste 500 FCFA à retirer.");
  expect(left).toBe(0);
  answer = good({ message: "Effacées." });
  fireEvent.click(screen.getByRole("button", { name: "Effacer définitivement" }));
  await waitFor(() => expect(left).toBe(1));
  expect(posts().map(({ path, body }) => [path, body])).toEqual([
    ["/api/me/delete", { confirm: true }],
    ["/api/me/delete", { confirm: true }],
  ]);
});

test("offline, erasing is seen, and why it cannot be asked for", () => {
  answerCalls(() => "silence");
  renderScreen(<PersonalData onErased={async () => undefined} />, { offline: true });
  const erase = screen.getByRole<HTMLButtonElement>("button", { name: "Effacer mes données" });
  expect(erase.disabled).toBe(true);
  screen.getByText("Sans connexion, rien ne peut être créé ni modifié ici.");
});

test.each([
  ["Ce nom est trop long.", "Ce nom est trop long."],
  ["", "Erreur lors de la mise à jour"],
])("a profile not saved is said in the server's words, or ours (%j)", async (message, said) => {
  answerCalls(() => ({ status: 422, body: { success: false, code: "x", message } }));
  renderScreen(<Profile onLogout={async () => undefined} />, { known: { user: exampleUser() } });
  const name = screen.getByLabelText("Nom affiché aux acheteurs");
  fireEvent.change(name, { target: { value: "Awa la Forte" } });
  press("Enregistrer");
  await screen.findByText(said);
});

test.each([
  ["+2250701020304", "orange-money-ci", /Orange.*\+225 07 01 02 03 04/],
  [null, null, /Numéro de retraitÀ choisir/],
] as const)("the number his money goes to is there, and leads to its page (%s)", (...row) => {
  const [transfer_number, payment_method, said] = row;
  const user = exampleUser({ transfer_number, payment_method, username: null });
  renderScreen(<Profile onLogout={async () => undefined} />, { known: { user } });
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
  await findAlert("Une erreur est survenue. Veuillez réessayer.");
  expect(onClosed).not.toHaveBeenCalled();
});

test("the settings answer four questions, and say when the support answers", async () => {
  const hours = { open: true, label: "du lundi au vendredi, de 9 h à 18 h", says: "Ouvert" };
  const questions = [1, 2, 3, 4].map((nth) => ({ question: `Question ${nth}`, answer: "Oui." }));
  answerCalls(({ path }) => {
    const chapters = { settings: questions, index: [], plans: [] };
    if (path === "/api/support/faq") return good({ chapters });
    return good(path === "/api/support" ? { hours, reply_hours: 24, unread: 0 } : {});
  });
  renderScreen(<Settings />, { known: { user: exampleUser() } });
  expect(await screen.findAllByText(/^Question \d$/)).toHaveLength(4);
  await screen.findByText("Réponse sous 24 h en moyenne, du lundi au vendredi, de 9 h à 18 h.");
  // Once: the other four are a tap further, under "Support".
  expect(screen.getAllByText("Questions fréquentes")).toHaveLength(1);
  const support = screen.getByRole("link", { name: /^Support/ });
  expect(support.getAttribute("href")).toBe("/CustomerSupport");
});
