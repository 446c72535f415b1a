import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { exampleWithdrawal } from "../../testing/money-examples.ts";
import { findAlert, keys, renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { CancelWithdrawal, WithdrawalHistory } from "./tracking.tsx";

const page = (...demandes: ReturnType<typeof exampleWithdrawal>[]) => ({
  success: true,
  demandes,
  next_cursor: null,
});
const list = (...demandes: Parameters<typeof page>): Answer => ok(page(...demandes));

function openHistory(answer: Parameters<typeof answerCalls>[0]) {
  const log = answerCalls(answer);
  renderScreen(<WithdrawalHistory />);
  return log;
}

describe("the history of withdrawals", () => {
  test("asks the server for one status, and says when there is none", async () => {
    const log = openHistory(({ path }) =>
      path.includes("status=rejected") ? list() : list(exampleWithdrawal()),
    );
    await screen.findByText(/Avant le 23 nov/);
    expect(log.map(({ path }) => path)).toEqual(["/api/users/retrait/mes-demandes"]);
    const filters = within(screen.getByRole("radiogroup", { name: "Statut" }));
    expect(filters.getByLabelText<HTMLInputElement>("Tous").checked).toBe(true);
    for (const [name, status] of [
      ["En attente", "pending"],
      ["Approuvé", "approved"],
      ["Rejeté", "rejected"],
    ]) {
      fireEvent.click(filters.getByLabelText(name ?? ""));
      await waitFor(() => {
        expect(log.at(-1)?.path).toBe(`/api/users/retrait/mes-demandes?status=${status}`);
      });
    }
    await screen.findByText("Aucune demande trouvée");
  });

  test("filters what was read already while the server does not answer", async () => {
    openHistory(({ path }) =>
      path.includes("status=")
        ? { status: 400, body: { success: false } }
        : list(exampleWithdrawal(), exampleWithdrawal({ id: "46", status: "approved" })),
    );
    expect(await screen.findAllByRole("listitem")).toHaveLength(2);
    fireEvent.click(screen.getByLabelText("Approuvé"));
    await screen.findByText(/^La mise à jour a échoué, données du /);
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
    fireEvent.click(screen.getByLabelText("Rejeté"));
    await screen.findByRole("button", { name: "Réessayer" });
    expect(screen.queryAllByRole("listitem")).toHaveLength(0);
  });

  test("of one that nobody treats in time says so, and leads to the support", async () => {
    openHistory(() => list(exampleWithdrawal({ late: true })));
    await screen.findByText(/En retard : attendu avant le 23 nov/);
    fireEvent.click(screen.getByRole("button", { name: /4\s100\sFCFA/ }));
    screen.getByText(/En retard : attendu au plus tard 23 novembre/);
    fireEvent.click(screen.getByRole("button", { name: "Contacter le support" }));
    expect(location.pathname + location.search).toBe("/CustomerSupport?retrait=45");
  });

  test("says what was received as the history of transactions does", async () => {
    const [status, at] = ["approved", "2026-11-21T09:00:00.000Z"] as const;
    openHistory(() =>
      list(
        exampleWithdrawal({ id: "46", status, date_decision: at }),
        exampleWithdrawal({ status, date_decision: at, date_paiement: at }),
      ),
    );
    const rows = await screen.findAllByRole("listitem");
    const said = rows.map(({ textContent: text }) => /Approuvé|Complété/.exec(text ?? "")?.[0]);
    expect(said).toEqual(["Approuvé", "Complété"]);
  });

  test("is asked anew by its refresh", async () => {
    const log = openHistory(() => list(exampleWithdrawal()));
    await screen.findByText(/Avant le 23 nov/);
    fireEvent.click(screen.getByRole("button", { name: "Actualiser" }));
    await waitFor(() => expect(log.map(({ path }) => path)).toHaveLength(2));
    expect(log[1]).toMatchObject({ method: "GET", path: "/api/users/retrait/mes-demandes" });
  });

  test("opens on its dates, its reason and what can be done", async () => {
    const motif = "Le nom ne correspond pas.";
    const rejected = exampleWithdrawal({
      status: "rejected",
      motif,
      annulable: false,
      date_decision: "2026-11-21T09:00:00.000Z",
    });
    openHistory(() => list(rejected));
    fireEvent.click(await screen.findByRole("button", { name: /4\s100\sFCFA/ }));
    expect(screen.getAllByText(motif)).toHaveLength(2);
    screen.getByRole("button", { name: "Faire une nouvelle demande" });
    expect(screen.queryByRole("button", { name: "Annuler la demande" })).toBeNull();
  });

  test("shows what the last sign-in said while the server is silent, and lets nothing be done", async () => {
    answerCalls(() => "silence");
    renderScreen(<WithdrawalHistory />, {
      offline: true,
      known: { withdrawals: { pages: [page(exampleWithdrawal())], pageParams: [""] } },
    });
    fireEvent.click(await screen.findByRole("button", { name: /4\s100\sFCFA/ }));
    expect(screen.queryByRole("button", { name: "Annuler la demande" })).toBeNull();
  });
});

describe("cancelling", () => {
  function open(answer: (method: string) => Answer) {
    const log = answerCalls(({ method, path }) =>
      path.includes("/retrait/") ? answer(method) : good({ user: exampleUser() }),
    );
    renderScreen(<CancelWithdrawal id="45" />).setQueryData(keys.user, exampleUser());
    return log;
  }
  const one = (part = {}): Answer =>
    good({ message: "", demande: exampleWithdrawal(part), available: 9_100 });
  const cancelled = { status: "cancelled", annulable: false } as const;

  test("asks first, then says that the balance is restored", async () => {
    let done = false;
    const log = open((method) => {
      if (method === "DELETE") done = true;
      return one(done ? cancelled : {});
    });
    fireEvent.click(await screen.findByRole("button", { name: "Annuler la demande" }));
    expect(log.some(({ method }) => method === "DELETE")).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "Oui, annuler" }));
    await screen.findByText("Demande annulée");
    // The answer's: what the phone knows of the seller is older.
    await screen.findByText(/Solde disponible : 9\s100\sFCFA/);
    const [sent] = log.filter(({ method }) => method === "DELETE");
    expect(sent?.path).toBe("/api/users/retrait/annuler/45");
    expect(sent?.headers.get("idempotency-key")).toBeTruthy();
  });

  test("is impossible once an agent has it, also when he takes it meanwhile", async () => {
    let taken = false;
    open((method) => {
      if (method !== "DELETE") return one(taken ? { annulable: false } : {});
      taken = true;
      const code = "withdrawals.not-cancellable";
      return { status: 409, body: { success: false, code, message: "Opération impossible" } };
    });
    fireEvent.click(await screen.findByRole("button", { name: "Annuler la demande" }));
    fireEvent.click(screen.getByRole("button", { name: "Oui, annuler" }));
    await screen.findByRole("heading", { name: "Opération impossible" });
    await screen.findByText(/Un agent s'occupe de cette demande/);
  });

  test.each(["approved", "rejected", "cancelled"] as const)(
    "of a request that is %s is impossible before anything is asked",
    async (status) => {
      const log = open(() => one({ status, annulable: false }));
      await screen.findByText("Opération impossible");
      expect(screen.queryByRole("button", { name: "Annuler la demande" })).toBeNull();
      expect(log.every(({ method }) => method === "GET")).toBe(true);
    },
  );

  test("refused by the server without a word is said in ours", async () => {
    open((method) => (method === "DELETE" ? { status: 422, body: {} } : one()));
    fireEvent.click(await screen.findByRole("button", { name: "Annuler la demande" }));
    fireEvent.click(screen.getByRole("button", { name: "Oui, annuler" }));
    await findAlert("Une erreur est survenue");
  });

  test("of a request that is not his is not found", async () => {
    const message = "Demande introuvable";
    open(() => ({ status: 404, body: { success: false, code: "withdrawals.unknown", message } }));
    await screen.findByText(message);
    fireEvent.click(screen.getByRole("button", { name: "Voir mes retraits" }));
    await waitFor(() => expect(location.pathname).toBe("/HistoriqueRetraits"));
  });
});
