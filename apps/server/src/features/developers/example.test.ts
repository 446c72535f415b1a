import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDevelopersStage } from "../../../test/developers-stage.ts";
import { freePort } from "../../../test/free-port.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buyProduct, publishProduct } from "../../../test/stage.ts";

const EXAMPLE = fileURLToPath(
  new URL("../../../../../examples/developer-api/sesame.mjs", import.meta.url),
);

let app: TestApp;
let child: ChildProcess | null = null;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  child?.kill();
  await app?.close();
});

/** Starts it, and reads what it says, line by line. */
function run(env: Record<string, string>) {
  child = spawn(process.execPath, [EXAMPLE], { env, stdio: ["ignore", "pipe", "inherit"] });
  assert(child.stdout, "its words are piped");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}

// @shows decision 10
test("the example reads every order by pages, then hears the next one and knows it is genuine", async () => {
  const stage = createDevelopersStage(app);
  const seller = await stage.premiumSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const orders: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    orders.unshift(await buyProduct(app, await app.signInBuyer(), product.reference));
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await stage.addEndpoint(seller, { url, events: ["order.paid"] });
  const { secret: key } = await stage.createKey(seller, ["orders:read"]);
  const next = run({
    SESAME_URL: app.url,
    SESAME_KEY: key,
    SESAME_WEBHOOK_SECRET: secret,
    PORT: String(port),
    // The tests' clock stands still on another day.
    TOLERANCE_S: "1e10",
  });
  for (const id of orders) expect(await next()).toBe(`order ${id} paid 5000 XOF`);
  expect(await next()).toBe("all orders read");
  expect(await next()).toBe(`listening ${port}`);
  const id = await buyProduct(app, await app.signInBuyer(), product.reference);
  expect(await next()).toBe(`event order.paid ${id} 5000`);
  const forged = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" },
  });
  expect(forged.status).toBe(401);
  expect(await next()).toBe("refused");
});
