import type { FastifyReply } from "fastify";
import type { WorldEvent } from "../wire.ts";
import type { RunningWorld } from "./running-world.ts";
import { snapshot } from "./snapshot.ts";

/** Many changes come together: one picture of all of them is enough. */
const GATHER_MS = 40;

/** A poll every few seconds tells a visitor nothing. */
const SILENT_METHODS = new Set(["getupdates", "getme"]);

/** Server-sent events: the whole state after each change, and what passes between. */
export function streamEvents(world: RunningWorld, reply: FastifyReply): void {
  const stream = openStream(reply);
  let timer: NodeJS.Timeout | undefined;
  const send = (event: WorldEvent) => stream.write(event);
  const sendState = () => {
    timer = undefined;
    send({ type: "state", state: snapshot(world) });
  };
  const stopListening = world.listen({
    changed: () => {
      timer ??= setTimeout(sendState, GATHER_MS).unref();
    },
    show: send,
  });
  const stopClock = world.clock.onJump(() => {
    send({ type: "clockJumped", offsetMs: world.clock.offsetMs() });
  });
  const stopCalls = world.onExchange(({ method, answer }) => {
    if (SILENT_METHODS.has(method.toLowerCase())) return;
    const status = answer === null ? 0 : answer.ok ? 200 : answer.error_code;
    const at = world.clock.now().toISOString();
    send({ type: "call", at, party: "telegram", what: method, status });
  });
  stream.onEnd(() => {
    stopListening();
    stopCalls();
    stopClock();
    clearTimeout(timer);
  });
  sendState();
}

/** The clock the server follows: its distance to the machine's, at once and after each change. */
export function streamClock(world: RunningWorld, reply: FastifyReply): void {
  const stream = openStream(reply);
  const send = () => stream.write({ offset_ms: world.clock.offsetMs() });
  stream.onEnd(world.clock.onJump(send));
  send();
}

function openStream(reply: FastifyReply) {
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
  return {
    write: (value: object) => {
      reply.raw.write(`data: ${JSON.stringify(value)}\n\n`);
    },
    onEnd: (task: () => void) => {
      reply.raw.once("close", task);
    },
  };
}
