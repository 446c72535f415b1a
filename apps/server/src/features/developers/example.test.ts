import { type ChildProcess, spawn } from "node:child_process";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../test/client.ts";
import { createDeveloperFixtures } from "../../../test/developers.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buyProduct, publishProduct } from "../../../test/sales.ts";
import { signatureHeaders } from "./secrets.ts";

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

type Letter = {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly cut: number;
};

/** The body in two chunks of HTTP. → the status */
function sendInTwo(url: string, { headers, body, cut }: Letter): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.write(body.subarray(0, cut));
    request.end(body.subarray(cut));
  });
}

/** Begins a request and leaves. */
function hangUp(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{", () =>
        socket.destroy(),
      );
    });
    socket.on("close", () => resolve());
  });
}

test("the example reads every order by pages, then hears the next one and knows it is genuine", async () => {
  const stage = createDeveloperFixtures(app);
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
  await hangUp(port);
  const id = await buyProduct(app, await app.signInBuyer(), product.reference);
  expect(await next()).toBe(`event order.paid ${id} 5000`);
  // A letter of two bytes may come in two pieces.
  const body = JSON.stringify({ type: "order.paid", data: { id: "7", amount: 5, name: "Aïssa" } });
  const cut = Buffer.from(body).indexOf("ï") + 1;
  const headers = signatureHeaders({ id: "msg_7", at: new Date(), body }, [secret]);
  expect(await sendInTwo(url, { headers, body: Buffer.from(body), cut })).toBe(204);
  expect(await next()).toBe("event order.paid 7 5");
  const forged = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" },
  });
  expect(forged.status).toBe(401);
  expect(await next()).toBe("refused");
});
