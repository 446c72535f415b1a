import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { exampleComplaint, exampleOrder, exampleRefund } from "../../testing/payment-examples.ts";
import { findAlert, renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, posts, ok, good } from "../../testing/web-server.ts";
import { exampleTransaction, exampleUser } from "../../testing/wire-examples.ts";
import { Complaint } from "./complaint.tsx";
import { Complaints, sayLeft } from "./complaints.tsx";

const NOW = Date.parse("2026-11-20T12:30:00.000Z");
const SALE = exampleTransaction({ id: "12" });

type Server = {
  readonly complaint?: ReturnType<typeof exampleComplaint>;
  readonly order?: ReturnType<typeof exampleOrder>;
  post?(asked: Asked): Answer;
};

function serve(server: Server = {}): Asked[] {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  const complaint = server.complaint ?? exampleComplaint();
  return answerCalls((asked) => {
    if (asked.method === "POST") return server.post?.(asked) ?? ok({});
    if (asked.path === "/api/complaints/5") return good({ message: "", complaint });
    if (asked.path.startsWith("/api/complaints")) {
      const complaints = [
        complaint,
        exampleComplaint({ id: "6", status: "rejete", status_label: "Rejetée" }),
      ];
      return good({ complaints, waiting: 1, next_cursor: null });
    }
    if (asked.path.startsWith("/api/transactions")) {
      return good({ transactions: [SALE], next_cursor: null });
    }
    return ok(server.order ?? exampleOrder({ kind: "product", status: "paid" }));
  });
}

const known = { user: exampleUser({ soldeDisponible: 9_000 }) };

test("complaints that wait come first, with the time that is left", async () => {
  serve();
  renderScreen(<Complaints />, { known });
  const due = await screen.findByText("Il vous reste 2 j 21 h");
  const other = screen.getByText("Rejetée");
  expect(due.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("a complaint whose time is over says so in the list, and who decides", async () => {
  serve({ complaint: exampleComplaint({ seller_due_at: new Date(NOW).toISOString() }) });
  renderScreen(<Complaints />, { known });
  await screen.findByText("Le délai est passé : Sésame décide.");
});

test("the record is read, answered once, and what was written stays until it is taken", async () => {
  const said = exampleComplaint({
    entries: [
      ...exampleComplaint().entries,
      {
        author: "vendeur",
        step: "said",
        step_label: "Message",
        words: "Je regarde.",
        at: "2026-11-20T12:30:00.000Z",
      },
    ],
  });
  let answer: Answer = { status: 422, body: { message: "Écrivez quelques mots." } };
  const log = serve({ post: () => answer });
  renderScreen(<Complaint id="5" />, { known });
  expect(await screen.findByText("Je ne suis pas dans le groupe.")).toBeTruthy();
  const field = screen.getByLabelText(/^Votre réponse/) as HTMLTextAreaElement;
  fireEvent.change(field, { target: { value: "Je regarde." } });
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  await findAlert("Écrivez quelques mots.");
  expect(field.value).toBe("Je regarde.");
  answer = good({ message: "Envoyé", complaint: said });
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  await waitFor(() => expect(field.value).toBe(""));
  expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/complaints/5/answer", { message: "Je regarde." }],
    ["/api/complaints/5/answer", { message: "Je regarde." }],
  ]);
  const [first, second] = posts(log).map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBe(second);
});

test("a refund says what leaves the balance, wants its reason, and is asked for once", async () => {
  const log = serve({
    post: () => ({ status: 201, body: { success: true, message: "Lancé", refund: {} } }),
  });
  renderScreen(<Complaint id="5" />, { known });
  fireEvent.click(await screen.findByRole("button", { name: "Rembourser" }));
  const sheet = await screen.findByRole("dialog", { name: "Rembourser cette vente" });
  expect(sheet.textContent).toMatch(/Retiré de votre solde4.100.FCFA/);
  expect(sheet.textContent).toMatch(/Solde disponible ensuite4.900.FCFA/);
  const confirm = screen.getByRole("button", { name: /^Rembourser 5.000.FCFA$/ });
  fireEvent.click(confirm);
  expect(screen.getByText(/^Écrivez la raison du remboursement/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Raison/), { target: { value: "Groupe fermé" } });
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/orders/12/refund", { motif: "Groupe fermé" }],
  ]);
});

test("a balance that is short cannot give it back, and says by how much", async () => {
  serve();
  renderScreen(<Complaint id="5" />, { known: { user: exampleUser({ soldeDisponible: 100 }) } });
  fireEvent.click(await screen.findByRole("button", { name: "Rembourser" }));
  expect(await screen.findByText(/^Il manque 4.000.FCFA/)).toBeTruthy();
  const confirm = screen.getByRole("button", { name: /^Rembourser 5/ }) as HTMLButtonElement;
  expect(confirm.disabled).toBe(true);
});

test("who gives it back from his own account says that he did", async () => {
  const may = { answer: true, contest: false, refund: false, withdraw: false, decide: false };
  const refund = exampleRefund({ rail: "seller", direct: true, status: "a_payer" });
  const log = serve({
    complaint: exampleComplaint({ may }),
    order: exampleOrder({ kind: "product", status: "refunded", direct: true, refund }),
    post: () => good({ message: "Noté", refund }),
  });
  renderScreen(<Complaint id="5" />, { known });
  fireEvent.click(await screen.findByRole("button", { name: "J'ai remboursé" }));
  const reference = await screen.findByLabelText("Référence de l'envoi");
  fireEvent.change(reference, { target: { value: " MP1.24 " } });
  fireEvent.click(screen.getByRole("button", { name: "Oui, c'est fait" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/refunds/3/given-back", { reference: "MP1.24" }],
  ]);
});

test.each([
  [0, null],
  [59_000, null],
  [60_000, "1 min"],
  [3 * 3_600_000 + 5 * 60_000, "3 h 5 min"],
  [71 * 3_600_000, "2 j 23 h"],
])("%i ms before a deadline %s is left", (ms, words) => {
  expect(sayLeft(new Date(NOW + ms).toISOString(), NOW)).toBe(words);
});
