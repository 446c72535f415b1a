import { Agent, request } from "node:http";
import { type SignedNotice, signNotice } from "../bulk-sales.ts";
import { setTimeout as pace } from "node:timers/promises";

export type Sender = {
  /** Orders whose notice was answered 200. */
  readonly acknowledged: ReadonlySet<bigint>;
  stop(): Promise<void>;
};

const CLIENTS = 16;
const PACE_MS = 30;
const REPEATED = 0.1;

/**
 * A provider that sends each notice until it is answered 200, and some of them again: what it
 * counts as acknowledged must never be lost.
 */
export function startSending(url: string, orders: readonly bigint[], chance: () => number): Sender {
  const acknowledged = new Set<bigint>();
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let next = 0;
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      // When all has been said, of payments nobody knows: what was acknowledged is never said again,
      // or a loss would mend itself.
      const order = orders[next++] ?? null;
      const notice = signNotice(order ?? BigInt(-next));
      while (!stopped && (await post(url, notice, agent)) !== 200) await pace(20);
      if (stopped) break;
      if (order !== null) acknowledged.add(order);
      if (chance() < REPEATED) await post(url, notice, agent);
      await pace(PACE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** → the status, or 0 when nobody answered. */
function post(url: string, notice: SignedNotice, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      "x-moneroo-signature": notice.signature,
    };
    const sent = request(url, { method: "POST", agent, headers, timeout: 3_000 }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", () => resolve(0));
    });
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(0));
    sent.end(notice.body);
  });
}
