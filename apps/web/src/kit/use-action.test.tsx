import { useState } from "react";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { isOffline } from "../lib/api.ts";
import { renderScreen } from "../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, goOffline, good } from "../testing/web-server.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./modal.tsx";
import { closeTopOverlay } from "./toast.tsx";
import { act, Acts } from "./use-action.tsx";

const bodies = (log: Asked[]) => log.map(({ path, body }) => [path, body]);
const dialog = () => within(screen.getByRole("dialog"));
const press = (name: string) => fireEvent.click(dialog().getByRole("button", { name }));
const type = (label: RegExp, value: string) =>
  fireEvent.change(dialog().getByLabelText(label), { target: { value } });

const reject = (given: { reasons: boolean }) =>
  act("POST /api/desk/withdrawals/:id/reject", {
    params: { id: "41" },
    button: "Rejeter",
    title: "Rejeter ?",
    fields: ({ code }) => ({
      code: {
        kind: "choices",
        label: "Raison",
        required: true,
        choices: [{ value: "other", label: "Autre" }],
      },
      reason: given.reasons && code === "other" && { label: "Vos mots", required: true },
    }),
    body: ({ code, reason }) => ({ reason_code: code, reason }),
  });

const tap = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

/** The sheet of the rejection, without reasons of one's own. → its answer */
function openSheet(more: Partial<ReturnType<typeof reject>> = {}) {
  renderScreen(<Acts of={[{ ...reject({ reasons: false }), ...more }]} />);
  tap("Rejeter");
  const choice = dialog().getByLabelText<HTMLInputElement>("Autre");
  fireEvent.click(choice);
  return choice;
}

const take = act("POST /api/desk/withdrawals/:id/assign", {
  params: { id: "41" },
  button: "Prendre",
});
const tooLate: Answer = { status: 409, body: { code: "x", message: "Trop tard." } };

test("an act's sheet says what is missing, asks what follows from an answer, and sends it", async () => {
  const log = answerCalls(() => good({ message: "Rejetée" }));
  renderScreen(<Acts of={[reject({ reasons: true })]} />);
  tap("Rejeter");
  dialog().getByText("Il manque : raison");
  press("Rejeter");
  expect(log).toEqual([]);
  fireEvent.click(dialog().getByLabelText("Autre"));
  dialog().getByText("Il manque : vos mots");
  type(/^Vos mots/, "Nom faux");
  press("Rejeter");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(bodies(log)).toEqual([
    ["/api/desk/withdrawals/41/reject", { reason_code: "other", reason: "Nom faux" }],
  ]);
});

test("a grey button is described by its reason, in a form, in a dialog, and where it would be a link", () => {
  const said = (name: string) =>
    screen.getByRole<HTMLButtonElement>("button", { name, description: "Il manque : Titre" });
  render(
    <>
      <Button lack="Il manque : Titre">Publier</Button>
      <Button href="/Plans" lack="Il manque : Titre">
        Voir
      </Button>
      <Dialog
        title="Publier ?"
        onClose={() => {}}
        actions={[{ label: "Oui", lack: "Il manque : Titre", run: () => {} }]}
      />
    </>,
  );
  for (const name of ["Publier", "Voir", "Oui"]) expect(said(name).disabled).toBe(true);
});

test("a field that is not shown is empty words, never nothing", async () => {
  const log = answerCalls(() => good({ message: "Rejetée" }));
  openSheet();
  press("Rejeter");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(bodies(log)).toEqual([
    ["/api/desk/withdrawals/41/reject", { reason_code: "other", reason: "" }],
  ]);
});

test("a refusal is said even when its card has gone with the list that is read again", async () => {
  answerCalls(() => tooLate);
  function List() {
    const [isHere, setHere] = useState(true);
    return (
      <>
        {isHere ? <Acts of={[take]} /> : null}
        <button type="button" onClick={() => setHere(false)}>
          Relire
        </button>
      </>
    );
  }
  renderScreen(<List />);
  tap("Prendre");
  tap("Relire");
  await within(screen.getByRole("status")).findByText("Trop tard.");
});

test("a refusal stays in the sheet with what was typed, and back closes it", async () => {
  answerCalls(() => tooLate);
  const choice = openSheet();
  press("Rejeter");
  await dialog().findByText("Trop tard.");
  expect(choice.checked).toBe(true);
  expect(closeTopOverlay()).toBe(true);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an act that may not be done says why; one without a title is done by one tap", async () => {
  const log = answerCalls(() => good({ message: "Pris" }));
  const barred = { ...reject({ reasons: false }), may: { allowed: false, reason: "Déjà payée." } };
  renderScreen(<Acts of={[take, barred, false]} />);
  screen.getByText("Déjà payée.");
  expect(screen.queryByRole("button", { name: "Rejeter" })).toBeNull();
  tap("Prendre");
  await waitFor(() => expect(bodies(log)).toEqual([["/api/desk/withdrawals/41/assign", {}]]));
});

test("an act whose button stays is seen, grey, and described by its reason", () => {
  const may = { allowed: false, reason: "Sans connexion.", shown: true };
  renderScreen(<Acts of={[{ ...reject({ reasons: false }), may }]} />);
  screen.getByText("Sans connexion.");
  const described = { name: "Rejeter", description: "Sans connexion." };
  expect(screen.getByRole<HTMLButtonElement>("button", described).disabled).toBe(true);
});

test("a refusal that a gate has said is not said again", async () => {
  answerCalls(() => ({ status: 403, body: { code: "x", message: "Premium." } }));
  const messages: string[] = [];
  const caught = ({ message }: Error) => messages.push(message) > 0;
  openSheet({ caught });
  press("Rejeter");
  await waitFor(() => expect(messages).toEqual(["Premium."]));
  const sent = dialog().getByRole<HTMLButtonElement>("button", { name: "Rejeter" });
  await waitFor(() => expect(sent.disabled).toBe(false));
  expect(screen.queryByText("Premium.")).toBeNull();
});

test("an act leads to the next one", async () => {
  answerCalls(() => good({ message: "Noté", waiting: null }));
  const first = act("POST /api/desk/withdrawals/:id/approve", {
    params: { id: "41" },
    button: "Payer à la main",
    title: "Payer ?",
    body: () => ({ rail: "manual" }),
    next: () => reject({ reasons: false }),
  });
  renderScreen(<Acts of={[first]} />);
  tap("Payer à la main");
  press("Payer à la main");
  await screen.findByRole("dialog", { name: "Rejeter ?" });
});

test("an act that waits for the network says so, and closed it never leaves", async () => {
  const { comeBack } = goOffline();
  const log = answerCalls(() => (isOffline() ? "silence" : good({ message: "Supprimé" })));
  const remove = act("DELETE /api/products/:id", {
    params: { id: "41" },
    waits: true,
    button: "Supprimer",
    title: "Supprimer ?",
  });
  renderScreen(<Acts of={[remove]} />);
  tap("Supprimer");
  press("Supprimer");
  await dialog().findByText(/^En attente du réseau/);
  press("Annuler");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  comeBack();
  await waitFor(() => expect(log).toHaveLength(1));
  expect(screen.getByRole("status").textContent).not.toContain("Supprimé");
});

test("an act that has left is said when it is done, its sheet closed before", async () => {
  let silent = true;
  const log = answerCalls(() => (silent ? "silence" : good({ message: "Rejetée" })));
  openSheet();
  press("Rejeter");
  await waitFor(() => expect(log).toHaveLength(1));
  silent = false;
  press("Annuler");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await eventually(() => within(screen.getByRole("status")).getByText("Rejetée"));
});

test.each([
  ["", "Il manque : montant"],
  ["12.5", "Montant : un nombre entier, sans point ni virgule"],
  ["12a", "Montant : un nombre entier, sans point ni virgule"],
])("an amount typed « %s » says « %s »", (typed, said) => {
  const pay = act("POST /api/desk/refunds/:id/fee", {
    params: { id: "41" },
    button: "Noter",
    title: "Noter ?",
    fields: { fee: { label: "Montant", kind: "number", required: true, pattern: /^\d{1,7}$/ } },
    body: ({ fee }) => ({ montant: Number(fee) }),
  });
  renderScreen(<Acts of={[pay]} />);
  tap("Noter");
  type(/^Montant/, typed);
  dialog().getByText(said);
});
