import { REQUEST_TIMED_OUT } from "@sesame/contract/withdrawals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  exampleLimits,
  examplePayoutSettings,
  exampleWithdrawal,
} from "../../testing/money-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, type Asked, posts, ok, good } from "../../testing/web-server.ts";
import { ActSheet } from "../../kit/use-action.tsx";
import { switchOff } from "./automatic-card.tsx";
import { AutomaticPayout } from "./automatic-payout.tsx";
import { Withdraw } from "./withdraw.tsx";

const TAKEN: Answer = {
  status: 201,
  body: { success: true, message: "", demande: exampleWithdrawal() },
};

beforeEach(() => history.replaceState(null, "", "/retrait"));

/** The server says no, and not why; or it is broken. */
const SILENT: Answer = { status: 422, body: {} };
const BROKEN: Answer = { status: 500, body: {} };

type Opened = {
  shown?: React.JSX.Element;
  post?: () => Answer | "no end";
  put?: Answer;
  limits?: Parameters<typeof exampleLimits>[0];
  auto?: Parameters<typeof examplePayoutSettings>[0];
  /** What the request has become since it was sent. */
  row?: Parameters<typeof exampleWithdrawal>[0];
};

function open(options: Opened = {}) {
  let paiement = examplePayoutSettings(options.auto);
  const log = answerCalls(({ method, path }) => {
    if (method === "POST") return options.post?.() ?? TAKEN;
    if (method === "PUT" && options.put) return options.put;
    if (method === "PUT") paiement = examplePayoutSettings();
    if (path.endsWith("/limites")) return ok(exampleLimits(options.limits));
    if (/\/paiement(\/update)?$/.test(path)) return good({ message: "", paiement });
    const demande = exampleWithdrawal(options.row);
    return ok(path.endsWith("/retrait/45") ? { success: true, demande } : {});
  });
  renderScreen(options.shown ?? <Withdraw />);
  return log;
}

const keyOf = (asked: Asked | undefined) => asked?.headers.get("idempotency-key");

async function type(label: RegExp, value: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
}

function press(name: string | RegExp): void {
  fireEvent.click(screen.getByRole("button", { name }));
}

async function reachConfirmation(): Promise<void> {
  await type(/^Montant/, "4100");
  press("Continuer");
  await screen.findByRole("button", { name: "Confirmer" });
}

describe("the form", () => {
  test("says the first thing that is wrong, at its field, and takes it back", async () => {
    open();
    await type(/^Montant/, "60000");
    await type(/^Numéro WhatsApp/, "12");
    press("Continuer");
    const amount = screen.getByLabelText(/^Montant/);
    expect(amount.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(amount);
    screen.getByText("Le montant maximum de retrait est de 50000 FCFA");
    await type(/^Montant/, "4200");
    expect(screen.queryByText(/^Le montant maximum/)).toBeNull();
    press("Continuer");
    screen.getByText("Solde insuffisant pour ce retrait");
    press(/^Maximum :/);
    press("Continuer");
    screen.getByText("Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)");
  });

  test("shows how a number of the chosen method looks, country and first digits", async () => {
    open();
    const shown = async () =>
      (await screen.findByLabelText<HTMLInputElement>(/^Numéro de transfert/)).placeholder;
    const choose = async (method: RegExp) => {
      press(/^Mode de paiement/);
      fireEvent.click(await screen.findByRole("button", { name: method }));
    };
    await screen.findByLabelText(/^Numéro de transfert/);
    await choose(/^MTN Bénin/);
    expect(await shown()).toBe("+229 01 XX XX XX XX");
    await choose(/^T-Money Togo/);
    expect(await shown()).toBe("+228 XX XX XX XX");
  });

  test("shows the weekly limit before anything is typed, and again when nothing else is wrong", async () => {
    open({ limits: { prochaine_date: "2026-11-27T14:05:00.000Z" } });
    await screen.findByText(/Prochain retrait possible le vendredi 27 novembre 2026 à 14:05/);
    await type(/^Montant/, "4100");
    press("Continuer");
    expect(screen.getByRole("alert").textContent).toMatch(/vendredi 27 novembre 2026/);
  });

  test("comes after what the seller owes, and how it is repaid", async () => {
    open({ limits: { owed: 4_000 } });
    await screen.findByText(
      /^Vous devez 4.000 FCFA à Sésame.*Cette somme est prise sur vos prochaines ventes\.$/,
    );
  });

  test("is not there for who is frozen: the reason is", async () => {
    const message = "Vos retraits sont bloqués : vérification.";
    const bloque = { code: "withdrawals.payouts-frozen", message, date_revision: null };
    open({ limits: { bloque } });
    await screen.findByText(message);
    expect(screen.queryByLabelText(/^Montant/)).toBeNull();
  });

  test("asks for nothing from a cache", async () => {
    answerCalls(() => "silence");
    renderScreen(<Withdraw />, { offline: true });
    await screen.findByText(/^Hors ligne/);
    expect(screen.queryByRole("button", { name: "Continuer" })).toBeNull();
  });
});

describe("the confirmation", () => {
  test("reads the number back in groups, then sends what it read", async () => {
    const log = open();
    await screen.findByRole("region", { name: "Solde" });
    const history = screen.getByRole("link", { name: "Historique des retraits" });
    expect(history.getAttribute("href")).toBe("/HistoriqueRetraits");
    await type(/^Numéro WhatsApp/, "+225 0701020304");
    await reachConfirmation();
    // Where the money goes, and where an agent writes.
    const question = within(screen.getByRole("dialog"));
    expect(question.getAllByText("+225 07 01 02 03 04")).toHaveLength(2);
    screen.getByText("lundi 23 novembre 2026 à 14:05");
    press("Confirmer");
    await screen.findByText("Demande envoyée !");
    expect(posts(log).map(({ body }) => body)).toEqual([
      {
        montant: 4_100,
        methode_paiement: "orange-money-ci",
        numero_transfert: "+2250701020304",
        numero_whatsapp: "+225 0701020304",
      },
    ]);
  });

  test("brings the server's no back to the field it is about", async () => {
    const message = "Solde insuffisant pour ce retrait";
    const body = { success: false, code: "withdrawals.balance-too-low", message };
    open({ post: () => ({ status: 422, body }) });
    await reachConfirmation();
    press("Confirmer");
    await screen.findByText(message);
    expect(screen.getByLabelText(/^Montant/).getAttribute("aria-invalid")).toBe("true");
    expect(localStorage.getItem("withdrawalOutbox:7")).toBeNull();
  });

  test.each([
    ["Erreur lors de la demande de retrait", SILENT],
    ["Une erreur est survenue lors du traitement de votre demande", BROKEN],
  ])("refused by the server without a word is said in ours: %s", async (said, answer) => {
    open({ post: () => answer });
    await reachConfirmation();
    press("Confirmer");
    await screen.findByText(said);
  });

  test("an answer lost on the way is asked for again under the same key", async () => {
    let calls = 0;
    const log = open({ post: () => (++calls === 1 ? "silence" : TAKEN) });
    await reachConfirmation();
    press("Confirmer");
    await screen.findByText("Demande envoyée !");
    const [first, second] = posts(log);
    expect(keyOf(first)).toBe(keyOf(second));
  });
});

describe("a request nobody answers", () => {
  async function goSilent() {
    let answering = false;
    const log = open({ post: () => (answering ? TAKEN : "silence") });
    await reachConfirmation();
    press("Confirmer");
    await screen.findByText("Pas encore de réponse");
    return { log, answer: () => (answering = true) };
  }

  test("keeps its key over a reload, until an answer is known", async () => {
    const { log, answer } = await goSilent();
    const kept: unknown = JSON.parse(localStorage.getItem("withdrawalOutbox:7") ?? "{}");
    expect(kept).toEqual({
      key: keyOf(posts(log)[0]),
      amount: 4_100,
      method: "orange-money-ci",
      phone: "+2250701020304",
      whatsapp: "+225 07 01 02 03 04",
    });
    cleanup();
    answer();
    renderScreen(<Withdraw />);
    fireEvent.click(await screen.findByRole("button", { name: "Reprendre" }));
    expect((await screen.findByRole("alert")).textContent).toContain(REQUEST_TIMED_OUT);
    press("Réessayer");
    await screen.findByText("Demande envoyée !");
    expect(new Set(posts(log).map(keyOf)).size).toBe(1);
    expect(localStorage.getItem("withdrawalOutbox:7")).toBeNull();
  });

  test("is given up after 30 s, with a link to the history, where its outcome stands", async () => {
    const log = open({ post: () => "no end" });
    await reachConfirmation();
    vi.useFakeTimers();
    press("Confirmer");
    await act(() => vi.advanceTimersByTimeAsync(29_900));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByText("Pas encore de réponse")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(200));
    screen.getByText("Pas encore de réponse");
    expect(screen.getByRole("alert").textContent).toContain(REQUEST_TIMED_OUT);
    const history = screen.getByRole("link", { name: "Voir l'historique" });
    expect(history.getAttribute("href")).toBe("/HistoriqueRetraits");
    expect(posts(log)).toHaveLength(1);
  });

  test("may be abandoned: its outcome stands in the history", async () => {
    const { log } = await goSilent();
    press("Abandonner");
    expect(screen.queryByText("Reprendre")).toBeNull();
    expect(localStorage.getItem("withdrawalOutbox:7")).toBeNull();
    expect(new Set(posts(log).map(keyOf)).size).toBe(1);
  });

  test("another amount is another request", async () => {
    const { log, answer } = await goSilent();
    press("Fermer");
    answer();
    await type(/^Montant/, "1000");
    press("Continuer");
    fireEvent.click(await screen.findByRole("button", { name: "Confirmer" }));
    await screen.findByText("Demande envoyée !");
    expect(new Set(posts(log).map(keyOf)).size).toBe(2);
  });
});

describe("the card of the automatic payout", () => {
  const running = {
    retrait_auto: 1,
    retraitAuto: {
      active: true,
      modePaiement: "orange-money-ci",
      numeroTransfert: "+2250701020304",
    },
  } as const;

  test.each([
    ["Activer", {}],
    ["Modifier", running],
  ] as const)("%s leads to its page", async (name, auto) => {
    open({ auto });
    fireEvent.click(await screen.findByRole("link", { name }));
    expect(location.pathname).toBe("/ConfigurationRetrait");
  });

  test("says the day it runs on: within the week of a request, that week's end", async () => {
    const weekly = { prochaine_date: "2026-11-27T14:05:00.000Z" };
    const planned = { ...running, prochaine_execution: "2026-11-23T09:00:00.000Z" };
    open({ auto: planned, limits: weekly });
    await screen.findByText(/^Prochain : 27 nov/);
  });

  test("asks before it switches off, then says so to the server", async () => {
    const log = open({ auto: running });
    fireEvent.click(await screen.findByRole("button", { name: "Désactiver" }));
    const question = within(await screen.findByRole("dialog"));
    expect(log.every(({ method }) => method === "GET")).toBe(true);
    fireEvent.click(question.getByRole("button", { name: "Désactiver" }));
    await screen.findByText("Désactivé");
    const sent = log.filter(({ method }) => method === "PUT");
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/users/paiement/update", { retrait_auto: 0 }],
    ]);
  });
});

describe("a change of the automatic payout that the server refuses without a word", () => {
  test("is not saved, and said", async () => {
    history.replaceState(null, "", "/ConfigurationRetrait");
    open({ shown: <AutomaticPayout />, put: SILENT });
    await type(/^Numéro de transfert/, "+2250701020304");
    press(/^(Activer|Enregistrer)/);
    await screen.findByText("Erreur lors de la mise à jour des informations de paiement");
    expect(location.pathname).toBe("/ConfigurationRetrait");
  });

  test.each([
    ["Erreur lors de la désactivation des paiements automatiques", SILENT],
    ["Une erreur est survenue lors de la désactivation des paiements automatiques", BROKEN],
  ])("is said in its open sheet: %s", async (said, put) => {
    const onClose = vi.fn();
    open({ shown: <ActSheet of={switchOff(true)} onClose={onClose} />, put });
    press("Désactiver");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(said));
    expect(onClose).not.toHaveBeenCalled();
  });
});

test("the success sheet says it when the money arrives", async () => {
  open({ row: { status: "approved", date_paiement: "2026-11-20T14:06:00.000Z" } });
  await reachConfirmation();
  press("Confirmer");
  await screen.findByRole("heading", { name: "Argent envoyé" });
  screen.getByText(/^Envoyé le /);
  expect(screen.queryByText(/Au plus tard/)).toBeNull();
});

test("the success sheet stays until it is closed, over a form that is new again", async () => {
  open();
  await reachConfirmation();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  press("Confirmer");
  await screen.findByText("Demande envoyée !");
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(location.pathname).toBe("/retrait");
  const history = within(screen.getByRole("dialog")).getByRole("link", { name: /historique/ });
  expect(history.getAttribute("href")).toBe("/HistoriqueRetraits");
  press("Fermer");
  expect((await screen.findByLabelText<HTMLInputElement>(/^Montant/)).value).toBe("");
});
