import type { AnswerOf } from "@sesame/contract/routes";
import type { TicketOnWire } from "@sesame/contract/cases";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { example } from "../../testing/example.ts";
import { findAlert, renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, posts, ok, good } from "../../testing/web-server.ts";
import { CustomerSupport } from "./customer-support.tsx";
import { IndexFaq } from "./index-faq.tsx";
import { Ticket } from "./ticket.tsx";

const AT = "2026-11-20T10:00:00.000Z";

const PAGE: AnswerOf<"GET /api/support"> = {
  success: true,
  now: AT,
  hours: { open: true, label: "du lundi au vendredi, de 9 h à 18 h", says: "Ouvert jusqu'à 18 h" },
  reply_hours: 24,
  priority: true,
  contacts: { whatsapp: "https://wa.me/22501020304", telegram: null },
  unread: 1,
  subjects: [
    { what: "commande", id: "12", buyer: "Koffi", label: "Accès VIP", amount: 5_000, at: AT },
  ],
};

const exampleTicket = example<TicketOnWire>({
  id: "5",
  kind: "sale",
  kind_label: "Une vente ou un paiement",
  status: "repondu",
  status_label: "Répondu",
  opened_at: AT,
  changed_at: AT,
  closed_at: null,
  order: { id: "12", title: "Accès VIP", amount: 5_000 },
  withdrawal: null,
  preview: "Nous regardons.",
  last_author: "assistance",
  unread: 1,
  priority: true,
  messages: [
    { id: "1", author: "vendeur", words: "L'acheteur n'entre pas.", at: AT },
    { id: "2", author: "assistance", words: "Nous regardons.", at: AT },
  ],
  may: { write: true, close: true },
});

const opened = (ticket: TicketOnWire): Answer => good({ message: "Envoyé", ticket });

function serve(post: (asked: Asked) => Answer, tickets = [exampleTicket()]): Asked[] {
  return answerCalls((asked) => {
    if (asked.method === "POST") return post(asked);
    if (asked.path === "/api/support") return ok(PAGE);
    if (asked.path === "/api/support/faq") {
      const index = [1, 2, 3, 4].map((nth) => ({ question: `Question ${nth}`, answer: "Oui." }));
      return good({ chapters: { settings: [], index, plans: [] } });
    }
    if (asked.path === "/api/support/tickets/5") return opened(tickets[0] ?? exampleTicket());
    return good({ tickets, unread: 1, next_cursor: null });
  });
}

const refused: Answer = { status: 422, body: { message: "Choisissez le sujet de votre demande." } };
const choose = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("the support says when it answers, and a request is tied to a sale and sent once", async () => {
  let answer: Answer = refused;
  const log = serve(() => answer);
  renderScreen(<CustomerSupport />);
  expect(await screen.findByText("Ouvert jusqu'à 18 h")).toBeTruthy();
  expect(screen.getByText(/^Réponse sous 24 h en moyenne, du lundi au vendredi/)).toBeTruthy();
  expect(screen.getByText(/Premium vous donne la priorité/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /WhatsApp/ })).toBeTruthy();
  expect(screen.queryByText("Telegram")).toBeNull();
  expect(await screen.findByText("1 nouvelle réponse")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Écrire au support" }));
  choose(/^Concerne/, "commande:12");
  choose(/^Votre message/, "  L'acheteur n'entre pas dans le groupe.  ");
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  expect(await screen.findByText("Choisissez le sujet de votre demande.")).toBeTruthy();
  // A closed sheet keeps what was written.
  fireEvent.click(screen.getByRole("button", { name: "Annuler" }));
  fireEvent.click(screen.getByRole("button", { name: "Écrire au support" }));
  choose(/^Sujet/, "sale");
  answer = opened(exampleTicket());
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  await waitFor(() => expect(location.pathname).toBe("/CustomerSupport/5"));
  expect(posts(log).at(-1)).toMatchObject({
    path: "/api/support/tickets",
    body: { sujet: "sale", message: "L'acheteur n'entre pas dans le groupe.", commande: "12" },
  });
});

test("a thread is marked read once shown; the same words sent again carry one key", async () => {
  const replies: Answer[] = [{ status: 500, body: { message: "Une erreur" } }];
  const tickets = [exampleTicket()];
  const log = serve(({ path }) => {
    const failed = path.endsWith("/read") ? undefined : replies.shift();
    if (failed) return failed;
    const status = path.endsWith("/read") ? "repondu" : "ouvert";
    tickets[0] = exampleTicket({ status, unread: 0 });
    return opened(tickets[0]);
  }, tickets);
  renderScreen(<Ticket id="5" />);
  expect(await screen.findByText("L'acheteur n'entre pas.")).toBeTruthy();
  await waitFor(() =>
    expect(posts(log).map(({ path }) => path)).toEqual(["/api/support/tickets/5/read"]),
  );
  expect(posts(log)[0]?.headers.get("idempotency-key")).toMatch(/.{20,}/);
  choose(/^Votre message/, "Merci !");
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  await findAlert("Une erreur");
  fireEvent.click(screen.getByRole("button", { name: "Envoyer" }));
  expect(await screen.findByText(/^Nous avons bien reçu votre message/)).toBeTruthy();
  const sent = posts(log).filter(({ path }) => path.endsWith("/messages"));
  const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test("two cards open the two ways to reach people", async () => {
  const opened = vi.fn();
  vi.stubGlobal("open", opened);
  const contacts = { whatsapp: "https://wa.me/22501020304", telegram: "https://t.me/aide" };
  const none = { success: true, tickets: [], unread: 0, next_cursor: null };
  answerCalls(({ path }) => ok(path === "/api/support" ? { ...PAGE, contacts } : none));
  renderScreen(<CustomerSupport />);
  for (const [name, address] of [
    [/WhatsApp/, contacts.whatsapp],
    [/Telegram/, contacts.telegram],
  ] as const) {
    fireEvent.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(opened).toHaveBeenCalledWith(address, "_blank", "noopener"));
  }
});

test("the questions are four, and lead on to whoever finds no answer", async () => {
  serve(() => refused);
  renderScreen(<IndexFaq />);
  expect(await screen.findAllByText(/^Question \d$/)).toHaveLength(4);
  const support = screen.getByRole("link", { name: "Écrire au support" });
  expect(support.getAttribute("href")).toBe("/CustomerSupport");
});
