import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { StaffWithdrawalDetail } from "@sesame/contract/treasury";
import {
  exampleDecision,
  exampleBackOffice,
  exampleDetail,
  exampleTaken,
} from "../../testing/staff-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, posts, ok, good } from "../../testing/web-server.ts";
import { Withdrawal } from "./withdrawal.tsx";

/** One request's page; `decide` answers what is posted. */
function open(withdrawal: StaffWithdrawalDetail, decide?: (asked: Asked) => Answer): Asked[] {
  const log = answerCalls((asked) => {
    if (asked.method === "POST") return decide?.(asked) ?? ok(exampleDecision());
    if (asked.path === "/api/desk") return ok(exampleBackOffice());
    return good({ now: exampleBackOffice().now, withdrawal });
  });
  renderScreen(<Withdrawal id="41" />);
  return log;
}

const dialog = () => within(screen.getByRole("dialog"));

describe("a request in the back office", () => {
  test("is taken with one tap, and offers no payment before", async () => {
    const log = open(exampleDetail());
    fireEvent.click(await screen.findByRole("button", { name: "Prendre" }));
    expect(screen.queryByRole("button", { name: /^Payer/ })).toBeNull();
    await waitFor(() =>
      expect(posts(log).map(({ path }) => path)).toEqual(["/api/desk/withdrawals/41/assign"]),
    );
  });

  test("taken, offers the rails that serve and says why the others do not", async () => {
    open(exampleTaken());
    await screen.findByRole("button", { name: "Payer par PayDunya" });
    screen.getByRole("button", { name: "Payer à la main" });
    expect(screen.queryByRole("button", { name: /FedaPay/ })).toBeNull();
    screen.getByText(/FedaPay n'est pas ouvert/);
    screen.getByText("15:00");
    expect(screen.queryByRole("button", { name: "Prendre" })).toBeNull();
  });

  test("is paid once by two taps, under one key", async () => {
    const log = open(exampleTaken());
    fireEvent.click(await screen.findByRole("button", { name: "Payer par PayDunya" }));
    const confirm = dialog().getByRole("button", { name: "Payer par PayDunya" });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(posts(log)).toHaveLength(1);
    expect(posts(log)[0]?.body).toEqual({ rail: "paydunya" });
    expect(posts(log)[0]?.headers.get("idempotency-key")).toBeTruthy();
  });

  test("asked again after a silence keeps its key; other words are another act", async () => {
    let silent = 3;
    const log = open(exampleTaken(), () => {
      silent -= 1;
      if (silent >= 0) return "silence";
      return { status: 422, body: { success: false, code: "x", message: "Non." } };
    });
    fireEvent.click(await screen.findByRole("button", { name: "Rejeter" }));
    fireEvent.click(await dialog().findByLabelText("Nom différent"));
    const confirm = () => dialog().getByRole("button", { name: "Rejeter la demande" });
    fireEvent.click(confirm());
    await dialog().findByText(/Connexion impossible/);
    fireEvent.click(confirm());
    await dialog().findByText("Non.");
    fireEvent.click(dialog().getByLabelText("Autre raison"));
    fireEvent.click(confirm());
    await waitFor(() => expect(posts(log)).toHaveLength(5));
    const key = ({ headers }: Asked) => headers.get("idempotency-key");
    const [first, ...rest] = posts(log).map(key);
    expect(rest.slice(0, 3)).toEqual([first, first, first]);
    expect(rest[3]).not.toBe(first);
  });

  test("by hand, is approved before its reference is asked for, and refused in place", async () => {
    const refusal = "Cette référence prouve déjà un autre paiement.";
    const log = open(exampleTaken(), ({ path }) =>
      path.endsWith("/paid")
        ? { status: 409, body: { success: false, code: "x", message: refusal } }
        : ok(exampleDecision()),
    );
    fireEvent.click(await screen.findByRole("button", { name: "Payer à la main" }));
    expect(dialog().queryByLabelText("Référence de l'opérateur")).toBeNull();
    fireEvent.click(dialog().getByRole("button", { name: "Approuver et continuer" }));
    const field = await screen.findByLabelText("Référence de l'opérateur");
    fireEvent.change(field, { target: { value: "CI1234" } });
    fireEvent.click(dialog().getByRole("button", { name: "Marquer payé" }));
    await dialog().findByText(refusal);
    expect(posts(log).map(({ path, body }) => [path.split("/").at(-1), body])).toEqual([
      ["approve", { rail: "manual" }],
      ["paid", { reference: "CI1234" }],
    ]);
  });

  test("that waits for a second agent sends nobody to his telephone", async () => {
    open(exampleTaken({ needs_second_agent: true }), () =>
      ok(exampleDecision({ status: "pending", waiting: "second-agent", message: "Accord noté" })),
    );
    fireEvent.click(await screen.findByRole("button", { name: "Payer à la main" }));
    dialog().getByText(/rien ne part avant le second/);
    fireEvent.click(dialog().getByRole("button", { name: "Approuver et continuer" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByLabelText("Référence de l'opérateur")).toBeNull();
  });

  test("decided meanwhile keeps an open sheet with what was typed in it", async () => {
    const barred = { allowed: false, reason: null };
    const none = exampleTaken();
    const may = Object.fromEntries(Object.keys(none.may).map((verb) => [verb, barred]));
    let now = exampleTaken();
    answerCalls(({ path }) =>
      path === "/api/desk"
        ? ok(exampleBackOffice())
        : good({ now: exampleBackOffice().now, withdrawal: now }),
    );
    const client = renderScreen(<Withdrawal id="41" />);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    fireEvent.click(await screen.findByRole("button", { name: "Rejeter" }));
    fireEvent.click(await dialog().findByLabelText("Nom différent"));
    now = { ...none, status: "approved", may: may as typeof none.may };
    await client.invalidateQueries();
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: "Payer à la main" })).toBeNull(),
    );
    expect(dialog().getByLabelText<HTMLInputElement>("Nom différent").checked).toBe(true);
  });

  test("of the reader's own can only be looked at", async () => {
    const no = { allowed: false, reason: "C'est votre propre demande." };
    const may = { ...exampleDetail().may, assign: no, approve: no };
    open(exampleDetail({ own: true, may }));
    await screen.findByText(/un autre agent doit la traiter/);
    expect(screen.queryByRole("button", { name: /Prendre|Payer|Rejeter/ })).toBeNull();
  });

  test("late says so in words, and shows each risk with its figures", async () => {
    const words = { label: "Montant inhabituel", explanation: "5 × 4 000 FCFA" };
    const risks = [{ code: "unusual-amount" as const, ...words }];
    open(exampleDetail({ late: true, working_minutes_left: -65, risks }));
    await screen.findByText(/^En retard de 1 h 05 ouvrées/);
    screen.getByText("Montant inhabituel");
    screen.getByText("5 × 4 000 FCFA");
    cleanup();
    const paid = { status: "approved", stage: "paid", paid_at: exampleBackOffice().now } as const;
    open(exampleDetail({ ...paid, working_minutes_left: null, risks }));
    await screen.findByText(/^Payé le/);
    expect(screen.queryByText("Montant inhabituel")).toBeNull();
  });

  test("unknown says so", async () => {
    answerCalls(() => ({ status: 404, body: { success: false, code: "x", message: "Non" } }));
    renderScreen(<Withdrawal id="999" />);
    await screen.findByText("Elle n'existe pas, ou son adresse est incomplète.");
  });
});
