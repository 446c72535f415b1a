import { Agent, request } from "node:http";
import { setTimeout as pace } from "node:timers/promises";
import { assert } from "@sesame/kernel";
import { expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { drain, startServer, untilReady } from "../child-server.ts";
import { listen } from "../../../../tools/testing/listen.ts";
import { freePort } from "../http.ts";
import { openOutside, sendWebhook } from "./stranger.ts";

const ROUNDS = process.env["LONG"] === "1" ? 100 : 2;
const WORKERS = 2;
const PACE_MS = 20;

test(`${ROUNDS} rolling restarts behind a balancer that checks /ready lose no request`, async () => {
  const out = await openOutside({ env: { ROLES: "http", DRAIN_SECONDS: "3" } });
  const port = await freePort();
  const env = { ...out.env, PORT: String(port) };
  const second = { env, url: `http://127.0.0.1:${port}`, program: startServer(env) };
  const places = [{ env: out.env, url: out.url, program: out.program }, second];
  await untilReady(second.program, second.url);
  const balancer = await startBalancer(places.map(({ url }) => url));
  await eventually(() => expect(balancer.ready()).toHaveLength(2));

  const statuses = new Map<string, number>();
  let on = true;
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let index = 0; on; index += 1) {
      await pace(PACE_MS);
      const body = JSON.stringify({ event: "payment.success", data: { id: `${worker}-${index}` } });
      const posted = await sendWebhook({ ...out, url: balancer.url }, body).catch(String);
      count(`webhook ${typeof posted === "string" ? posted : posted.status}`);
      // Reads are limited per address, and all workers share one.
      if (index % 5 > 0) continue;
      const read = await fetch(`${balancer.url}/api/config/subscription_durations`).catch(String);
      if (typeof read !== "string") await read.arrayBuffer();
      count(`read ${typeof read === "string" ? read : read.status}`);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = places[round % 2];
    assert(place, "two programs take turns");
    await drain(place.program);
    place.program = startServer(place.env);
    await untilReady(place.program, place.url);
    await eventually(() => expect(balancer.ready()).toHaveLength(2));
  }
  on = false;
  await Promise.all(workers);
  expect([...statuses.keys()].toSorted()).toEqual(["read 200", "webhook 200"]);
  const sent = [...statuses.values()].reduce((sum, each) => sum + each, 0);
  process.stdout.write(`rolling restarts: ${ROUNDS}, ${sent} requests, 0 lost\n`);

  await balancer.close();
  await Promise.all(places.map(({ program }) => program.stop()));
  await out.close();
});

/** Like cloud balancers: often enough that `DRAIN_SECONDS` covers several checks. */
const LOOK_EVERY_MS = 100;

/**
 * Sends each request to the next backend whose /ready answers 200, over connections kept open, and
 * never a second time: a request lost by a backend is lost, and the caller gets 502.
 */
async function startBalancer(backends: readonly string[]) {
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
  const server = await listen((incoming, answer) => {
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
  return {
    url: server.url,
    /** Backends that were ready at their last check. */
    ready: () => [...ready],
    async close() {
      looking.abort();
      await Promise.all(looks);
      await server.close();
      agent.destroy();
    },
  };
}
