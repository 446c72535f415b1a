import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adjustableClock, HOUR_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../../tools/testing/listen.ts";
import {
  groupWithBot,
  testEmulators,
  TOKENS,
  type TestEmulators,
} from "./testing/test-emulators.ts";
import { ask, callers } from "./testing/callers.ts";
import type { EmulatorEvent, EmulatorState } from "./wire.ts";

let emulators: TestEmulators;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulators-"));
});

afterEach(async () => {
  await emulators.close();
  rmSync(folder, { recursive: true });
});

/** Reads server-sent events one by one. */
async function* eventsOf<T>(path: string): AsyncGenerator<T> {
  const answer = await fetch(`${emulators.apiRoot}${path}`);
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield JSON.parse(text.slice("data: ".length, end)) as T;
      text = text.slice(end + 2);
    }
  }
}

const post = (path: string, body: object) => ask(emulators, path, { body });

test("the emulators' clock is sent at once and after each change", async () => {
  emulators = await testEmulators();
  const offsets = eventsOf<{ offset_ms: number }>("/emulators/clock");
  expect((await offsets.next()).value).toEqual({ offset_ms: 0 });
  await post("/emulators/control", { control: "advanceClock", ms: HOUR_MS });
  expect((await offsets.next()).value).toEqual({ offset_ms: HOUR_MS });
  await post("/emulators/control", { control: "setClockOffset", offsetMs: 0 });
  expect((await offsets.next()).value).toEqual({ offset_ms: 0 });
  const refused = await post("/emulators/control", { control: "advanceClock", ms: -1 });
  expect(refused).toEqual({ status: 422, body: { error: "the clock only goes forward" } });
});

describe("the pages", () => {
  test("receive the whole state, each change, and each event", async () => {
    emulators = await testEmulators();
    const events = eventsOf<EmulatorEvent>("/emulators/events");
    const next = async () => (await events.next()).value as EmulatorEvent;
    const first = await next();
    const phones = first.type === "state" && first.state.phones.map(({ id }) => id);
    expect(phones).toEqual(["seller", "buyer", "agent"]);
    const made = await post("/emulators/act", {
      act: "createChat",
      ownerId: emulators.seller,
      kind: "supergroup",
      title: "VIP",
    });
    expect(made.status).toBe(200);
    const second = await next();
    expect(second.type === "state" && second.state.chats[0]?.id).toBe(made.body.chatId);
    emulators.clock.advance(HOUR_MS);
    expect(await next()).toEqual({ type: "clockJumped", offsetMs: HOUR_MS });
  });

  test("receive the reason why a person cannot do something", async () => {
    emulators = await testEmulators();
    const chatId = groupWithBot(emulators);
    const act = { act: "ban", personId: emulators.buyer, chatId, userId: emulators.seller };
    expect((await post("/emulators/act", act)).status).toBe(422);
    expect((await post("/emulators/act", { act: "fly" })).body.error).toBe("unknown action fly");
    expect((await post("/emulators/act", { act: "constructor" })).status).toBe(422);
  });

  test("switch the person who holds a phone", async () => {
    emulators = await testEmulators();
    const taken = { act: "switchPerson", phone: "buyer", personId: emulators.stranger };
    await post("/emulators/act", taken);
    const state = (await ask(emulators, "/emulators/state")).body as unknown as EmulatorState;
    expect(state.phones.find(({ id }) => id === "buyer")?.personId).toBe(emulators.stranger);
  });
});

test("emulators kept in a file have the same state after the next start", async () => {
  const statePath = join(folder, "emulators.json");
  emulators = await testEmulators({ statePath, clock: adjustableClock() });
  const chat_id = groupWithBot(emulators);
  emulators.clock.advance(HOUR_MS);
  const terms = { chat_id, creates_join_request: true };
  const { result } = await emulators.call("seller", "createChatInviteLink", terms);
  const link = String(result?.invite_link);
  emulators.telegram.join({ personId: emulators.buyer, link });
  const initialized = await callers(() => emulators).moneroo("POST", "/payments/initialize", {
    amount: 100,
    currency: "XOF",
    description: "x",
    return_url: "https://app.example/",
    customer: { email: "a@b.c", first_name: "A", last_name: "B" },
  });
  expect(initialized.status).toBe(201);
  const before = emulators.state();
  await emulators.close();
  emulators = await testEmulators({ statePath, clock: adjustableClock() });
  const after = emulators.state();
  expect(after.chats).toEqual(before.chats);
  expect(after.offsetMs).toBe(HOUR_MS);
  const payments = ({ collectors }: EmulatorState) =>
    collectors.flatMap(({ payments }) => payments.map(({ id }) => id));
  expect(payments(before)).toHaveLength(1);
  expect(payments(after)).toEqual(payments(before));
  // Updates nobody fetched wait too.
  const { result: updates } = await emulators.call("seller", "getUpdates");
  expect(updates).toHaveLength(3);
  const who = { chat_id, user_id: emulators.buyer };
  expect((await emulators.call("seller", "approveChatJoinRequest", who)).ok).toBe(true);
});

test("a file of an older version lacks what was added since, and still works", async () => {
  const statePath = join(folder, "emulators.json");
  emulators = await testEmulators({ statePath });
  emulators.telegram.createPerson({ firstName: "Seydou" });
  await emulators.close();
  type Older = Record<string, Record<string, unknown>>;
  const { cryptopay, kkiapay, paydunya, fedapay, mobileMoney, ...older } = JSON.parse(
    readFileSync(statePath, "utf8"),
  ) as Older;
  expect([cryptopay, kkiapay, paydunya, fedapay, mobileMoney]).not.toContain(undefined);
  for (const name of [
    "transactions",
    "nextTransactionNumber",
    "merchants",
    "invoices",
    "stars",
    "payouts",
    "floats",
  ]) {
    for (const part of Object.values(older)) delete part[name];
  }
  writeFileSync(statePath, JSON.stringify(older));
  emulators = await testEmulators({ statePath });
  expect(emulators.state().persons.map(({ firstName }) => firstName)).toContain("Seydou");
  for (const collector of Object.values(emulators.collectors)) expect(collector.list()).toEqual([]);
  for (const merchants of Object.values(emulators.merchants)) {
    const { id } = merchants.open();
    expect(merchants.get(id)?.keys).toEqual(expect.any(Object));
  }
});

describe("a phone", () => {
  test("shows the app on an origin of its own", async () => {
    const app = await listen((request, response) => {
      response.setHeader("content-security-policy", "frame-ancestors *");
      response.end(`${request.method} ${request.url}`);
    });
    onTestFinished(app.close);
    const phonePorts = { seller: 0, buyer: 0, agent: 0 };
    emulators = await testEmulators({ appUrl: app.url, phonePorts });
    const origins = emulators.state().phones.map(({ appOrigin }) => appOrigin);
    expect(new Set(origins).size).toBe(3);
    const launched = emulators.telegram.openMiniApp({ personId: emulators.seller, bot: "seller" });
    expect(new URL(launched.url).origin).toBe(origins[0]);
    const answer = await fetch(`${origins[1]}/api/x?y=1`, { method: "POST", body: "z" });
    expect(await answer.text()).toBe("POST /api/x?y=1");
    expect(answer.headers.get("content-security-policy")).toBe("frame-ancestors *");
  });

  test("is one bot to both when both have the same token", async () => {
    emulators = await testEmulators({ buyerBotToken: TOKENS.seller });
    expect(new Set(emulators.telegram.bots().map(({ id }) => id)).size).toBe(1);
  });
});
