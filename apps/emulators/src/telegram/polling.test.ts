import { DAY_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { emulatorsEach, groupWithBot, TOKENS } from "../testing/test-emulators.ts";

const { emulators } = emulatorsEach();

function say(text: string): void {
  emulators.telegram.sendMessage({ personId: emulators.buyer, to: { bot: "buyer" }, text });
}

async function poll(params: object = {}) {
  const { result } = await emulators.call("buyer", "getUpdates", params);
  return result as unknown as { update_id: number; message?: { text: string } }[];
}

describe("getUpdates", () => {
  test("gives updates until an offset confirms them", async () => {
    for (const text of ["un", "deux", "trois"]) say(text);
    const all = await poll();
    expect(all.map((update) => update.message?.text)).toEqual(["un", "deux", "trois"]);
    const second = all[1]?.update_id ?? 0;
    expect(second).toBe((all[0]?.update_id ?? 0) + 1);
    const rest = await poll({ offset: second });
    expect(rest.map((update) => update.message?.text)).toEqual(["deux", "trois"]);
    expect(await poll({ offset: second + 2, timeout: 0 })).toEqual([]);
  });

  test("keeps the last ones only with a negative offset, and so many by limit", async () => {
    for (const text of ["un", "deux", "trois"]) say(text);
    expect((await poll({ limit: 2 })).length).toBe(2);
    expect((await poll({ offset: -1 })).map((update) => update.message?.text)).toEqual(["trois"]);
  });

  test("waits for the next update", async () => {
    const waiting = poll({ timeout: 30 });
    say("enfin");
    expect((await waiting)[0]?.message?.text).toBe("enfin");
  });

  test("ends the earlier of two polls with a conflict", async () => {
    const first = emulators.refusal("buyer", "getUpdates", { timeout: 30 });
    // The second must come after the first.
    await emulators.call("buyer", "getMe");
    const second = poll({ timeout: 30, offset: 1 });
    expect(await first).toBe(
      "409 Conflict: terminated by other getUpdates request; make sure that only one bot " +
        "instance is running",
    );
    say("x");
    expect((await second).length).toBe(1);
  });

  test("forgets what nobody fetched within a day", async () => {
    say("vieux");
    emulators.clock.advance(DAY_MS);
    say("neuf");
    expect((await poll()).map((update) => update.message?.text)).toEqual(["neuf"]);
  });

  test("gives chat_member only when it was asked by name", async () => {
    groupWithBot(emulators);
    const link = emulators.state().chats[0]?.inviteLinks[0]?.link ?? "";
    emulators.telegram.join({ personId: emulators.buyer, link });
    expect(emulators.updates("seller").some((update) => update.chat_member)).toBe(false);
    await emulators.call("seller", "getUpdates", { allowed_updates: ["chat_member"] });
    emulators.telegram.leave({
      personId: emulators.buyer,
      chatId: emulators.state().chats[0]?.id ?? 0,
    });
    expect(emulators.updates("seller").at(-1)?.chat_member?.new_chat_member.status).toBe("left");
    // An empty list is the default set again.
    await emulators.call("seller", "getUpdates", { allowed_updates: [] });
    emulators.telegram.join({ personId: emulators.buyer, link });
    expect(emulators.updates("seller").at(-1)?.message?.new_chat_members).toBeDefined();
  });
});

describe("the Bot API", () => {
  const root = () => `${emulators.apiRoot}/bot${TOKENS.buyer}`;

  test("takes any case, GET and POST, query, form and JSON", async () => {
    say("/start");
    const ask = async (path: string, init?: RequestInit) =>
      ((await (await fetch(`${root()}/${path}`, init)).json()) as { ok: boolean }).ok;
    expect(await ask("GETME")).toBe(true);
    expect(await ask(`sendmessage?chat_id=${emulators.buyer}&text=bonjour`)).toBe(true);
    const form = new URLSearchParams({
      chat_id: String(emulators.buyer),
      text: "x",
      reply_markup: JSON.stringify({ inline_keyboard: [[{ text: "A", callback_data: "a" }]] }),
    });
    expect(await ask("sendMessage", { method: "POST", body: form })).toBe(true);
    expect(await ask("getMe", { method: "POST" })).toBe(true);
  });

  test("knows neither foreign tokens nor foreign methods", async () => {
    const status = async (path: string) => {
      const answer = await fetch(`${emulators.apiRoot}${path}`);
      return [answer.status, ((await answer.json()) as { description: string }).description];
    };
    expect(await status("/bot1:x/getMe")).toEqual([401, "Unauthorized"]);
    expect(await status("/botx/getMe")).toEqual([401, "Unauthorized: invalid token specified"]);
    expect(await status(`/bot${TOKENS.buyer}/fly`)).toEqual([404, "Not Found: method not found"]);
  });
});
