import type { OrderAnswer } from "@sesame/contract/checkout";
import { describe, expect, test } from "vitest";
import { exampleOrder, exampleRefund } from "../../testing/payment-examples.ts";
import { isSettled, stateOfOrder } from "./order-state.ts";

const AT = "2026-11-21T08:00:00.000Z";

type Payment = OrderAnswer["payments"][number];
type Access = NonNullable<OrderAnswer["access"]>;

function payment(status: Payment["status"]): Payment {
  return { provider: "fedapay", provider_name: "FedaPay", status, created_at: AT };
}

const order = (what: Partial<OrderAnswer>) =>
  exampleOrder({ kind: "product", payments: [payment("pending")], ...what });

/** Paid, with its access. */
function opened(part: Partial<Access> & Pick<Access, "status">): Partial<OrderAnswer> {
  const access = { expires_at: AT, invite_link: null, entry_paused: false, links: [], ...part };
  return { status: "paid", access };
}

const refunded = (part: Parameters<typeof exampleRefund>[0]): Partial<OrderAnswer> => ({
  status: "refunded",
  refund: exampleRefund(part),
});

const again = { payments: [payment("refused"), payment("pending")] };
const TWICE = { paid_twice: true, refund: exampleRefund({ overpayment: true }) };
const LINK = "https://t.me/+a";

const STATES: readonly (readonly [string, Partial<OrderAnswer>, string, boolean])[] = [
  ["made, nothing opened", { payments: [] }, "unpaid", true],
  ["failed, nothing opened", { status: "failed", payments: [] }, "unpaid", true],
  ["being paid", {}, "pending", false],
  ["of a refused try and another", again, "pending", false],
  ["refused", { status: "failed", payments: [payment("refused")] }, "failed", false],
  ["paid another amount", { payments: [payment("mismatched")] }, "review", false],
  ["paid", { status: "paid" }, "opening", false],
  ["paid, without a link yet", opened({ status: "waiting" }), "opening", false],
  ["open", opened({ status: "waiting", invite_link: LINK }), "waiting", false],
  [
    "of a group without the bot",
    opened({ status: "waiting", entry_paused: true }),
    "paused",
    false,
  ],
  ["inside", opened({ status: "inside" }), "inside", true],
  ["over", opened({ status: "ended" }), "ended", true],
  ["a plan", { status: "paid", kind: "plan" }, "bought", true],
  ["a trial", { status: "paid", kind: "trial" }, "bought", true],
  ["given back by nobody's row", { status: "refunded" }, "refunded", true],
  ["being given back", refunded({}), "refunding", false],
  ["waiting for a number", refunded({ status: "numero_attendu" }), "refunding", false],
  ["given back", refunded({ status: "rembourse" }), "refunded", true],
  // The second payment's money goes back; the order is what it was.
  ["paid twice", { status: "paid", ...TWICE }, "opening", false],
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
