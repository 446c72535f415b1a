import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startPhones } from "./phones.ts";

const DELAY_MS = 250;

async function startApp(): Promise<string> {
  const app = createServer((_request, response) => response.end("the app"));
  await new Promise<void>((done) => app.listen(0, "127.0.0.1", done));
  onTestFinished(() => void app.close());
  return `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
}

async function timed(url: string): Promise<number> {
  const start = performance.now();
  expect(await (await fetch(url)).text()).toBe("the app");
  return performance.now() - start;
}

test("a slow network holds back one phone alone, and only while it is slow", async () => {
  const delays = { seller: 0, buyer: 0, agent: 0 };
  const phones = await startPhones({
    ports: { seller: 0, buyer: 0, agent: 0 },
    host: "127.0.0.1",
    appUrl: await startApp(),
    delays,
  });
  onTestFinished(() => phones.close());
  const origins = phones.origins("http://127.0.0.1:1");

  delays.buyer = DELAY_MS;
  const [seller, buyer] = await Promise.all([timed(origins.seller), timed(origins.buyer)]);
  // A timer may end a hair early.
  expect(buyer).toBeGreaterThanOrEqual(DELAY_MS - 5);
  expect(seller).toBeLessThan(buyer);
  delays.buyer = 0;
  expect(await timed(origins.buyer)).toBeLessThan(DELAY_MS);
});
