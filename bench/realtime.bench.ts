import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../apps/server/src/postgres/database.ts";
import { publish } from "../apps/server/src/realtime/events.store.ts";
import { listenTo } from "../apps/server/test/wire/sockets.ts";
import { openOutside, signIn } from "../apps/server/test/wire/stranger.ts";
import { buildPages } from "../tools/launch/build.ts";
import { milliseconds, quantile, say } from "./figures.ts";

const PEOPLE = 50;
const EVENTS = 5_000;
const PACE = 500;
const WORKERS = 16;

/**
 * The time from a transaction's COMMIT to the message on the person's socket, at 500 transactions a
 * second (QUALITY P8). The server is a process of its own; people and payments share this one.
 */
export async function run(): Promise<void> {
  buildPages(["web"]);
  const out = await openOutside();
  const sentAt: number[] = [];
  const waits: number[] = [];
  const allReceived = Promise.withResolvers<void>();
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, person) => {
      const { id, token } = await signIn(out, 8_000_000 + person, "acheteur");
      const socket = await listenTo(out.url, { token });
      socket.onReceived(({ body }) => {
        const { event } = body as { event: number };
        waits.push(performance.now() - (sentAt[event] ?? 0));
        if (waits.length === EVENTS) allReceived.resolve();
      });
      return { id, socket };
    }),
  );
  const { db, close } = openDatabase({ url: out.database.url, poolSize: WORKERS });
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    for (let event = next++; event < EVENTS; event = next++) {
      await sleep(Math.max(0, startedAt + (event * 1_000) / PACE - performance.now()));
      const room = `person:${people[event % PEOPLE]?.id}`;
      await db.transaction().execute(async (tx) => {
        await publish(tx, [{ room, name: "bench", body: { event } }]);
        sentAt[event] = performance.now();
      });
    }
  };
  await Promise.all([...Array.from({ length: WORKERS }, worker), allReceived.promise]);
  for (const { socket } of people) socket.close();
  await close();
  await out.close();
  say(
    milliseconds("   commit → socket at 500 a second, median", quantile(waits, 0.5)),
    milliseconds("P8 commit → socket at 500 a second, slowest hundredth", quantile(waits, 0.99), {
      atMost: 50,
    }),
  );
}
