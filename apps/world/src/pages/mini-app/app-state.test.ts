import { describe, expect, test } from "vitest";
import { buttonFrom, FIRST_APP_STATE } from "./app-state.ts";
import { readBridgeMessage } from "./fields.ts";

describe("a message of the bridge", () => {
  test.each([
    ['{"eventType":"web_app_ready"}', {}],
    ['{"eventType":"web_app_ready","eventData":""}', {}],
    ['{"eventType":"web_app_ready","eventData":null}', {}],
    ['{"eventType":"web_app_ready","eventData":{"a":1}}', { a: 1 }],
  ])("is understood whatever stands for no data: %s", (raw, data) => {
    expect(readBridgeMessage(raw)).toEqual({ eventType: "web_app_ready", data });
  });

  test.each([[{ eventType: "web_app_ready" }], ["not json"], ["{}"], [undefined]])(
    "is ignored when it is none: %j",
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
