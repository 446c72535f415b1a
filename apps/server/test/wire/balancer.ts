import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { assert } from "@sesame/kernel";
import { setTimeout as pace } from "node:timers/promises";

export type Balancer = {
  readonly url: string;
  /** Backends that said at their last /ready that they can be sent requests. */
  ready(): readonly string[];
  close(): Promise<void>;
};

/** As balancers of clouds do: often enough that `DRAIN_SECONDS` covers several looks. */
const LOOK_EVERY_MS = 100;

/**
 * Sends each request to the next backend whose /ready says 200, over connections kept open, and
 * never a second time: what a backend loses is lost, and seen by the caller as 502.
 */
export async function startBalancer(backends: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const looking = new AbortController();
  let turn = 0;
  const look = async (backend: string) => {
    while (!looking.signal.aborted) {
      const isReady = await fetch(`${backend}/ready`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) ready.add(backend);
      // The last one is kept, as balancers do: it may only have been slow to answer.
      else if (ready.size > 1) ready.delete(backend);
      await pace(LOOK_EVERY_MS);
    }
  };
  const looks = backends.map(look);
  const server = createServer((incoming, answer) => {
    const open = [...ready];
    const backend = open[turn++ % Math.max(1, open.length)];
    const lose = (status: number) => void answer.writeHead(status).end();
    if (backend === undefined) return lose(503);
    const onward = request(
      new URL(incoming.url ?? "/", backend),
      { method: incoming.method, headers: incoming.headers, agent },
      (said) => {
        const { connection: _hop, ...headers } = said.headers;
        answer.writeHead(said.statusCode ?? 502, headers);
        said.pipe(answer);
      },
    );
    onward.on("error", () => lose(502));
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert(typeof address === "object" && address, "the balancer listens");
  return {
    url: `http://127.0.0.1:${address.port}`,
    ready: () => [...ready],
    async close() {
      looking.abort();
      await Promise.all(looks);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
