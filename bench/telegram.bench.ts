import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@sesame/kernel";
import { createGateway, MESSAGE_SPACING_MS } from "../apps/server/src/bot/gateway.ts";
import { sendJson } from "../apps/server/test/http.ts";
import { listen } from "../tools/testing/listen.ts";
import { milliseconds, percent, quantile, rowOf, say } from "./figures.ts";

const LIMIT = 30;
const BROADCAST = 600;
const URGENT_EVERY_MS = 200;

/**
 * A bot's messages to a Telegram that takes thirty a second and answers 429 beyond that: the share
 * of the limit that is used, and the wait of a message about a membership beside a broadcast
 * (QUALITY P9). Then two processes of the same bot, which do not know of each other.
 */
export async function run(): Promise<void> {
  const one = await broadcast(1, BROADCAST);
  say(
    percent("P9 of Telegram's limit used", (100 * one.perSecond) / LIMIT, { atLeast: 95 }),
    refusals("P9 messages answered 429", one.refused, { atMost: 0 }),
    milliseconds("P9 a message about access beside them, slowest hundredth", one.urgentP99, {
      atMost: 1_000,
    }),
  );
  const two = await broadcast(2, BROADCAST / 4);
  say(refusals("P9 messages answered 429, two processes at once", two.refused, { atMost: 0 }));
}

const refusals = rowOf("refusals");

/** Sends many messages from each process at once, with urgent ones among them. */
async function broadcast(processes: number, messages: number) {
  const telegram = await startStrictTelegram();
  const end = new AbortController();
  const gateways = Array.from({ length: processes }, () =>
    createGateway({
      bot: "buyer",
      token: "7000000002:bench",
      apiRoot: telegram.url,
      clock: systemClock,
      messageSpacingMs: MESSAGE_SPACING_MS,
      end: end.signal,
    }),
  );
  const waits: number[] = [];
  const send = async (gateway: (typeof gateways)[number], priority: 0 | 3) => {
    const startedAt = performance.now();
    await gateway
      .call("sendMessage", { chat_id: 1, text: "Bonjour" }, { priority })
      .catch(() => null);
    if (priority === 0) waits.push(performance.now() - startedAt);
  };
  let going = true;
  const urgent = async () => {
    for (; going; await sleep(URGENT_EVERY_MS))
      await Promise.all(gateways.map((one) => send(one, 0)));
  };
  const startedAt = performance.now();
  const asked = gateways.flatMap((one) => Array.from({ length: messages }, () => send(one, 3)));
  const urgents = urgent();
  await Promise.all(asked);
  const seconds = (performance.now() - startedAt) / 1_000;
  going = false;
  await urgents;
  end.abort();
  await telegram.close();
  const { taken, refused } = telegram.counts;
  return { perSecond: taken / seconds, refused, urgentP99: quantile(waits, 0.99) };
}

async function startStrictTelegram() {
  const arrivals: number[] = [];
  const counts = { taken: 0, refused: 0 };
  const server = await listen((request, response) => {
    request.resume();
    const now = performance.now();
    while (arrivals[0] !== undefined && arrivals[0] <= now - 1_000) arrivals.shift();
    if (arrivals.length >= LIMIT) {
      counts.refused += 1;
      const refusal = { ok: false, error_code: 429, description: "Too Many Requests" };
      return sendJson(response, 429, { ...refusal, parameters: { retry_after: 1 } });
    }
    arrivals.push(now);
    counts.taken += 1;
    const result = { message_id: counts.taken, date: 0, chat: { id: 1, type: "private" } };
    sendJson(response, 200, { ok: true, result });
  });
  return { ...server, counts };
}
