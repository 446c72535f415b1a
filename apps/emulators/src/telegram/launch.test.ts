import { validate } from "@tma.js/init-data-node";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signInitData } from "./opener.ts";
import { TOKENS, type TestEmulators, testEmulators } from "../testing/test-emulators.ts";

let emulators: TestEmulators;

beforeEach(async () => {
  emulators = await testEmulators();
});

afterEach(() => emulators.close());

function rawOf(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get("tgWebAppData") ?? "";
}

describe("a mini app's launch", () => {
  test("carries init data that an independent library accepts, for its own bot only", () => {
    vi.useFakeTimers({ now: emulators.clock.now() });
    const { url } = emulators.telegram.openMiniApp({
      personId: emulators.buyer,
      bot: "buyer",
      startParam: "abc_12-3",
    });
    const raw = rawOf(url);
    expect(() => validate(raw, TOKENS.buyer)).not.toThrow();
    expect(() => validate(raw, TOKENS.seller)).toThrow();
    expect(() => validate(raw.replace("abc_12-3", "abc_12-4"), TOKENS.buyer)).toThrow();
    vi.useRealTimers();
  });

  test("carries the person, the time and the start parameter, on the origin of the phone", () => {
    const { url } = emulators.telegram.openMiniApp({
      personId: emulators.buyer,
      bot: "buyer",
      startParam: "abc123",
      theme: "dark",
    });
    expect(new URL(url).search).toBe("?tgWebAppStartParam=abc123");
    const data = new URLSearchParams(rawOf(url));
    expect(JSON.parse(data.get("user") ?? "")).toMatchObject({ id: emulators.buyer });
    expect(data.get("start_param")).toBe("abc123");
    expect(data.get("auth_date")).toBe(String(emulators.clock.now().getTime() / 1000));
    expect(data.has("query_id")).toBe(false);
    expect(data.get("chat_type")).toBe("sender");
    const launch = new URLSearchParams(new URL(url).hash.slice(1));
    expect(launch.get("tgWebAppVersion")).toBe("9.6");
    expect(JSON.parse(launch.get("tgWebAppThemeParams") ?? "").bg_color).toBe("#17212b");
  });

  test("from a menu or an inline button has a query id and no chat", () => {
    const { url } = emulators.telegram.openMiniApp({
      personId: emulators.buyer,
      bot: "buyer",
      mode: "menu",
    });
    const data = new URLSearchParams(rawOf(url));
    expect(data.has("query_id")).toBe(true);
    expect(data.has("chat_instance")).toBe(false);
  });

  test("carries the bot's right to write only where it has it", () => {
    const user = () => {
      const { url } = emulators.telegram.openMiniApp({ personId: emulators.buyer, bot: "buyer" });
      return JSON.parse(new URLSearchParams(rawOf(url)).get("user") ?? "") as object;
    };
    expect(user()).not.toHaveProperty("allows_write_to_pm");
    emulators.telegram.sendMessage({
      personId: emulators.buyer,
      to: { bot: "buyer" },
      text: "/start",
    });
    expect(user()).toHaveProperty("allows_write_to_pm", true);
  });

  test("writes a space as Telegram does, and still verifies", () => {
    const raw = signInitData(
      { user: { id: 1, first_name: "Aya Ba", language_code: "fr" }, auth_date: 1_700_000_000 },
      "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8",
    );
    expect(raw).toContain("Aya%20Ba");
    expect(() =>
      validate(raw, "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8", { expiresIn: 0 }),
    ).not.toThrow();
  });
});

describe("an address tapped in Telegram", () => {
  const open = (url: string) => emulators.telegram.openLink({ personId: emulators.buyer, url });

  test("leads where Telegram leads", () => {
    expect(open("https://t.me/SesameBot?startapp=abc").kind).toBe("miniApp");
    expect(open("t.me/sesamebot?start=p1")).toEqual({
      kind: "dialog",
      bot: "buyer",
      startPayload: "p1",
    });
    expect(open("tg://resolve?domain=SesameBot&startapp=abc").kind).toBe("miniApp");
    expect(open("https://t.me/SesameBot/boutique?startapp=abc").kind).toBe("unknown");
    expect(open("https://t.me/SesameVendeurBot?startchannel&admin=invite_users")).toMatchObject({
      kind: "addToChannel",
      rights: ["invite_users"],
      choices: [],
    });
    expect(open("https://t.me/share/url?url=https%3A%2F%2Fa.ci&text=Voir")).toEqual({
      kind: "share",
      url: "https://a.ci",
      text: "Voir",
    });
    expect(open("https://t.me/+zzz")).toMatchObject({
      kind: "invite",
      invite: { state: "unknown" },
    });
    expect(open("https://wa.me/225")).toEqual({ kind: "browser", url: "https://wa.me/225" });
    expect(open("https://t.me/nobody").kind).toBe("unknown");
  });
});
