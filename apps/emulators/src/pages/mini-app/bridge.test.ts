import { describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import type { InvoiceView } from "../../wire.ts";
import type { PhoneHandle, Sheet, PhoneUi } from "../phone/phone-state.ts";
import { THEMES } from "../../theme.ts";
import {
  type BridgeContext,
  buttonFrom,
  FIRST_APP_STATE,
  openInvoice,
  readBridgeMessage,
  themedUrl,
} from "./mini-app.tsx";

describe("a message of the bridge", () => {
  test.each([
    ['{"eventType":"web_app_ready"}', {}],
    ['{"eventType":"web_app_ready","eventData":""}', {}],
    ['{"eventType":"web_app_ready","eventData":null}', {}],
    ['{"eventType":"web_app_ready","eventData":{"a":1}}', { a: 1 }],
  ])("is read with each form of no data: %s", (raw, data) => {
    expect(readBridgeMessage(raw)).toEqual({ eventType: "web_app_ready", data });
  });

  test.each([[{ eventType: "web_app_ready" }], ["not json"], ["{}"], [undefined]])(
    "is ignored when it is not one of the bridge: %j",
    (raw) => {
      expect(readBridgeMessage(raw)).toBeNull();
    },
  );
});

describe("a native button", () => {
  const shown = buttonFrom({ is_visible: true, text: "PAYER" }, FIRST_APP_STATE.main);

  test("keeps its text when it is only hidden", () => {
    const hidden = buttonFrom({ is_visible: false }, shown);
    expect(hidden).toMatchObject({ visible: false, text: "PAYER" });
  });

  test("is not shown without a text", () => {
    expect(buttonFrom({ is_visible: true, text: " " }, FIRST_APP_STATE.main).visible).toBe(false);
  });

  test("keeps its state when a field has the wrong type", () => {
    expect(buttonFrom({ is_active: "no", text: 4 }, shown)).toEqual(shown);
  });
});

test("the phone's colours replace those of the launch, and the init data stay byte for byte", () => {
  const initData = "user=%7B%22id%22%3A1%7D&auth_date=1&signature=a%2Bb-_&hash=ff";
  const url = `http://app.test/?tgWebAppStartParam=r#tgWebAppData=${encodeURIComponent(initData)}&tgWebAppThemeParams=%7B%7D`;
  const themed = new URL(themedUrl(url, "dark"));
  const params = new URLSearchParams(themed.hash.slice(1));
  expect(params.get("tgWebAppData")).toBe(initData);
  expect(JSON.parse(params.get("tgWebAppThemeParams") ?? "")).toEqual(THEMES.dark);
  expect(themed.search).toBe("?tgWebAppStartParam=r");
});

const INVOICE: InvoiceView = {
  slug: "abc",
  bot: "buyer",
  botName: "Sésame",
  title: "Club VIP",
  description: "Un mois",
  amount: 625,
  stars: 5_000,
};

/** A mini app on a phone whose emulators answer this, with this sheet open already. */
function app(gives: InvoiceView | null, sheet: Sheet | null = null) {
  const post = vi.fn();
  const dispatch = vi.fn();
  const act = vi.fn(async () => (gives === null ? null : { gives }));
  const phone = { act, dispatch, ui: { sheet } } as unknown as PhoneHandle;
  return { post, dispatch, act, context: { phone, post } as unknown as BridgeContext };
}

test("an invoice opens its sheet, and the app receives how it was closed", async () => {
  const { context, act, dispatch, post } = app(INVOICE);
  openInvoice(context, { slug: "abc" });
  await eventually(() => expect(dispatch).toHaveBeenCalled());
  expect(act).toHaveBeenCalledWith("previewInvoice", { link: "abc" });
  const [event] = dispatch.mock.calls.flat() as Partial<PhoneUi>[];
  const sheet = event?.sheet?.kind === "invoice" ? event.sheet : null;
  expect(sheet?.invoice).toEqual(INVOICE);
  expect(post).not.toHaveBeenCalled();
  sheet?.onClosed?.("paid");
  expect(post.mock.calls).toEqual([["invoice_closed", { slug: "abc", status: "paid" }]]);
});

test.each([
  ["no such invoice", null, null],
  ["another is open", INVOICE, { kind: "invoice", invoice: INVOICE, onClosed: null } as const],
])("the app gets an answer in each case: %s", async (_why, gives, sheet) => {
  const { context, dispatch, post } = app(gives, sheet);
  openInvoice(context, { slug: "abc" });
  await eventually(() => expect(post).toHaveBeenCalled());
  expect(post).toHaveBeenCalledWith("invoice_closed", { slug: "abc", status: "failed" });
  expect(dispatch).not.toHaveBeenCalled();
});
