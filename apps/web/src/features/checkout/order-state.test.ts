import type { OrderAnswer } from "@sesame/contract/checkout";
import { describe, expect, test } from "vitest";
import { exampleOrder, exampleRefund } from "../../testing/payment-examples.ts";
import { isSettled, stateOfOrder } from "./order-state.ts";

const AT = "2026-11-21T08:00:00.000Z";

type Payment = OrderAnswer["payments"][number];

function payment(status: Payment["status"]): Payment {
  return { provider: "fedapay", provider_name: "FedaPay", status, created_at: AT };
}

const order = (what: Partial<OrderAnswer>) =>
  exampleOrder({ kind: "product", payments: [payment("pending")], ...what });

const access = { expires_at: AT, invite_link: null, entry_paused: false, links: [] };

const STATES: readonly (readonly [string, Partial<OrderAnswer>, string, boolean])[] = [
  ["made, nothing opened", { payments: [] }, "unpaid", true],
  ["failed, nothing opened", { status: "failed", payments: [] }, "unpaid", true],
  ["being paid", {}, "pending", false],
  [
    "of a refused try and another",
    { payments: [payment("refused"), payment("pending")] },
    "pending",
    false,
  ],
  ["refused", { status: "failed", payments: [payment("refused")] }, "failed", false],
  ["paid another amount", { payments: [payment("mismatched")] }, "review", false],
  ["paid", { status: "paid" }, "opening", false],
  [
    "paid, without a link yet",
    { status: "paid", access: { ...access, status: "waiting" } },
    "opening",
    false,
  ],
  [
    "open",
    { status: "paid", access: { ...access, status: "waiting", invite_link: "https://t.me/+a" } },
    "waiting",
    false,
  ],
  [
    "of a group without the bot",
    { status: "paid", access: { ...access, status: "waiting", entry_paused: true } },
    "paused",
    false,
  ],
  ["inside", { status: "paid", access: { ...access, status: "inside" } }, "inside", true],
  ["over", { status: "paid", access: { ...access, status: "ended" } }, "ended", true],
  ["a plan", { status: "paid", kind: "plan" }, "bought", true],
  ["a trial", { status: "paid", kind: "trial" }, "bought", true],
  ["given back by nobody's row", { status: "refunded" }, "refunded", true],
  ["being given back", { status: "refunded", refund: exampleRefund() }, "refunding", false],
  [
    "waiting for a number",
    { status: "refunded", refund: exampleRefund({ status: "numero_attendu" }) },
    "refunding",
    false,
  ],
  [
    "given back",
    { status: "refunded", refund: exampleRefund({ status: "rembourse" }) },
    "refunded",
    true,
  ],
  // The second payment's money goes back; the order is what it was.
  [
    "paid twice",
    { status: "paid", paid_twice: true, refund: exampleRefund({ overpayment: true }) },
    "opening",
    false,
  ],
];

describe("an order, for its buyer", () => {
  test.each(STATES)("%s", (...row) => {
    const [, what, at, settled] = row;
    const state = stateOfOrder(order(what));
    expect(state.at).toBe(at);
    expect(isSettled(state)).toBe(settled);
  });

  test.each([
    ["here", ["other"]],
    [null, []],
  ] as const)("not paid, says where to complain (%s)", (complain, kinds) => {
    const payments = [payment("refused")];
    const state = stateOfOrder(order({ status: "failed", payments, may_complain: [...kinds] }));
    expect(state).toMatchObject({ at: "failed", complain });
  });
});
