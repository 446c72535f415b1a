import { afterEach, expect, test, vi } from "vitest";
import { answerCalls, good } from "../testing/web-server.ts";

const USER = encodeURIComponent(JSON.stringify({ id: 5001, first_name: "Awa" }));

async function open(address: string) {
  history.replaceState(null, "", address);
  const log = answerCalls(() => good({}));
  vi.resetModules();
  await vi.importActual("./ask-start.js");
  return log;
}

afterEach(() => delete window.sesameStart);

test("a seller's start is asked for before the application is there", async () => {
  const data = `user=${USER}&auth_date=1&hash=x`;
  const log = await open(`/IndexEspace#tgWebAppData=${encodeURIComponent(data)}`);
  expect(log).toMatchObject([
    { method: "POST", path: "/api/auth/vendeur", body: { telegram_id: 5001 } },
  ]);
  expect(log[0]?.headers.get("x-telegram-init-data")).toBe(data);
  expect(window.sesameStart?.data).toBe(data);
});

test("a buyer's, an agent's and a stranger's are not", async () => {
  const bought = `user=${USER}&start_param=abcdef12&auth_date=1&hash=x`;
  for (const address of [
    `/#tgWebAppData=${encodeURIComponent(bought)}`,
    `/bureau#tgWebAppData=${encodeURIComponent(`user=${USER}&hash=x`)}`,
    "/",
    "/#tgWebAppData=nonsense",
  ]) {
    expect(await open(address), address).toEqual([]);
    expect(window.sesameStart).toBeUndefined();
  }
});
