import { describe, expect, test, vi } from "vitest";
import { answerCalls, ok } from "../testing/web-server.ts";
import { ask, sayError } from "./request.ts";

const OURS = "Une erreur est survenue";

function answer(text: string, init: ResponseInit = {}): void {
  vi.stubGlobal("fetch", async () => new Response(text, init));
}

test("a call is made as it is declared: its names, what is said of its query, its key", async () => {
  const log = answerCalls(() => ok({}));
  await ask("GET /api/complaints", { query: { cursor: "", limit: 1 }, token: "t" });
  await ask("GET /api/complaints", { query: { cursor: "a&b" } });
  const params = { id: "a/b" };
  await ask("POST /api/complaints/:id/answer", { params, body: { message: "Non" }, key: "k" });
  const names = ["authorization", "content-type", "idempotency-key"];
  expect(
    log.map(({ method, path, headers, body }) => [
      `${method} ${path}`,
      names.map((name) => headers.get(name)),
      body,
    ]),
  ).toEqual([
    ["GET /api/complaints?limit=1", ["Bearer t", null, null], undefined],
    ["GET /api/complaints?cursor=a%26b", [null, null, null], undefined],
    ["POST /api/complaints/a%2Fb/answer", [null, "application/json", "k"], { message: "Non" }],
  ]);
});

describe("an answer that is no success", () => {
  test.each([
    ['{"message":"Non merci."}', 422, "Unprocessable", "Non merci.", "Non merci."],
    ["{}", 418, "", "Erreur 418", OURS],
    ["{}", 500, "Internal Server Error", "Erreur 500", OURS],
    ["<html>", 502, "Bad Gateway", "Erreur 502: Le serveur n'a pas répondu correctement", OURS],
  ])("is said in its own words, or by its status, or in the screen's: %s, %i", async (...row) => {
    const [text, status, statusText, message, said] = row;
    answer(text, { status, statusText });
    const error = await ask("GET /api/channels", {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message, status });
    expect(sayError(error as Error, OURS)).toBe(said);
  });
});

test("a success that says it is none is a failure, in the server's words or the screen's", async () => {
  for (const [text, said] of [
    ['{"success":false,"message":"Trop tard."}', "Trop tard."],
    ['{"success":false}', OURS],
  ] as const) {
    answer(text, { status: 200 });
    const error = await ask("POST /api/channels/refresh", {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 200 });
    expect(sayError(error, OURS)).toBe(said);
  }
});

describe("a success that is not JSON", () => {
  test("is an empty object on a read, and unknown on a write", async () => {
    answer("<html>", { status: 200 });
    await expect(ask("GET /api/channels", {})).resolves.toEqual({});
    const message = "Le serveur n'a pas répondu correctement";
    const written = ask("POST /api/channels/refresh", {});
    await expect(written).rejects.toMatchObject({ status: 0, message, isBare: false });
  });
});

test("a success that says nothing is one", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  const sent = { params: { secret: "s" }, body: { transaction_id: "t" } };
  await expect(ask("POST /api/payments/:secret/reported-transactions", sent)).resolves.toEqual({});
});

test("an answer that is cut short is none", async () => {
  const cut = new ReadableStream({
    start(body) {
      body.error(new TypeError("network"));
    },
  });
  vi.stubGlobal("fetch", async () => new Response(cut, { status: 200 }));
  for (const name of ["GET /api/channels", "POST /api/channels/refresh"] as const) {
    const asked = ask(name, {});
    await expect(asked).rejects.toMatchObject({ status: 0, code: "unreachable" });
  }
});

describe("a server that does not answer", () => {
  test("is left after 5 s, or after what the call allows", async () => {
    vi.useFakeTimers();
    answerCalls(() => "no end");
    const said = { message: "La requête a mis trop de temps à répondre", code: "timeout" };
    for (const [options, waitMs] of [
      [{}, 5_000],
      [{ timeoutMs: 30_000 }, 30_000],
    ] as const) {
      const over = vi.fn();
      const asked = expect(ask("GET /api/channels", options).finally(over)).rejects.toMatchObject(
        said,
      );
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(over).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await asked;
    }
  });
});
