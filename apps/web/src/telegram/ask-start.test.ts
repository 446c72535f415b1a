import { afterEach, expect, test, vi } from "vitest";
import { INIT, initOf, openAt } from "../testing/seller-app.ts";
import { answerCalls, good } from "../testing/web-server.ts";

async function open(...at: Parameters<typeof openAt>) {
  openAt(...at);
  const log = answerCalls(() => good({}));
  vi.resetModules();
  await vi.importActual("./ask-start.js");
  return log;
}

afterEach(() => delete window.sesameStart);

test("a seller's start is asked for before the application is there", async () => {
  const log = await open("/IndexEspace");
  expect(log).toMatchObject([
    { method: "POST", path: "/api/auth/vendeur", body: { telegram_id: 5001 } },
  ]);
  expect(log[0]?.headers.get("x-telegram-init-data")).toBe(INIT);
  expect(window.sesameStart?.data).toBe(INIT);
});

test("a buyer's, an agent's and a stranger's are not", async () => {
  for (const [path, init] of [
    ["/", initOf(5001, "&start_param=abcdef12")],
    ["/bureau", INIT],
    ["/", null],
    ["/", "nonsense"],
  ] as const) {
    expect(await open(path, init), `${path} ${init}`).toEqual([]);
    expect(window.sesameStart).toBeUndefined();
  }
});
