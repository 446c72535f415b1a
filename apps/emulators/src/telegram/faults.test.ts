import { beforeEach, describe, expect, test } from "vitest";
import { emulatorsEach } from "../testing/test-emulators.ts";
import type { TelegramFault } from "../wire.ts";

const { emulators } = emulatorsEach();

beforeEach(() => {
  const { buyer: personId } = emulators;
  emulators.telegram.sendMessage({ personId, to: { bot: "buyer" }, text: "/start" });
});

const send = () => emulators.call("buyer", "sendMessage", { chat_id: emulators.buyer, text: "x" });
const sent = () => (emulators.state().dialogs[0]?.messages.length ?? 0) - 1;

describe("a fault on purpose", () => {
  test("hits so many calls of its method, then no more", async () => {
    emulators.panel.addTelegramFault({
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
    expect((await emulators.call("buyer", "getMe")).ok).toBe(true);
    expect((await send()).ok).toBe(false);
    expect((await send()).ok).toBe(true);
    expect(sent()).toBe(1);
  });

  test("may be any refusal", async () => {
    emulators.panel.addTelegramFault({
      method: "*",
      fault: { kind: "refusal", code: 400, description: "Bad Request: CHANNELS_TOO_MUCH" },
      times: null,
    });
    expect((await send()).description).toBe("Bad Request: CHANNELS_TOO_MUCH");
    emulators.panel.clearFaults({});
    expect((await send()).ok).toBe(true);
  });

  test.each<[TelegramFault, answered: number | "ok" | "broken", sent: number]>([
    [{ kind: "serverError" }, 500, 0],
    [{ kind: "serverErrorAfter" }, 500, 1],
    [{ kind: "slow", ms: 1 }, "ok", 1],
    [{ kind: "nonsense" }, "broken", 0],
    [{ kind: "dropBefore" }, "broken", 0],
    [{ kind: "dropAfter" }, "broken", 1],
  ])("%j happens once", async (fault, answered, done) => {
    emulators.panel.addTelegramFault({ method: "sendMessage", fault, times: 1 });
    const said = await send().catch(() => null);
    expect(said === null ? "broken" : (said.error_code ?? "ok")).toBe(answered);
    expect(sent()).toBe(done);
    expect(emulators.state().faults.telegram).toEqual([]);
    expect((await send()).ok).toBe(true);
  });

  test("may never answer, and does not keep the emulators from closing", async () => {
    emulators.telegram.faults.add({ method: "sendMessage", fault: { kind: "hang" }, times: 1 });
    const hanging = send();
    await emulators.call("buyer", "getMe");
    const refused = expect(hanging).rejects.toThrow();
    await emulators.close();
    await refused;
  });
});

describe("the delivery of updates", () => {
  const say = (text: string) =>
    emulators.telegram.sendMessage({ personId: emulators.buyer, to: { bot: "buyer" }, text });
  const fetched = async () => {
    const { result } = await emulators.call("buyer", "getUpdates", { offset: first + 1 });
    const updates = result as unknown as { message: { text: string } }[];
    return updates.map((update) => update.message.text);
  };
  let first: number;

  beforeEach(() => {
    first = emulators.updates("buyer")[0]?.update_id ?? 0;
  });

  test("can be late, on the emulators' clock", async () => {
    emulators.panel.setUpdateDelivery({ delayMs: 60_000 });
    say("tard");
    emulators.clock.advance(59_999);
    expect(emulators.updates("buyer").length).toBe(1);
    emulators.clock.advance(1);
    expect(await fetched()).toEqual(["tard"]);
  });

  test("can be twice, out of order, or never", async () => {
    emulators.panel.setUpdateDelivery({ copies: 2 });
    say("deux fois");
    emulators.panel.setUpdateDelivery({ copies: 1, reorder: true });
    say("premier");
    say("second");
    emulators.panel.setUpdateDelivery({ reorder: false, drop: true });
    say("perdu");
    expect(await fetched()).toEqual(["deux fois", "deux fois", "second", "premier"]);
  });
});
