import { validate } from "@tma.js/init-data-node";
import { describe, expect, test, vi } from "vitest";
import { signInitData } from "./opener.ts";
import { emulatorsEach, TOKENS } from "../testing/test-emulators.ts";

const { emulators } = emulatorsEach();

type Opening = Parameters<typeof emulators.telegram.openMiniApp>[0];

/** The buyers' app on the buyer's phone. → its address, its launch parameters, its init data */
function openApp(more: Partial<Opening> = {}) {
  const { buyer: personId } = emulators;
  const url = new URL(emulators.telegram.openMiniApp({ personId, bot: "buyer", ...more }).url);
  const launch = new URLSearchParams(url.hash.slice(1));
  const raw = launch.get("tgWebAppData") ?? "";
  return { url, launch, raw, data: new URLSearchParams(raw) };
}

describe("a mini app's launch", () => {
  test("carries init data that an independent library accepts, for its own bot only", () => {
    vi.useFakeTimers({ now: emulators.clock.now() });
    const { raw } = openApp({ startParam: "abc_12-3" });
    expect(() => validate(raw, TOKENS.buyer)).not.toThrow();
    expect(() => validate(raw, TOKENS.seller)).toThrow();
    expect(() => validate(raw.replace("abc_12-3", "abc_12-4"), TOKENS.buyer)).toThrow();
    vi.useRealTimers();
  });

  test("carries the person, the time and the start parameter, on the origin of the phone", () => {
    const { url, data, launch } = openApp({ startParam: "abc123", theme: "dark" });
    expect(url.search).toBe("?tgWebAppStartParam=abc123");
    expect(JSON.parse(data.get("user") ?? "")).toMatchObject({ id: emulators.buyer });
    expect(data.get("start_param")).toBe("abc123");
    expect(data.get("auth_date")).toBe(String(emulators.clock.now().getTime() / 1000));
    expect(data.has("query_id")).toBe(false);
    expect(data.get("chat_type")).toBe("sender");
    expect(launch.get("tgWebAppVersion")).toBe("9.6");
    expect(JSON.parse(launch.get("tgWebAppThemeParams") ?? "").bg_color).toBe("#17212b");
  });

  test("from a menu or an inline button has a query id and no chat", () => {
    const { data } = openApp({ mode: "menu" });
    expect(data.has("query_id")).toBe(true);
    expect(data.has("chat_instance")).toBe(false);
  });

  test("carries the bot's right to write only where it has it", () => {
    const user = () => JSON.parse(openApp().data.get("user") ?? "") as object;
    expect(user()).not.toHaveProperty("allows_write_to_pm");
    const { buyer: personId } = emulators;
    emulators.telegram.sendMessage({ personId, to: { bot: "buyer" }, text: "/start" });
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

test("an address tapped in Telegram leads where Telegram leads", () => {
  const some = (part: object) => expect.objectContaining(part) as unknown;
  const channel = { kind: "addToChannel", rights: ["invite_users"], choices: [] };
  const share = { kind: "share", url: "https://a.ci", text: "Voir" };
  for (const [url, where] of [
    ["https://t.me/SesameBot?startapp=abc", some({ kind: "miniApp" })],
    ["t.me/sesamebot?start=p1", { kind: "dialog", bot: "buyer", startPayload: "p1" }],
    ["https://t.me/SesameBot/boutique?startapp=abc", some({ kind: "unknown" })],
    ["https://t.me/SesameVendeurBot?startchannel&admin=invite_users", some(channel)],
    ["https://t.me/share/url?url=https%3A%2F%2Fa.ci&text=Voir", share],
    ["https://t.me/+zzz", some({ kind: "invite", invite: some({ state: "unknown" }) })],
    ["https://wa.me/225", { kind: "browser", url: "https://wa.me/225" }],
    ["https://t.me/nobody", some({ kind: "unknown" })],
  ] as const) {
    const leads = emulators.telegram.openLink({ personId: emulators.buyer, url });
    expect(leads, url).toEqual(where);
  }
});
