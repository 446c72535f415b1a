import type { ComplaintOnWire } from "@sesame/contract/cases";
import type { StaffOrderOnWire, StaffRefundOnWire } from "@sesame/contract/refunds";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Acts } from "../../kit/use-action.tsx";
import { example } from "../../testing/example.ts";
import { exampleBackOffice } from "../../testing/staff-examples.ts";
import { exampleComplaint, exampleOrder, exampleRefund } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, posts, ok, good } from "../../testing/web-server.ts";
import { StaffComplaint } from "./cases.tsx";
import { StaffNav } from "./frame.tsx";
import { refundOrder } from "./order.tsx";
import { Refunds } from "./refunds.tsx";

const yes = { allowed: true, reason: null };
const no = { allowed: false, reason: null };
const NOW = "2026-11-20T10:00:00.000Z";

const BOTH = {
  buyer: { id: "90", name: "Koffi Mensah", username: null, telegram_id: 5_002 },
  seller: { id: "7", name: "Awa Koné" },
};

const exampleStaffRefund = example<StaffRefundOnWire>({
  ...exampleRefund({ rail: "staff", status: "a_payer", status_label: "À envoyer" }),
  ...BOTH,
  methode: "orange-money-ci",
  methode_nom: "Orange Money CI",
  numero: "+2250701020304",
  numero_label: "+225 07 01 02 03 04",
  kind: "sale",
  title: "Accès VIP mensuel",
  provider: "moneroo",
  provider_name: "Moneroo",
  provider_payment_id: "py_1",
  asked_by: "Vendeur",
  advanced: 0,
  checks: 0,
  check_at: null,
  paid_by: null,
  taken: null,
  provider_fee: 0,
  may: { take: yes, paid: yes, number: yes, returned: no, fee: no },
});

const dialog = () => within(screen.getByRole("dialog"));

function serve(
  given: { readonly refund?: StaffRefundOnWire; readonly complaint?: ComplaintOnWire },
  post: () => Answer = () => ({ status: 500, body: {} }),
): Asked[] {
  return answerCalls(({ method, path }) => {
    if (method === "POST") return post();
    if (path === "/api/desk") return ok(exampleBackOffice());
    const both = { success: true, now: NOW, message: "" };
    if (path.startsWith("/api/desk/refunds")) {
      const counts = { to_pay: 1, open: 1 };
      const refunds = given.refund ? [given.refund] : [];
      return ok({ ...both, refunds, counts, next_cursor: null });
    }
    return ok({ ...both, complaint: given.complaint });
  });
}

test.each([
  [{ refunds_to_pay: 1, complaints_operator: 1 }, "/bureau/remboursements"],
  [{ complaints_operator: 1, tickets: 1 }, "/bureau/reclamations"],
  [{ tickets: 1 }, "/bureau/assistance"],
])("the tab of cases opens the first list with something: %j", async (waiting, path) => {
  const { counts } = exampleBackOffice();
  const body = exampleBackOffice({ counts: { ...counts, ...waiting } });
  answerCalls(() => ok(body));
  renderScreen(<StaffNav />);
  await screen.findByText(body.me.name);
  expect(screen.getByRole("link", { name: /^Dossiers/ }).getAttribute("href")).toBe(path);
});

test("a refund is paid by hand with its proof, once; a refusal stays beside it", async () => {
  const message = "Cette référence prouve déjà un autre paiement.";
  let answer: Answer = { status: 409, body: { code: "x", message } };
  const taken = { by: { id: "3", name: "Awa" }, mine: true, until: NOW };
  const log = serve({ refund: exampleStaffRefund({ taken }) }, () => answer);
  renderScreen(<Refunds />);
  expect(await screen.findByText("+225 07 01 02 03 04")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Marquer payé" }));
  const confirm = () => dialog().getByRole("button", { name: "Confirmer l'envoi" });
  expect((confirm() as HTMLButtonElement).disabled).toBe(true);
  const field = dialog().getByLabelText(/^Référence de l'opérateur/);
  fireEvent.change(field, { target: { value: " PP1 " } });
  fireEvent.click(confirm());
  expect(await dialog().findByText(/prouve déjà un autre paiement/)).toBeTruthy();
  answer = good({ message: "Noté", refund: {} });
  fireEvent.click(confirm());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(posts(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/desk/refunds/3/paid", { reference: "PP1" }],
    ["/api/desk/refunds/3/paid", { reference: "PP1" }],
  ]);
  const [first, second] = posts(log).map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBe(second);
});

test("a refund another agent has, or that waits for its buyer, offers no payment", async () => {
  const taken = { by: { id: "4", name: "Ibrahim" }, mine: false, until: NOW };
  const may = { take: no, paid: no, number: no, returned: no, fee: no };
  serve({ refund: exampleStaffRefund({ taken, may }) });
  renderScreen(<Refunds />);
  expect(await screen.findByText(/^Ibrahim s'en occupe jusqu'à/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Marquer payé" })).toBeNull();
});

test("only who may decide decides, with a reason both sides read", async () => {
  const entries = exampleComplaint().entries;
  const nobody = { answer: true, contest: false, refund: false, withdraw: false, decide: false };
  serve({ complaint: exampleComplaint({ status: "operateur", may: nobody }) });
  renderScreen(<StaffComplaint id="5" />);
  expect(await screen.findByText(new RegExp(entries[0]?.words ?? "-"))).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Rejeter" })).toBeNull();
  cleanup();
  const complaint = exampleComplaint({ status: "operateur", may: { ...nobody, decide: true } });
  const log = serve({ complaint }, () => good({ now: NOW, message: "Rejetée", complaint }));
  renderScreen(<StaffComplaint id="5" />);
  fireEvent.click(await screen.findByRole("button", { name: "Rejeter" }));
  fireEvent.change(dialog().getByLabelText(/^Raison/), { target: { value: "Accès donné" } });
  fireEvent.click(dialog().getByRole("button", { name: "Rejeter" }));
  await waitFor(() => expect(posts(log)).toHaveLength(1));
  expect(posts(log)[0]?.body).toEqual({ decision: "reject", reason: "Accès donné" });
});

test("what a seller lacks for a don that goes back is said, and no access that would end", async () => {
  const { access: _, payments: __, refund: ___, complaint: ____, ...order } = exampleOrder();
  const don: StaffOrderOnWire = {
    ...order,
    kind: "donation",
    kind_label: "Don",
    status: "paid",
    status_label: "Complété",
    fee: 900,
    net: 4_100,
    ...BOTH,
    product_id: "1",
    access_until: null,
    access: null,
    seller_available: 100,
    taken_back: false,
    payments: [],
    refunds: [],
    complaints: [],
    lines: [],
    trace: [],
    may: { refund: yes },
  };
  renderScreen(<Acts of={[refundOrder(don)]} />);
  fireEvent.click(screen.getByRole("button", { name: "Rembourser (opérateur)" }));
  expect(dialog().getByText(/4\s000\sFCFA sont avancés par la plateforme/)).toBeTruthy();
  expect(screen.queryByText(/accès/)).toBeNull();
});
