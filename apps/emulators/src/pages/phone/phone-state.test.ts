import { describe, expect, test } from "vitest";
import type { Launch } from "../../wire.ts";
import {
  FIRST_UI,
  nextUi,
  type PhoneUi,
  goBack,
  goTo,
  minimise,
  openApp,
  reopenApp,
} from "./phone-state.ts";

const options = { personId: 1, bot: "buyer" } as const;
const launch: Launch = { url: "http://app.test/#x", botName: "Sésame", options };
const withApp = (): PhoneUi => nextUi(FIRST_UI, openApp(launch));

describe("what a phone shows", () => {
  test("opening a chat puts the mini app aside and keeps it", () => {
    const ui = nextUi(withApp(), goTo({ at: "chat", chatId: -1 }));
    expect(ui.app).toMatchObject({ minimised: true, generation: 1 });
    expect(ui.stack).toEqual([{ at: "chats" }, { at: "chat", chatId: -1 }]);
  });

  test("a link opened over the mini app leaves it in sight", () => {
    const ui = nextUi(withApp(), { sheet: { kind: "compose" } });
    expect(ui.app?.minimised).toBe(false);
  });

  test("fresh init data reload an app put aside without bringing it forward", () => {
    const aside = nextUi(withApp(), minimise(true));
    const ui = nextUi(aside, reopenApp({ ...launch, url: "http://app.test/#y" }));
    expect(ui.app).toMatchObject({ minimised: true, generation: 2 });
    expect(ui.app?.launch.url).toBe("http://app.test/#y");
  });

  test("an app closed meanwhile is not opened again by a jump of the clock", () => {
    expect(nextUi(FIRST_UI, reopenApp(launch)).app).toBeNull();
  });

  test("back never leaves the list of chats", () => {
    expect(nextUi(FIRST_UI, goBack).stack).toEqual([{ at: "chats" }]);
  });
});
