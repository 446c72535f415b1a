import { describe, expect, test } from "vitest";
import { buttonFrom, colorFrom, FIRST_APP_STATE, popupButtonsFrom } from "./app-state.ts";
import { readBridgeMessage } from "./fields.ts";

const words = { ok: "OK", close: "Fermer", cancel: "Annuler" };

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

describe("a popup", () => {
  test("names its fixed buttons in French and marks the dangerous one", () => {
    const given = [{ id: "y", type: "destructive", text: "Archiver" }, { type: "cancel" }];
    expect(popupButtonsFrom(given, words)).toEqual([
      { id: "y", text: "Archiver", tone: "destructive" },
      { id: "1", text: "Annuler", tone: "default" },
    ]);
  });

  test("can always be closed", () => {
    expect(popupButtonsFrom(undefined, words)).toEqual([
      { id: "", text: "Fermer", tone: "default" },
    ]);
  });
});

describe("a colour", () => {
  test("is a key of the theme or a hexadecimal value, nothing else", () => {
    expect(colorFrom({ color_key: "secondary_bg_color" })).toEqual({ key: "secondary_bg_color" });
    expect(colorFrom({ color: "#102030" })).toEqual({ hex: "#102030" });
    expect(colorFrom({ color: "url(x)" })).toBeNull();
  });
});
