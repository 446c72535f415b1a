import { beforeEach, expect, test, vi } from "vitest";
import { telegramSays } from "../testing/seller-app.ts";
import { createBridge } from "./bridge.ts";

const sent = vi.fn();

beforeEach(() => void sent.mockClear());

function inTelegram(version: string): void {
  const launch = { initData: "user=%7B%7D&hash=x", version };
  sessionStorage.setItem("sesame.launch", JSON.stringify(launch));
  vi.stubGlobal("TelegramWebviewProxy", { postEvent: sent });
}

const closes = (status: string) => telegramSays("invoice_closed", { slug: "abc", status });

test.each([
  ["https://t.me/$abc-1_", "abc-1_"],
  ["https://t.me/%24abc", "abc"],
  ["https://t.me/invoice/abc", "abc"],
])("an invoice is opened in Telegram by the slug of %s", async (url, slug) => {
  inTelegram("6.1");
  const end = createBridge().openInvoice(url);
  expect(sent).toHaveBeenCalledWith("web_app_open_invoice", JSON.stringify({ slug }));
  closes("paid");
  expect(await end).toBe("paid");
});

test("an end in a word we do not know is none yet", async () => {
  inTelegram("8.0");
  const end = createBridge().openInvoice("https://t.me/$abc");
  closes("celebrated");
  expect(await end).toBe("pending");
});

test("what is no invoice, or an application too old, opens nothing", async () => {
  inTelegram("8.0");
  expect(await createBridge().openInvoice("https://pay.example/12")).toBeNull();
  inTelegram("6.0");
  expect(await createBridge().openInvoice("https://t.me/$abc")).toBeNull();
  expect(sent).not.toHaveBeenCalled();
});
