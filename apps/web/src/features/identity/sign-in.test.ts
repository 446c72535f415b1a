import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { exampleProduct, exampleStart } from "../../testing/wire-examples.ts";
import { createSignIn } from "./sign-in.ts";
import { enterStorage, lastToken, readSaved, save, savePart, wipeStorage } from "./storage.ts";

const NOON = "2026-11-21T12:00:00.000Z";

/** A person's last sign-in on this phone. */
function signedIn(): void {
  enterStorage("5001");
  save("5001", exampleStart(), NOON);
}

test("what a person's last sign-in said is found again by that person", () => {
  signedIn();
  enterStorage("5001");
  expect(readSaved("5001")).toMatchObject({ savedAt: NOON, user: { nom: "Awa Koné" } });
  expect(lastToken()).toBe("t0k");
  // A §9: under these two names, the whole answer among them.
  expect(localStorage.getItem("api_token")).toBe("t0k");
  const { success: _said, token: _proof, ...whole } = exampleStart();
  expect(JSON.parse(localStorage.getItem("auth_response") ?? "null")).toMatchObject(whole);
});

test("what was read since then stands over it, until the next sign-in", () => {
  signedIn();
  savePart("5001", "products", [exampleProduct({ title: "Publié depuis" })]);
  expect(readSaved("5001")).toMatchObject({
    user: { nom: "Awa Koné" },
    products: [{ title: "Publié depuis" }],
  });
  save("5001", exampleStart({ products: [] }), "2026-11-22T12:00:00.000Z");
  expect(readSaved("5001")?.products).toEqual([]);
});

test("who has left this device writes nothing into another's", () => {
  enterStorage("5001");
  enterStorage("5002");
  save("5001", exampleStart(), NOON);
  savePart("5001", "products", [exampleProduct()]);
  expect(Object.keys(localStorage)).toEqual(["telegramUserId"]);
});

test("another person finds nothing of it, and it is wiped", () => {
  signedIn();
  sessionStorage.setItem("sesame.ticket-draft", "{}");
  enterStorage("5002");
  expect(sessionStorage.getItem("sesame.ticket-draft")).toBeNull();
  expect(readSaved("5002")).toBeNull();
  expect(readSaved("5001")).toBeNull();
  expect(lastToken()).toBeNull();
});

test("every key the specification names is cleared, whoever it carries", () => {
  const names =
    "telegramEnvironment telegramUserId telegramUserData telegramInitData api_token " +
    "auth_response userInfos userChannels userProducts vendorSubscriptions " +
    "withdrawalRequests splashHidden";
  for (const name of names.split(" ")) {
    localStorage.setItem(name, "1");
    localStorage.setItem(`${name}:5001`, "1");
  }
  localStorage.setItem("userInfosOfAnother", "1");
  wipeStorage();
  expect(Object.keys(localStorage)).toEqual(["userInfosOfAnother"]);
});

test("clearing touches our keys alone", () => {
  localStorage.setItem("somebody-else", "1");
  signedIn();
  wipeStorage();
  expect(Object.keys(localStorage)).toEqual(["somebody-else"]);
});

test("a broken or partial cache is no cache", () => {
  enterStorage("5001");
  localStorage.setItem("auth_response", "{not json");
  expect(readSaved("5001")).toBeNull();
  localStorage.setItem("auth_response", JSON.stringify({ user: { id: "7" } }));
  expect(readSaved("5001")).toBeNull();
});

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
