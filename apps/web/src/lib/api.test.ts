import { describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { type Answer, answerCalls, goOffline, good } from "../testing/web-server.ts";
import { call, isOffline, setTokenSource, TAKEN_BACK } from "./api.ts";

const success = good({});
const refusal = { success: false, code: "identity.token-refused", message: "" };
const refused: Answer = { status: 401, body: refusal };

function withTokens(current: string | null, renewed: string | null) {
  const renew = vi.fn(async () => renewed);
  setTokenSource({ current: () => current, renew });
  return renew;
}

describe("a call", () => {
  test("signs in again once when its token is refused", async () => {
    const renew = withTokens("old", "new");
    const log = answerCalls(({ headers }) =>
      headers.get("authorization") === "Bearer new" ? success : refused,
    );
    await expect(call("GET /api/channels")).resolves.toEqual({ success: true });
    expect(log.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test("gives the refusal on when the new token is refused too", async () => {
    withTokens("old", "new");
    const log = answerCalls(() => refused);
    await expect(call("GET /api/channels")).rejects.toMatchObject({ status: 401 });
    expect(log).toHaveLength(2);
  });
});

describe("a write", () => {
  test("is asked again under the same key when nobody answers", async () => {
    vi.useFakeTimers();
    withTokens("t", null);
    let asked = 0;
    const log = answerCalls(() => (++asked < 3 ? "silence" : success));
    const done = call("PUT /api/users/:id", { params: { id: "7" }, body: { deja: true } });
    await vi.runAllTimersAsync();
    await expect(done).resolves.toEqual({ success: true });
    const used = new Set(log.map(({ headers }) => headers.get("idempotency-key")));
    expect(log).toHaveLength(3);
    expect(used.size).toBe(1);
    expect([...used][0]).toMatch(/.{20,}/);
  });

  test("is not repeated when it is refused", async () => {
    withTokens("t", null);
    const log = answerCalls(() => ({ status: 422, body: { message: "Non.", code: "x" } }));
    await expect(call("POST /api/channels/refresh")).rejects.toThrow("Non.");
    expect(log).toHaveLength(1);
  });

  test("that may wait leaves when the network is back, under the same key; money does not", async () => {
    vi.useFakeTimers();
    withTokens("t", null);
    const { comeBack } = goOffline();
    const log = answerCalls(() => (isOffline() ? "silence" : success));
    const waiting = call("PUT /api/users/:id", { params: { id: "1" }, body: {}, waits: true });
    const money = call("POST /api/users/retrait/demande", { body: {} });
    const lost = expect(money).rejects.toMatchObject({ status: 0 });
    await vi.runAllTimersAsync();
    await lost;
    const before = log.filter(({ path }) => path === "/api/users/1");
    expect(before).toHaveLength(1);
    comeBack();
    await expect(waiting).resolves.toEqual({ success: true });
    const all = log.filter(({ path }) => path === "/api/users/1");
    expect(all).toHaveLength(2);
    expect(new Set(all.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  test("that waits and is taken back never leaves", async () => {
    withTokens("t", null);
    const { comeBack } = goOffline();
    const log = answerCalls(() => (isOffline() ? "silence" : success));
    const takenBack = new AbortController();
    const sent = { params: { id: "1" }, waits: true, takenBack: takenBack.signal };
    const waiting = expect(call("DELETE /api/products/:id", sent)).rejects.toMatchObject({
      code: TAKEN_BACK,
    });
    await eventually(async () => expect(log).toHaveLength(1));
    takenBack.abort();
    comeBack();
    await waiting;
    expect(log).toHaveLength(1);
  });

  test("that left and is taken back says that nobody answered: it may have counted", async () => {
    vi.useFakeTimers();
    withTokens("t", null);
    const log = answerCalls(() => "silence");
    const takenBack = new AbortController();
    const sent = { params: { id: "1" }, waits: true, takenBack: takenBack.signal };
    const rejected = expect(call("DELETE /api/products/:id", sent)).rejects.toMatchObject({
      status: 0,
      message: "Connexion impossible. Vérifiez votre réseau puis réessayez.",
    });
    await vi.advanceTimersByTimeAsync(1);
    takenBack.abort();
    await vi.runAllTimersAsync();
    await rejected;
    expect(log).toHaveLength(1);
  });

  test("that is taken back before it waits never leaves", async () => {
    withTokens("t", null);
    goOffline();
    const takenBack = new AbortController();
    answerCalls(() => {
      takenBack.abort();
      return "silence";
    });
    const sent = { params: { id: "1" }, waits: true, takenBack: takenBack.signal };
    await expect(call("DELETE /api/products/:id", sent)).rejects.toMatchObject({
      code: TAKEN_BACK,
    });
  });
});
