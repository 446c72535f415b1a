import { createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PAYMENT_PREFIX } from "./market.ts";

/**
 * Moneroo for thousands: every payment of `sellMany` is paid, at once. Also stands for a Telegram
 * that names its bots, for a server without names waits for them, and otherwise asks for patience,
 * so that jobs which write to it wait. Real HTTP, no state.
 */
export type PayingProvider = {
  readonly url: string;
  readonly webhookSecret: string;
  readonly secretKey: string;
  asked(): number;
  close(): Promise<void>;
};

export const WEBHOOK_SECRET = "whsec_for_tests_0123456789";
export const SECRET_KEY = "sk_for_tests_0123456789abc";

export async function startPayingProvider(price = 5_000): Promise<PayingProvider> {
  let asked = 0;
  const server = createServer((request, response) => {
    const match = /^\/v1\/payments\/([^/]+)\/verify$/.exec(request.url ?? "");
    request.resume();
    if (match?.[1]) {
      asked += 1;
      return answerJson(response, 200, { message: "ok", data: paidPayment(match[1], price) });
    }
    const bot = /^\/bot(\d+):[^/]+\/getMe$/.exec(request.url ?? "");
    if (bot?.[1]) {
      const named = {
        id: Number(bot[1]),
        is_bot: true,
        first_name: "Bot",
        username: `b_${bot[1]}`,
      };
      return answerJson(response, 200, { ok: true, result: named });
    }
    const parameters = { retry_after: 3_600 };
    const description = "Too Many Requests: retry after 3600";
    answerJson(response, 429, { ok: false, error_code: 429, description, parameters });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    webhookSecret: WEBHOOK_SECRET,
    secretKey: SECRET_KEY,
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function paidPayment(id: string, amount: number): object {
  return {
    id,
    status: "success",
    amount,
    currency: { code: "XOF", decimals: 0 },
    environment: "sandbox",
    metadata: { order_id: id.slice(PAYMENT_PREFIX.length) },
  };
}

export type SignedNotice = { readonly body: string; readonly signature: string };

/** A signed notice that says an order's payment succeeded. */
export function signNotice(orderId: bigint, event = "payment.success"): SignedNotice {
  const id = `${PAYMENT_PREFIX}${orderId}`;
  const body = JSON.stringify({ event, data: { id, amount: 5000, currency: "XOF" } });
  return { body, signature: createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex") };
}
