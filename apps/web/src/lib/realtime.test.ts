import { beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { openRealtime } from "./realtime.ts";

type Handler = (body?: unknown) => void;
const io = vi.hoisted(() => vi.fn());
vi.mock("socket.io-client", () => ({ io }));

const handlers = new Map<string, Handler>();

beforeEach(() => {
  handlers.clear();
  io.mockReset().mockImplementation(() => ({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    close: vi.fn(),
  }));
  vi.stubGlobal("requestIdleCallback", (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal("cancelIdleCallback", clearTimeout);
});

describe("the live connection", () => {
  test("keeps trying as the specification says, and refreshes after each return", async () => {
    const received: unknown[] = [];
    const connected = vi.fn();
    const on = (event: string, body: unknown) => received.push([event, body]);
    const events = ["payment_received", "chatadd", "user:joined", "user:left"];
    const close = openRealtime({ token: () => "t0k", events, on, connected });
    await eventually(() => expect(handlers.size).toBeGreaterThan(4));
    const [options] = io.mock.calls[0] ?? [];
    expect(options).toMatchObject({
      transports: ["websocket", "polling"],
      timeout: 20_000,
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 5_000,
      randomizationFactor: 0.5,
    });
    // Without a number of attempts, the client never gives up.
    expect(options).not.toHaveProperty("reconnectionAttempts");
    for (const event of events) handlers.get(event)?.(event);
    expect(received).toHaveLength(4);
    handlers.get("connect")?.();
    expect(connected.mock.calls).toEqual([[true]]);
    handlers.get("connect")?.();
    expect(connected.mock.calls).toEqual([[true], [false]]);
    // The server's own connection was lost, and the socket was not.
    handlers.get("resync")?.({});
    expect(connected.mock.calls).toEqual([[true], [false], [false]]);
    close();
  });

  test("that cannot be made is logged, and nothing else", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    io.mockImplementation(() => {
      throw new Error("no network");
    });
    const nothing = () => undefined;
    openRealtime({ token: () => null, events: [], on: nothing, connected: nothing });
    await eventually(() => expect(warn).toHaveBeenCalled());
  });
});
