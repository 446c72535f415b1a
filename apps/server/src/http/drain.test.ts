import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { announceClosing, drainConnections } from "./server.ts";

afterEach(() => void vi.useRealTimers());

/** A server that is asked for half a request, of which the other half never comes. */
async function openDrippedServer(drainSeconds: number) {
  const server = Fastify();
  drainConnections(server, drainSeconds);
  server.post("/", () => "heard");
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const dripping = connect(port, "127.0.0.1");
  const heard = once(server.server, "request");
  dripping.write(
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n1",
  );
  await heard;
  return { server, dripping };
}

test.each([
  { drainSeconds: 0, patienceMs: 6_000 },
  { drainSeconds: 3, patienceMs: 3_000 },
  { drainSeconds: 9, patienceMs: 1_000 },
])(
  "who only drips is cut off $patienceMs ms after $drainSeconds s of warning",
  async ({ drainSeconds, patienceMs }) => {
    const { server, dripping } = await openDrippedServer(drainSeconds);
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
    let isClosed = false;
    dripping.on("error", () => {});
    const cut = once(dripping, "close");
    const closed = server.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(patienceMs - 1);
    expect([isClosed, dripping.closed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    await cut;
    await closed;
  },
);

test("the warning lasts the seconds it is given, none when there are none", async () => {
  const server = Fastify();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await announceClosing(server.server, 0);
  let isOver = false;
  const over = announceClosing(server.server, 3).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(2_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await over;
});
