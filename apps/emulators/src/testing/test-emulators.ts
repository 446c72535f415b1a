import { type AdjustableClock, stoppedClock } from "@sesame/kernel";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { startEmulators, type Emulators, type EmulatorOptions } from "../index.ts";
import type { Update } from "grammy/types";
import { type Receiver, startReceiver } from "./receiver.ts";
import { openSchema } from "./schema-check.ts";
import type { BotRole } from "../wire.ts";

export const TOKENS = { seller: "1111111111:SELLERtoken_-x", buyer: "2222222222:BUYERtoken_-x" };
export const SECRET_KEY = "test_secret_key";
export const WEBHOOK_SECRET = "test-moneroo-secret";
/** The master key and the secret are those of published vectors. */
export const PAYDUNYA = {
  masterKey: "test-master-key",
  privateKey: "live_private_test",
  token: "test-paydunya-token",
};
export const FEDAPAY = {
  secretKey: "sk_sandbox_test",
  publicKey: "pk_sandbox_test",
  webhookSecret: "test-fedapay-secret",
};
export const KKIAPAY = {
  publicKey: "kkiapay-public-test",
  privateKey: "tpk_kkiapay_test",
  secretKey: "tsk_kkiapay_test",
  webhookSecret: "test-kkiapay-secret",
};
/** The token is that of published vectors. */
export const CRYPTOPAY = { token: "12345:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" };
const MORNING = new Date("2026-03-02T08:00:00.000Z");

export type Answer = {
  ok: boolean;
  // Tests read an answer field by field: its shape is the schema check's work.
  result?: Record<string, unknown>;
  error_code?: number;
  description?: string;
  parameters?: { migrate_to_chat_id?: number; retry_after?: number };
};

export type TestEmulators = Emulators & {
  clock: AdjustableClock;
  seller: number;
  buyer: number;
  stranger: number;
  /** Calls a method as JSON. */
  call(bot: BotRole, method: string, params?: object): Promise<Answer>;
  /** The text of a refusal. */
  refusal(bot: BotRole, method: string, params?: object): Promise<string>;
  /** Updates queued so far for that bot. */
  updates(bot: BotRole): Update[];
  /** Mistakes that the schema check found in all calls. */
  complaints(): string[];
};

/** Emulators on a stopped clock; every call is checked against the schema. */
export async function testEmulators(
  options: Partial<EmulatorOptions> = {},
): Promise<TestEmulators> {
  const clock = options.clock ?? stoppedClock(MORNING);
  const emulators = await startEmulators({
    port: 0,
    appUrl: "http://127.0.0.1:9",
    sellerBotToken: TOKENS.seller,
    buyerBotToken: TOKENS.buyer,
    moneroo: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
    paydunya: PAYDUNYA,
    fedapay: FEDAPAY,
    cryptopay: CRYPTOPAY,
    kkiapay: KKIAPAY,
    announceInitiated: false,
    ...options,
    clock,
  });
  const schema = openSchema();
  const complaints: string[] = [];
  const seen: { role: BotRole; update: Update }[] = [];
  emulators.telegram.onExchange((exchange) => {
    const unknown = exchange.answer?.ok === false && exchange.answer.error_code === 404;
    if (!unknown) complaints.push(...schema.exchange(exchange));
  });
  emulators.telegram.onUpdate((bot, update) => {
    complaints.push(...schema.update(update));
    for (const role of bot.roles) seen.push({ role, update });
  });
  const call = async (bot: BotRole, method: string, params: object = {}): Promise<Answer> => {
    const answer = await fetch(`${emulators.apiRoot}/bot${TOKENS[bot]}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(params),
    });
    return (await answer.json()) as Answer;
  };
  const people = emulators.state().persons.map((person) => person.id);
  const [seller = 0, buyer = 0, , stranger = 0] = people;
  return {
    ...emulators,
    clock,
    seller,
    buyer,
    stranger,
    call,
    refusal: async (bot, method, params) => {
      const answer = await call(bot, method, params);
      return answer.ok ? "no refusal" : `${answer.error_code} ${answer.description}`;
    },
    updates: (bot) => seen.filter(({ role }) => role === bot).map(({ update }) => update),
    complaints: () => complaints,
  };
}

/**
 * Emulators for each test, or once for those of a file, and the receiver of what they send to the
 * app: both are there when a test begins. No answer and no update may be against the schema.
 */
export function emulatorsEach(
  options: Partial<EmulatorOptions> = {},
  lifetime: "test" | "file" = "test",
): { readonly emulators: TestEmulators; readonly receiver: Receiver } {
  const emulators = {} as TestEmulators;
  const receiver = {} as Receiver;
  const [before, after] = lifetime === "test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    await startReceiver(receiver);
    Object.assign(emulators, await testEmulators({ appUrl: receiver.url, ...options }));
  });
  after(async () => {
    await emulators.close();
    await receiver.close();
    expect(emulators.complaints()).toEqual([]);
  });
  return { emulators, receiver };
}

/** A private supergroup of the seller's, with the seller bot in it. */
export function groupWithBot(
  emulators: TestEmulators,
  rights = ["invite_users", "restrict_members", "manage_chat"] as Parameters<
    Emulators["telegram"]["addBot"]
  >[0]["rights"],
): number {
  const { chatId } = emulators.telegram.createChat({
    ownerId: emulators.seller,
    kind: "supergroup",
    title: "VIP",
  });
  emulators.telegram.addBot({ personId: emulators.seller, chatId, bot: "seller", rights });
  return chatId;
}

/** Asks for the updates that come only by name. */
export async function askForAllUpdates(emulators: TestEmulators): Promise<void> {
  await emulators.call("seller", "getUpdates", {
    allowed_updates: ["message", "my_chat_member", "chat_member", "chat_join_request"],
  });
}
