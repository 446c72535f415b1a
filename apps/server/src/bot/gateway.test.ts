import { GrammyError } from "grammy";
import { describe, expect, test, onTestFinished, vi } from "vitest";
import {
  floodWaitMs,
  outageOf,
  refusalOf,
  createPacer,
  MESSAGE_SPACING_MS,
  type SendPriority,
} from "./gateway.ts";

function said(code: number, description: string, parameters = {}): GrammyError {
  return new GrammyError(
    "Call failed!",
    { ok: false, error_code: code, description, parameters },
    "sendMessage",
    {},
  );
}

/** Texts of Telegram's own server (reference, §3.6). */
const REFUSALS = [
  [403, "Forbidden: bot was kicked from the supergroup chat", "chat-gone"],
  [403, "Forbidden: bot was kicked from the channel chat", "chat-gone"],
  [403, "Forbidden: bot is not a member of the channel chat", "chat-gone"],
  [403, "Forbidden: the group chat was deleted", "chat-gone"],
  [400, "Bad Request: chat not found", "chat-gone"],
  [400, "Bad Request: not enough rights to manage chat invite link", "rights-missing"],
  [400, "Bad Request: not enough rights to manage chat join requests", "rights-missing"],
  [400, "Bad Request: not enough rights to restrict/unrestrict chat member", "rights-missing"],
  [400, "Bad Request: CHAT_ADMIN_REQUIRED", "rights-missing"],
  [400, "Bad Request: member list is inaccessible", "rights-missing"],
  [400, "Bad Request: user is an administrator of the chat", "is-admin"],
  [400, "Bad Request: USER_ADMIN_INVALID", "is-admin"],
  [400, "Bad Request: can't remove chat owner", "is-admin"],
  [400, "Bad Request: USER_ALREADY_PARTICIPANT", "already-participant"],
  [400, "Bad Request: HIDE_REQUESTER_MISSING", "request-missing"],
  [400, "Bad Request: CHANNELS_TOO_MUCH", "too-many-chats"],
  [400, "Bad Request: USER_CHANNELS_TOO_MUCH", "too-many-chats"],
  [400, "Bad Request: USER_ID_INVALID", "user-unknown"],
  [400, "Bad Request: PARTICIPANT_ID_INVALID", "user-unknown"],
  [400, "Bad Request: user not found", "user-unknown"],
  [400, "Bad Request: member not found", "user-unknown"],
  [403, "Forbidden: user is deactivated", "user-unknown"],
  [400, "Bad Request: method is available for supergroup and channel chats only", "basic-group"],
  [403, "Forbidden: bot can't initiate conversation with a user", "user-unreachable"],
  [403, "Forbidden: the bot can't send messages to the bot", "user-unreachable"],
  [403, "Forbidden: bot was blocked by the user", "blocked"],
  [
    400,
    "Bad Request: query is too old and response timeout expired or query ID is invalid",
    "nothing-to-do",
  ],
  [400, "Bad Request: SOMETHING_NEW", "unknown"],
] as const;

describe("a refusal of Telegram's", () => {
  test.each(REFUSALS)("%i %s is %s", (code, description, kind) => {
    expect(refusalOf(said(code, description))?.kind).toBe(kind);
  });

  test("that names the chat's new id is a migration to it", () => {
    const error = said(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: -1_002_000_000_001,
    });
    expect(refusalOf(error)).toMatchObject({ kind: "migrated", to: -1_002_000_000_001n });
  });
});

describe("an outage of Telegram's", () => {
  test.each([
    [429, "Too Many Requests: retry after 5"],
    [500, "Internal Server Error: restart"],
    [401, "Unauthorized"],
    [409, "Conflict: terminated by other getUpdates request"],
  ])("%i %s says nothing about anybody", (code, description) => {
    expect(refusalOf(said(code, description))).toBeNull();
    expect(outageOf(said(code, description))).toMatchObject({ party: "telegram", retryable: true });
  });

  test("carries the wait that was asked for", () => {
    const flood = said(429, "Too Many Requests: retry after 5", { retry_after: 5 });
    expect(floodWaitMs(flood)).toBe(5_000);
    expect(outageOf(flood).retryAfterMs).toBe(5_000);
  });

  test("is what a broken connection is", () => {
    expect(refusalOf(new Error("socket hang up"))).toBeNull();
    expect(outageOf(new Error("socket hang up")).retryable).toBe(true);
  });
});

describe("the pacer of messages", () => {
  test("lets the urgent ones go before those that came earlier", async () => {
    const pacer = createPacer(1);
    const gone: string[] = [];
    const send = (name: string, priority: SendPriority) =>
      pacer.turn(priority).then(() => gone.push(name));
    await Promise.all([
      send("first", 3),
      send("reminder", 2),
      send("broadcast", 3),
      send("access", 0),
      send("receipt", 1),
      send("second access", 0),
    ]);
    expect(gone).toEqual(["first", "access", "second access", "receipt", "reminder", "broadcast"]);
  });

  test("never lets two go closer than its spacing, which is within Telegram's thirty a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const pacer = createPacer(MESSAGE_SPACING_MS);
    const at: number[] = [];
    const turns = Array.from({ length: 5 }, () =>
      pacer.turn(1).then(() => at.push(performance.now())),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(turns);
    const gaps = at.slice(1).map((instant, index) => instant - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 / 30);
  });
});
