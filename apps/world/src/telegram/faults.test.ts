import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorld, type TestWorld } from "../testing/test-world.ts";

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld();
  world.telegram.sendMessage({ personId: world.buyer, to: { bot: "buyer" }, text: "/start" });
});

afterEach(() => world.close());

const send = () => world.call("buyer", "sendMessage", { chat_id: world.buyer, text: "x" });
const sent = () => (world.state().dialogs[0]?.messages.length ?? 0) - 1;

describe("a fault on purpose", () => {
  test("hits so many calls of its method, then no more", async () => {
    world.panel.addTelegramFault({
      method: "sendMessage",
      fault: { kind: "tooMany", retryAfterSeconds: 7 },
      times: 2,
    });
    expect(await send()).toEqual({
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 7",
      parameters: { retry_after: 7 },
    });
    expect((await world.call("buyer", "getMe")).ok).toBe(true);
    expect((await send()).ok).toBe(false);
    expect((await send()).ok).toBe(true);
    expect(sent()).toBe(1);
  });

  test("may be any refusal, for one bot", async () => {
    world.panel.addTelegramFault({
      method: "*",
      bot: "buyer",
      fault: { kind: "refusal", code: 400, description: "Bad Request: CHANNELS_TOO_MUCH" },
      times: null,
    });
    expect((await send()).description).toBe("Bad Request: CHANNELS_TOO_MUCH");
    expect((await world.call("seller", "getMe")).ok).toBe(true);
    world.panel.clearFaults({});
    expect((await send()).ok).toBe(true);
  });

  test("may break the line before or after the effect", async () => {
    const { faults } = world.telegram;
    faults.add({ method: "sendMessage", fault: { kind: "dropBefore" }, times: 1 });
    await expect(send()).rejects.toThrow();
    expect(sent()).toBe(0);
    faults.add({ method: "sendMessage", fault: { kind: "dropAfter" }, times: 1 });
    await expect(send()).rejects.toThrow();
    expect(sent()).toBe(1);
  });

  test("may never answer, and does not keep the world from closing", async () => {
    world.telegram.faults.add({ method: "sendMessage", fault: { kind: "hang" }, times: 1 });
    const hanging = send();
    await world.call("buyer", "getMe");
    const refused = expect(hanging).rejects.toThrow();
    await world.close();
    await refused;
  });
});

describe("the delivery of updates", () => {
  const say = (text: string) =>
    world.telegram.sendMessage({ personId: world.buyer, to: { bot: "buyer" }, text });
  const fetched = async () => {
    const { result } = await world.call("buyer", "getUpdates", { offset: first + 1 });
    const updates = result as unknown as { message: { text: string } }[];
    return updates.map((update) => update.message.text);
  };
  let first: number;

  beforeEach(() => {
    first = world.updates("buyer")[0]?.update_id ?? 0;
  });

  test("can be late, on the world's clock", async () => {
    world.panel.setUpdateDelivery({ delayMs: 60_000 });
    say("tard");
    world.clock.advance(59_999);
    expect(world.updates("buyer").length).toBe(1);
    world.clock.advance(1);
    expect(await fetched()).toEqual(["tard"]);
  });

  test("can be twice, out of order, or never", async () => {
    world.panel.setUpdateDelivery({ copies: 2 });
    say("deux fois");
    world.panel.setUpdateDelivery({ copies: 1, reorder: true });
    say("premier");
    say("second");
    world.panel.setUpdateDelivery({ reorder: false, drop: true });
    say("perdu");
    expect(await fetched()).toEqual(["deux fois", "deux fois", "second", "premier"]);
  });
});
