import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createGuard } from "../monitoring/guard.ts";
import { answerAtOnce } from "./at-once.ts";

test("what throws before the framework is a fault, and the framework answers", async () => {
  const guard = createGuard();
  const server = createServer((_request, response) => response.end("framework"));
  answerAtOnce(server, guard, ({ url }, response) => {
    if (url === "/kept") response.end("at once");
    else throw new Error("a bug");
    return true;
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect([await get("/kept"), await get("/other")]).toEqual(["at once", "framework"]);
  expect(guard.counts()).toEqual(new Map([["answer at once", 1]]));
  server.closeAllConnections();
  server.close();
});
