import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { createSignIn } from "./sign-in.ts";

afterEach(() => vi.unstubAllGlobals());

test("a sign-in that is answered without JSON is asked for once", async () => {
  const asked = vi.fn(async () => new Response("<html>", { status: 200 }));
  vi.stubGlobal("fetch", asked);
  const who = { id: "42", initData: "proof", onRefused: () => undefined };
  await expect(createSignIn(new QueryClient(), who).enter()).rejects.toMatchObject({
    code: "unreadable",
    message: "Le serveur n'a pas répondu correctement",
  });
  expect(asked).toHaveBeenCalledTimes(1);
});
