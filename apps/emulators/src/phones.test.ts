import { expect, onTestFinished, test } from "vitest";
import { HOUR_MS } from "@sesame/kernel";
import { eventually } from "../../../tools/testing/eventually.ts";
import { listen } from "../../../tools/testing/listen.ts";
import { startPhones } from "./phones.ts";

/** Three phones with an app. → its address on each */
async function start(delays: Parameters<typeof startPhones>[0]["delays"]) {
  const app = await listen((_request, response) => response.end("the app"));
  onTestFinished(app.close);
  const ports = { seller: 0, buyer: 0, agent: 0 };
  const addresses = { host: "127.0.0.1", appUrl: app.url, publicUrl: "http://127.0.0.1:1" };
  const phones = await startPhones({ ports, ...addresses, delays });
  onTestFinished(() => phones.close());
  return { phones, origins: phones.origins };
}

const ask = async (url: string) => (await fetch(url)).text();

test("a slow network delays one phone only, and only while it is slow", async () => {
  let buyerMs = 0;
  let begun = 0;
  const { phones, origins } = await start({
    seller: 0,
    agent: 0,
    get buyer() {
      begun += 1;
      return buyerMs;
    },
  });

  buyerMs = HOUR_MS;
  let answered = false;
  const held = ask(origins.buyer).finally(() => {
    answered = true;
  });
  await eventually(() => begun === 1);
  expect(await ask(origins.seller)).toBe("the app");
  buyerMs = 0;
  expect(await ask(origins.buyer)).toBe("the app");
  expect(answered).toBe(false);
  // The request that is still held ends with its phone.
  await phones.close();
  await expect(held).rejects.toThrow();
});

test("a slow network delivers in the end what it delayed", async () => {
  const { origins } = await start({ seller: 0, buyer: 20, agent: 0 });
  expect(await ask(origins.buyer)).toBe("the app");
});
