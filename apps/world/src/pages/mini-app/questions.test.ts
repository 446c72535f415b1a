import { expect, test, vi } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import type { InvoiceView } from "../../wire.ts";
import type { PhoneHandle } from "../phone/phone-context.ts";
import type { Sheet, UiEvent } from "../phone/ui-state.ts";
import type { BridgeContext } from "./handlers.ts";
import { openInvoice } from "./questions.ts";

const INVOICE: InvoiceView = {
  slug: "abc",
  bot: "buyer",
  botName: "Sésame",
  title: "Club VIP",
  description: "Un mois",
  amount: 625,
  photoUrl: null,
  recurring: false,
  stars: 5_000,
};

/** A mini app on a phone whose world answers this, with this sheet open already. */
function app(gives: InvoiceView | null, sheet: Sheet | null = null) {
  const post = vi.fn();
  const dispatch = vi.fn();
  const act = vi.fn(async () => (gives === null ? null : { gives }));
  const phone = { act, dispatch, ui: { sheet } } as unknown as PhoneHandle;
  return { post, dispatch, act, context: { phone, post } as unknown as BridgeContext };
}

test("an invoice opens its sheet, and the app is told how it was closed", async () => {
  const { context, act, dispatch, post } = app(INVOICE);
  openInvoice(context, { slug: "abc" });
  await eventually(() => expect(dispatch).toHaveBeenCalled());
  expect(act).toHaveBeenCalledWith("previewInvoice", { link: "abc" });
  const [event] = dispatch.mock.calls.flat() as Extract<UiEvent, { type: "sheet" }>[];
  const sheet = event?.sheet?.kind === "invoice" ? event.sheet : null;
  expect(sheet?.invoice).toEqual(INVOICE);
  expect(post).not.toHaveBeenCalled();
  sheet?.onClosed?.("paid");
  expect(post.mock.calls).toEqual([["invoice_closed", { slug: "abc", status: "paid" }]]);
});

test.each([
  ["no such invoice", null, null],
  ["another is open", INVOICE, { kind: "invoice", invoice: INVOICE, onClosed: null } as const],
])("the app does not wait for ever: %s", async (_why, gives, sheet) => {
  const { context, dispatch, post } = app(gives, sheet);
  openInvoice(context, { slug: "abc" });
  await eventually(() => expect(post).toHaveBeenCalled());
  expect(post).toHaveBeenCalledWith("invoice_closed", { slug: "abc", status: "failed" });
  expect(dispatch).not.toHaveBeenCalled();
});
