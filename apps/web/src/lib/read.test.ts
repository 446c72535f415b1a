import { beforeEach, expect, test, vi } from "vitest";
import { answerCalls, ok, good } from "../testing/web-server.ts";
import { setTokenSource } from "./api.ts";
import { askAnew, createQueryClient, read, readAll, readPages } from "./read.ts";

beforeEach(() => setTokenSource({ current: () => "t", renew: async () => null }));

const orderOf = (id: string) => read("GET /api/orders/:id", { params: { id } });

test("a read keeps the field it picks, apart from the whole answer", async () => {
  answerCalls(() => good({ channels: [{ id: "1" }] }));
  const client = createQueryClient();
  const picked = read("GET /api/channels", { pick: "channels" });
  expect(await client.fetchQuery(picked)).toEqual([{ id: "1" }]);
  expect(client.getQueryData(picked.queryKey)).toEqual([{ id: "1" }]);
  expect(client.getQueryData(read("GET /api/channels").queryKey)).toBeUndefined();
});

test("an answer that was not JSON is a failure: what the cache had stays", async () => {
  const client = createQueryClient();
  client.setQueryData(orderOf("5").queryKey, { id: "5" } as never, { updatedAt: 0 });
  vi.stubGlobal("fetch", async () => new Response("<html>", { status: 200 }));
  await expect(client.fetchQuery(orderOf("5"))).rejects.toMatchObject({ status: 200 });
  expect(client.getQueryData(orderOf("5").queryKey)).toEqual({ id: "5" });
});

test("an empty list is an answer; something else in its place is none", async () => {
  const client = createQueryClient();
  const asked = read("GET /api/products/seller/:id", { params: { id: "7" }, isList: true });
  answerCalls(() => good({}));
  await expect(client.fetchQuery(asked)).rejects.toMatchObject({ status: 200 });
  answerCalls(() => ok([]));
  expect(await client.fetchQuery(asked)).toEqual([]);
});

test("every page is read once, each by the cursor of the one before", async () => {
  const log = answerCalls(({ path }) =>
    ok(
      path.includes("cursor=next")
        ? { success: true, complaints: ["b"], next_cursor: null }
        : { success: true, complaints: ["a"], next_cursor: "next" },
    ),
  );
  const pages = await readAll("GET /api/complaints", { query: { limit: 20 } });
  expect(pages.flatMap((page) => page.complaints)).toEqual(["a", "b"]);
  expect(log.map(({ path }) => path)).toEqual([
    "/api/complaints?limit=20",
    "/api/complaints?limit=20&cursor=next",
  ]);
});

test("answers of a call are asked anew whatever it was given, and of no other call", async () => {
  const client = createQueryClient();
  const keys = [
    orderOf("5").queryKey,
    orderOf("6").queryKey,
    readPages("GET /api/complaints").queryKey,
    read("GET /api/plans").queryKey,
  ];
  for (const key of keys) client.setQueryData(key, {} as never);
  await askAnew(client, ["GET /api/orders/:id", "GET /api/complaints"]);
  const stale = keys.map((key) => client.getQueryState(key)?.isInvalidated);
  expect(stale).toEqual([true, true, true, false]);
});
