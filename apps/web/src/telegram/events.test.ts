import { describe, expect, test, vi } from "vitest";
import { isAtLeast, nextEvent, onEvent, postEvent } from "./events.ts";

const OURS = "https://web.telegram.org";

function fromParent(data: unknown, origin = OURS): void {
  window.dispatchEvent(new MessageEvent("message", { data, origin, source: window.parent }));
}

describe("an event of the client's", () => {
  test("is handled from the parent frame, and no more after the listener stops", () => {
    const received: unknown[] = [];
    const stop = onEvent("viewport_changed", (payload) => received.push(payload));
    fromParent('{"eventType":"viewport_changed","eventData":{"height":500}}');
    stop();
    fromParent('{"eventType":"viewport_changed","eventData":{"height":600}}');
    expect(received).toEqual([{ height: 500 }]);
  });

  test("is ignored from another origin, from another window, and when it is malformed", () => {
    const received: unknown[] = [];
    const stop = onEvent("back_button_pressed", () => received.push("back"));
    fromParent('{"eventType":"back_button_pressed"}', "https://evil.example");
    window.dispatchEvent(
      new MessageEvent("message", { data: '{"eventType":"back_button_pressed"}', origin: OURS }),
    );
    for (const nonsense of ["", "{", "null", "[]", '{"event":1}', 7, null]) fromParent(nonsense);
    expect(received).toEqual([]);
    fromParent('{"eventType":"back_button_pressed"}');
    expect(received).toEqual(["back"]);
    stop();
  });

  test("is handled under the names that the applications call", () => {
    const received: unknown[] = [];
    const stop = onEvent("theme_changed", (payload) => received.push(payload));
    const apps = window as unknown as {
      Telegram: { WebView: { receiveEvent(type: string, payload: unknown): void } };
      TelegramGameProxy: { receiveEvent(type: string, payload: unknown): void };
    };
    apps.Telegram.WebView.receiveEvent("theme_changed", { a: 1 });
    apps.TelegramGameProxy.receiveEvent("theme_changed", undefined);
    expect(received).toEqual([{ a: 1 }, {}]);
    stop();
  });

  test("is awaited for as long as said", async () => {
    vi.useFakeTimers();
    const never = nextEvent("write_access_requested", 1_000);
    vi.advanceTimersByTime(1_000);
    expect(await never).toBeNull();
    vi.useRealTimers();
    const answer = nextEvent("write_access_requested", 1_000);
    fromParent('{"eventType":"write_access_requested","eventData":{"status":"allowed"}}');
    expect(await answer).toEqual({ status: "allowed" });
  });
});

test("a method goes to the application as text", () => {
  const sent: unknown[] = [];
  vi.stubGlobal("TelegramWebviewProxy", { postEvent: (...call: unknown[]) => sent.push(call) });
  postEvent("web_app_ready");
  postEvent("web_app_open_link", { url: "https://a.example" });
  expect(sent).toEqual([
    ["web_app_ready", "{}"],
    ["web_app_open_link", '{"url":"https://a.example"}'],
  ]);
});

test("versions are compared by their parts", () => {
  expect(isAtLeast("7.10", "7.7")).toBe(true);
  expect(isAtLeast("6.0", "6.1")).toBe(false);
  expect(isAtLeast("8.0", "7.10")).toBe(true);
  expect(isAtLeast("nonsense", "6.1")).toBe(false);
});
