import { beforeEach, describe, expect, test, vi } from "vitest";
import { type CheckoutOptions, fedapay, type FrameMessage } from "./widget.ts";

const ORIGIN = "http://emulators.test";
const widget = fedapay(ORIGIN);
type Response = { reason: string; transaction: Record<string, unknown> };

/** A frame here loads nothing: it is only there. */
beforeEach(() => {
  const create = document.createElement.bind(document);
  vi.spyOn(document, "createElement").mockImplementation((name: string) => {
    if (name !== "iframe") return create(name);
    return Object.assign(create("div"), { className: "frame", contentWindow: {} });
  });
});

const frameNow = () => document.querySelector(".frame") as HTMLIFrameElement;
const says = (message: FrameMessage, origin = ORIGIN, source = frameNow().contentWindow) =>
  window.dispatchEvent(
    new MessageEvent("message", { data: { kind: "fedapay:frame", ...message }, origin, source }),
  );
const close = () => document.querySelector<HTMLButtonElement>("[role=dialog] button")?.click();

function opened(transaction: CheckoutOptions["transaction"]) {
  const responses: Response[] = [];
  const onComplete = (response: Response) => responses.push(response);
  const one = widget.init({ public_key: "pk_sandbox_x", transaction, onComplete });
  one.open();
  return { one, responses };
}

describe("FedaPay's widget", () => {
  test("opens the transaction made by the server, and reports how it ended", () => {
    const { responses } = opened({ id: 1001 });
    expect(frameNow().src).toBe(`${ORIGIN}/fedapay/frame?key=pk_sandbox_x&id=1001`);
    says({ about: "opened", transaction: { id: 1001, status: "pending" } });
    expect(responses).toEqual([]);
    says({ about: "complete", transaction: { id: 1001, status: "approved" } });
    expect(responses).toEqual([
      { reason: widget.CHECKOUT_COMPLETED, transaction: { id: 1001, status: "approved" } },
    ]);
    expect(document.querySelector("[role=dialog]")).toBeNull();
  });

  test("reports that it was closed, with the transaction, and opens again", () => {
    const { one, responses } = opened({ id: 7 });
    one.open();
    expect(document.querySelectorAll(".frame")).toHaveLength(1);
    says({ about: "opened", transaction: { id: 7, status: "pending" } });
    close();
    expect(responses).toEqual([
      { reason: widget.DIALOG_DISMISSED, transaction: { id: 7, status: "pending" } },
    ]);
    one.open();
    expect(document.querySelectorAll(".frame")).toHaveLength(1);
  });

  test("accepts messages from its own frame only", () => {
    const { responses } = opened({ id: 7 });
    const lie: FrameMessage = { about: "complete", transaction: { status: "approved" } };
    says(lie, "http://elsewhere.test");
    says(lie, ORIGIN, window);
    expect(responses).toEqual([]);
  });
});
