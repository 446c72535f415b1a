import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type KkiapayGlobals, kkiapayGlobals, MESSAGE_NAMES, readMessage } from "./loader.ts";

/** KkiaPay's own loader, from npm: it adds itself to the page's globals. */
type Own = KkiapayGlobals;

const WIDGET = "http://emulators.test/kkiapay/widget";
const frames: HTMLElement[] = [];
let theirs: Own;
let ours: Own;
let names: Record<string, string>;

/** A frame here loads nothing: it only sends what the test makes it send. */
beforeAll(async () => {
  const create = document.createElement.bind(document);
  vi.spyOn(document, "createElement").mockImplementation((name: string) => {
    if (name !== "iframe") return create(name);
    const frame = Object.assign(create("div"), { contentWindow: { postMessage: said } });
    frames.push(frame);
    return frame;
  });
  const loader = (await import("kkiapay")) as { ListenerEventName: Record<string, string> };
  names = loader.ListenerEventName;
  theirs = { ...(window as unknown as Own) };
  ours = kkiapayGlobals(window, WIDGET);
});

const said = vi.fn();
afterEach(() => said.mockClear());

const postFromFrame = (name: string, data: unknown) =>
  window.dispatchEvent(new MessageEvent("message", { data: { name, data } }));

const FUNCTIONS = [
  "openKkiapayWidget",
  "closeKkiapayWidget",
  "addWidgetInitListener",
  "addKkiapayCloseListener",
  "addWidgetDestroyedListener",
  "addPaymentInitListener",
  "addPaymentEndListener",
  "addPaymentAbortedListener",
  "addFeedbackListener",
  "addPendingListener",
  "addFailedListener",
  "addSuccessListener",
  "onNetworkStateChanged",
  "addKkiapayListener",
  "removeKkiapayListener",
] as const;

describe("the emulators' k.js, compared with KkiaPay's own loader", () => {
  test("has the same globals and the same names of messages", () => {
    for (const name of FUNCTIONS) {
      expect([name, typeof theirs[name]]).toEqual([name, "function"]);
      expect([name, typeof ours[name]]).toEqual([name, "function"]);
    }
    expect(Object.keys(ours).sort()).toEqual([...FUNCTIONS].sort());
    expect([...MESSAGE_NAMES].sort()).toEqual(Object.values(names).sort());
    for (const name of MESSAGE_NAMES) expect(readMessage({ name })?.name).toBe(name);
  });

  test.each(FUNCTIONS.filter((name) => /^add(?!Kkiapay)|^on/.test(name)))(
    "%s receives the same message",
    (name) => {
      const received = (globals: Own): string[] => {
        const all: string[] = [];
        const add = globals[name] as (listener: (data?: unknown) => void) => void;
        for (const message of MESSAGE_NAMES.filter((one) => one !== "WAVE_LINK")) {
          add((data) => all.push(`${message}:${JSON.stringify(data)}`));
          postFromFrame(message, { transactionId: message });
        }
        add(() => {});
        return all;
      };
      const own = received(theirs);
      expect(own).toHaveLength(1);
      expect(received(ours)).toEqual(own);
    },
  );

  test("a later listener replaces the earlier, and a removed one receives nothing", () => {
    for (const globals of [theirs, ours]) {
      const [first, second] = [vi.fn(), vi.fn()];
      globals.addSuccessListener(first);
      globals.addKkiapayListener("success", second);
      postFromFrame("PAYMENT_SUCCESS", { transactionId: "t1" });
      expect(first).not.toHaveBeenCalled();
      expect(second).toHaveBeenCalledWith({ transactionId: "t1" });
      globals.removeKkiapayListener("success");
      postFromFrame("PAYMENT_SUCCESS", { transactionId: "t2" });
      expect(second).toHaveBeenCalledTimes(1);
    }
  });

  test.each([
    { amount: "5000", key: "pk", sandbox: "true", data: "order-1", partnerId: "order-1" },
    { amount: 100, api_key: "pk", sandbox: true, name: "Awa", phone: 22_961_000_000 },
    { amount: 100, publicAPIKey: "pk", sandbox: "no", position: "top", successCallback: "/ok" },
    { amount: 100, apikey: "pk", paymentmethod: "momo", countries: "BJ, CI" },
    { amount: 100, key: "pk", paymentMethods: ["momo", "wallet"], countries: ["BJ"] },
    { amount: 100, key: "pk", partnerid: "p", data: { order: 1 }, theme: "#0b6e5f" },
  ])("sends the frame the same values for %j", (config) => {
    const sent = (globals: Own, frame: HTMLElement | undefined): unknown => {
      globals.openKkiapayWidget(config);
      frame?.dispatchEvent(new Event("load"));
      globals.closeKkiapayWidget();
      return said.mock.lastCall?.[0];
    };
    const own = sent(theirs, frames[0]);
    expect(own).toMatchObject({ name: "INIT_WIDGET", data: { host: window.location.href } });
    expect(sent(ours, frames[1])).toEqual(own);
    expect(said.mock.lastCall?.[1]).toBe("http://emulators.test");
  });

  test("closes the frame when the frame asks for it, and reports that", () => {
    for (const globals of [theirs, ours]) {
      const closed = vi.fn();
      globals.addKkiapayCloseListener(closed);
      globals.openKkiapayWidget({ amount: 100, key: "pk" });
      expect(frames.filter((frame) => frame.isConnected)).toHaveLength(1);
      postFromFrame("CLOSE_WIDGET", undefined);
      expect(frames.filter((frame) => frame.isConnected)).toHaveLength(0);
      expect(closed).toHaveBeenCalledTimes(1);
      globals.addKkiapayCloseListener(() => {});
    }
  });

  test("accepts a message from anywhere, as the real loader does", () => {
    for (const globals of [theirs, ours]) {
      const paid = vi.fn();
      globals.addSuccessListener(paid);
      const data = { name: "PAYMENT_SUCCESS", data: { transactionId: "forged" } };
      window.dispatchEvent(new MessageEvent("message", { data, origin: "https://evil.test" }));
      expect(paid).toHaveBeenCalledWith({ transactionId: "forged" });
    }
  });
});

test("opens the callback with the transaction's id", () => {
  const page = { location: { href: "http://shop.test/pay", assign: vi.fn() } };
  const listeners: ((event: unknown) => void)[] = [];
  const fake = {
    ...page,
    document,
    open: () => null,
    addEventListener: (_name: string, listener: (event: unknown) => void) =>
      void listeners.push(listener),
  } as unknown as Window;
  const globals = kkiapayGlobals(fake, WIDGET);
  globals.openKkiapayWidget({ amount: 100, key: "pk", callback: "/retour?secret=s" });
  globals.closeKkiapayWidget();
  listeners[0]?.({ data: { name: "PAYMENT_SUCCESS", data: { transactionId: "tx-1" } } });
  expect(page.location.assign).toHaveBeenCalledWith(
    "http://shop.test/retour?secret=s&transaction_id=tx-1",
  );
});
