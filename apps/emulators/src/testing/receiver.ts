import type { IncomingHttpHeaders } from "node:http";
import { text as readText } from "node:stream/consumers";
import { listen } from "../../../../tools/testing/listen.ts";

type Received = { body: string; headers: IncomingHttpHeaders; at: number };

type Answer = { status: number; body?: string; headers?: object };

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * The receiver of webhooks: a server that keeps them, and answers as a test wants.
 * @param receiver becomes it: another one of the same name, for the next test
 */
export async function startReceiver(receiver = {}) {
  const waiting = new Set<() => void>();
  const received: Received[] = [];
  const server = await listen(async (request, response) => {
    const body = await readText(request);
    const one = { body, headers: request.headers, at: received.length };
    received.push(one);
    const answer = started.answer(one);
    if (answer !== null) response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
    for (const done of waiting) done();
    waiting.clear();
  });
  const started = Object.assign(receiver, {
    ...server,
    received,
    /** Decides each answer; 200 by default. `null` never answers. */
    answer: (() => ({ status: 200 })) as (received: Received) => Answer | null,
    /** Waits until so many have come in all. */
    async until(count: number) {
      while (received.length < count) await new Promise<void>((done) => waiting.add(done));
    },
  });
  return started;
}

export function lastReceived({ received }: Receiver): Received {
  const last = received.at(-1);
  if (last === undefined) throw new Error("nothing was received");
  return last;
}
