import { afterEach, describe, expect, test, vi } from "vitest";
import { answerNothing } from "../testing/web-server.ts";
import { request, sayError } from "./request.ts";

const OURS = "Une erreur est survenue";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function answer(text: string, init: ResponseInit = {}): void {
  vi.stubGlobal("fetch", async () => new Response(text, init));
}

describe("an answer that is no success", () => {
  test.each([
    ['{"message":"Non merci."}', 422, "Unprocessable", "Non merci.", "Non merci."],
    ["{}", 418, "", "Erreur 418", OURS],
    ["{}", 500, "Internal Server Error", "Erreur 500", OURS],
    ["<html>", 502, "Bad Gateway", "Erreur 502: Le serveur n'a pas répondu correctement", OURS],
  ])("is said in its own words, or by its status, or in the screen's: %s, %i", async (...row) => {
    const [text, status, statusText, message, said] = row;
    answer(text, { status, statusText });
    const error = await request("/api/x").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message, status });
    expect(sayError(error as Error, OURS)).toBe(said);
  });
});

describe("a success that is not JSON", () => {
  test("is an empty object on a read, and unknown on a write", async () => {
    answer("<html>", { status: 200 });
    await expect(request("/api/x")).resolves.toEqual({});
    const message = "Le serveur n'a pas répondu correctement";
    const written = request("/api/x", { method: "POST" });
    await expect(written).rejects.toMatchObject({ status: 0, message, isBare: false });
  });
});

test("an answer that is cut short is none", async () => {
  const cut = new ReadableStream({
    start(body) {
      body.error(new TypeError("network"));
    },
  });
  vi.stubGlobal("fetch", async () => new Response(cut, { status: 200 }));
  for (const method of ["GET", "POST"] as const) {
    const asked = request("/api/x", { method });
    await expect(asked).rejects.toMatchObject({ status: 0, code: "unreachable" });
  }
});

describe("a server that does not answer", () => {
  test("is left after 5 s, or after what the call allows", async () => {
    vi.useFakeTimers();
    answerNothing();
    const said = { message: "La requête a mis trop de temps à répondre", code: "timeout" };
    for (const [options, waitMs] of [
      [{}, 5_000],
      [{ timeoutMs: 30_000 }, 30_000],
    ] as const) {
      const over = vi.fn();
      const asked = expect(request("/api/x", options).finally(over)).rejects.toMatchObject(said);
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(over).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await asked;
    }
  });
});
