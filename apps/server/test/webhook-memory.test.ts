import { createHash, createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNT_WEBHOOKS_A_MINUTE } from "../src/features/checkout/http-notices.ts";
import { WEBHOOK_LIMIT_BYTES } from "../src/http/webhook-guard.ts";
import {
  FEDAPAY_KEYS,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
  startTestApp,
  type TestApp,
} from "./harness.ts";
import { createKeysStage } from "./keys-stage.ts";
import { openOrder, openShop, type Shop } from "./sale.ts";

const TELEGRAM_SECRET = "a-webhook-secret";
const TELEGRAM_HEADER = `x-telegram-bot-api-secret-token: ${TELEGRAM_SECRET}`;

let shop: Shop;
/** A server that Telegram calls: the shop's own asks it for updates. */
let called: TestApp;

beforeAll(async () => {
  shop = await openShop();
  const env = { TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET, PUBLIC_URL: "https://sesame.example" };
  called = await startTestApp({ env });
});
afterAll(async () => {
  await shop?.app.close();
  await called?.close();
});

type Line = {
  readonly socket: Socket;
  /** The status of the next answer that is read, and its head and body. */
  answer(): Promise<{ status: number; text: string }>;
};

/** A connection on which bytes are sent as a test wants them. */
function openLine(app = shop.app): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    let received = "";
    let failure: Error | null = null;
    let look = () => undefined as void;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      look();
    });
    socket.on("error", (error) => {
      failure = error;
      look();
      reject(error);
    });
    socket.on("close", () => {
      failure ??= new Error("closed");
      look();
    });
    const answer = () =>
      new Promise<{ status: number; text: string }>((found, lost) => {
        look = () => {
          const end = received.indexOf("\r\n\r\n");
          const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
          if (end >= 0 && received.length >= end + 4 + length) {
            const text = received.slice(0, end + 4 + length);
            received = received.slice(end + 4 + length);
            return found({ status: Number(text.slice(9, 12)), text });
          }
          if (failure) lost(failure);
        };
        look();
      });
    socket.once("connect", () => resolve({ socket, answer }));
  });
}

const head = (path: string, length: number, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, "Host: x", `Content-Length: ${length}`, ...headers, "", ""].join(
    "\r\n",
  );

const wrong = `X-Moneroo-Signature: ${"0".repeat(64)}`;
const hmac = (secret: string, body: string | Buffer) =>
  createHmac("sha256", secret).update(body).digest("hex");
const signed = (body: string) => `X-Moneroo-Signature: ${hmac(MONEROO_WEBHOOK_SECRET, body)}`;

async function storedOf(key?: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    SELECT count(*)::int AS count, coalesce(sum(length(body)), 0)::int AS bytes
    FROM provider_notices WHERE ${key ?? null}::bigint IS NULL OR key_id = ${key ?? null}::bigint
  `.execute(shop.app.db);
  return rows[0] ?? { count: 0, bytes: 0 };
}

describe("a provider's webhook is judged by its head, before its body is awaited", () => {
  test.each([
    ["of an unknown provider", "/webhooks/nobody", [wrong], 404],
    ["of an unknown account", "/webhooks/moneroo/999999", [wrong], 404],
    ["of an account that is no number", "/webhooks/moneroo/abc", [wrong], 404],
    ["without a signature", "/webhooks/moneroo", [], 403],
    ["with a malformed signature", "/webhooks/moneroo", ["X-Moneroo-Signature: abc"], 403],
    ["with two signatures", "/webhooks/moneroo", [wrong, wrong], 403],
    ["of FedaPay without a signature", "/webhooks/fedapay", [], 403],
    ["of FedaPay from another day", "/webhooks/fedapay", ["X-FEDAPAY-SIGNATURE: t=1,s=ab"], 403],
    ["of KkiaPay with a wrong secret", "/webhooks/kkiapay", ["x-kkiapay-secret: guess"], 403],
    ["of Crypto Pay without a signature", "/webhooks/cryptopay", [], 403],
  ])("%s", async (_what, path, headers, status) => {
    const line = await openLine();
    line.socket.write(head(path, 1_000, ...headers));
    expect((await line.answer()).status).toBe(status);
    // The rest is taken and thrown away, and the connection serves the next request.
    line.socket.write("x".repeat(1_000));
    line.socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await line.answer()).status).toBe(200);
    line.socket.destroy();
  });

  test("announced as larger than 64 KiB is answered 413 at once, whatever its signature", async () => {
    for (const header of [wrong, "x: y"]) {
      const line = await openLine();
      line.socket.write(head("/webhooks/moneroo", WEBHOOK_LIMIT_BYTES + 1, header));
      expect((await line.answer()).status).toBe(413);
      line.socket.destroy();
    }
  });

  test("that grows beyond 64 KiB in chunks is answered 413 while it is received", async () => {
    const line = await openLine();
    line.socket.write(
      `POST /webhooks/moneroo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${wrong}\r\n\r\n`,
    );
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    for (let count = 0; count < 5; count++) line.socket.write(chunk);
    expect((await line.answer()).status).toBe(413);
    // Its last bytes are taken too: the sender is not reset while it still writes.
    line.socket.write(`${chunk}0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect((await line.answer()).status).toBe(200);
    line.socket.destroy();
  });

  test("of exactly 64 KiB and well signed is answered 200, with a wrong signature 403", async () => {
    const body = "x".repeat(WEBHOOK_LIMIT_BYTES);
    for (const [header, status] of [
      [signed(body), 200],
      [wrong, 403],
    ] as const) {
      const line = await openLine();
      line.socket.write(head("/webhooks/moneroo", body.length, header) + body);
      expect((await line.answer()).status).toBe(status);
      line.socket.destroy();
    }
  });

  test("of PayDunya is read first, since its proof is in its body, and an empty probe is 200", async () => {
    const paydunya = (body: string) =>
      shop.app.call("POST", "/webhooks/paydunya", {
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await paydunya("")).status).toBe(200);
    expect((await paydunya("data[hash]=wrong")).status).toBe(403);
    expect((await paydunya("x".repeat(WEBHOOK_LIMIT_BYTES + 1))).status).toBe(413);
  });
});

describe("a request that trickles", () => {
  test("has an end: the server waits a bounded time for its head and for its body", () => {
    const { server } = shop.app.app.http;
    expect(server.requestTimeout).toBeGreaterThanOrEqual(10_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  });
});

const keys = () => createKeysStage(shop.app);

/** A premium seller with an account of his own, whose webhook secret he chose. */
async function openOwnAccount(): Promise<{ keyId: string; secret: string }> {
  const seller = await keys().sellerOn("premium");
  const account = keys().openAccount("moneroo");
  const put = await keys().put(seller, "moneroo", { keys: account.keys });
  expect(put.status).toBe(200);
  const { rows } = await sql<{ id: string }>`
    SELECT id::text FROM seller_keys WHERE seller_id = ${seller.id} AND ended_at IS NULL
  `.execute(shop.app.db);
  return { keyId: rows[0]?.id ?? "", secret: account.keys["webhookSecret"] ?? "" };
}

function send(path: string, body: string, secret: string) {
  return shop.app.call("POST", path, {
    body,
    headers: { "content-type": "application/json", "x-moneroo-signature": hmac(secret, body) },
  });
}

describe("a seller's own account", () => {
  test("has a rate of its own, and is answered 429 beyond it, which harms no other account", async () => {
    const { keyId, secret } = await openOwnAccount();
    const path = `/webhooks/moneroo/${keyId}`;
    const statuses = new Map<number, number>();
    let count = 0;
    const sender = async () => {
      while (count < ACCOUNT_WEBHOOKS_A_MINUTE + 40) {
        const { status } = await send(path, `{"n":${count++}}`, secret);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 20 }, sender));
    expect(statuses.get(200)).toBe(ACCOUNT_WEBHOOKS_A_MINUTE);
    const refused = await send(path, '{"n":"more"}', secret);
    expect(refused).toMatchObject({ status: 429, body: { code: "request.too-many" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    expect((await send("/webhooks/moneroo", '{"n":1}', MONEROO_WEBHOOK_SECRET)).status).toBe(200);
    const other = await openOwnAccount();
    expect((await send(`/webhooks/moneroo/${other.keyId}`, "{}", other.secret)).status).toBe(200);
    shop.app.clock.advance(MINUTE_MS);
    expect((await send(path, '{"n":"later"}', secret)).status).toBe(200);
  });

  test("is not used up by a stranger who signs wrongly", async () => {
    const { keyId, secret } = await openOwnAccount();
    const path = `/webhooks/moneroo/${keyId}`;
    for (let count = 0; count <= ACCOUNT_WEBHOOKS_A_MINUTE; count += 20) {
      const guesses = Array.from({ length: 20 }, () => send(path, "{}", "a guess"));
      const answers = await Promise.all(guesses);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    }
    expect((await send(path, "{}", secret)).status).toBe(200);
  });

  test("keeps only the hash of what names no payment of that account, for a day", async () => {
    const { keyId, secret } = await openOwnAccount();
    const foreign = await openOrder(shop);
    for (const id of ["py_nobody_knows", foreign.paymentId]) {
      const body = JSON.stringify({ data: { id }, padding: "x".repeat(50_000) });
      expect((await send(`/webhooks/moneroo/${keyId}`, body, secret)).status).toBe(200);
    }
    expect(await storedOf(keyId)).toEqual({ count: 2, bytes: 0 });
    shop.app.clock.advance(DAY_MS + HOUR_MS);
    await shop.app.drain();
    expect(await storedOf(keyId)).toEqual({ count: 0, bytes: 0 });
  });
});

describe("a stored webhook", () => {
  test("of the instance is kept whole for ninety days, then deleted", async () => {
    const body = `{"data":{"id":"py_kept"},"n":${Date.now()}}`;
    expect((await send("/webhooks/moneroo", body, MONEROO_WEBHOOK_SECRET)).status).toBe(200);
    await sql`
      INSERT INTO payout_notices (provider, body_hash, body, received_at)
      VALUES ('moneroo', 'a hash', 'a body', ${shop.app.clock.now()})
    `.execute(shop.app.db);
    const standing = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT ((SELECT count(*) FROM provider_notices WHERE body = ${Buffer.from(body)})
          + (SELECT count(*) FROM payout_notices))::int AS count
      `.execute(shop.app.db);
      return rows[0]?.count;
    };
    shop.app.clock.advance(89 * DAY_MS);
    await shop.app.drain();
    expect(await standing()).toBe(2);
    shop.app.clock.advance(2 * DAY_MS);
    await shop.app.drain();
    expect(await standing()).toBe(0);
  });

  // A proof that is kept lets whoever reads a backup write webhooks.
  test("of any provider holds nothing that proves its sender", async () => {
    const now = Math.floor(shop.app.clock.now().getTime() / 1000);
    const hash = createHash("sha512").update(PAYDUNYA_KEYS.masterKey).digest("hex");
    const fedapay = '{"name":"transaction.approved","entity":{"id":1}}';
    const cryptopay = '{"update_type":"invoice_paid","payload":{"invoice_id":1}}';
    const kept = { headers: {} as Record<string, string>, type: "application/json" };
    const sent = [
      { ...kept, id: "moneroo", body: '{"data":{"id":"py_1"}}', headers: {} },
      {
        ...kept,
        id: "fedapay",
        body: fedapay,
        headers: {
          "x-fedapay-signature": `t=${now},s=${hmac(FEDAPAY_KEYS.webhookSecret, `${now}.${fedapay}`)}`,
        },
      },
      {
        ...kept,
        id: "kkiapay",
        body: '{"transactionId":"k1","stateData":"sesame-1"}',
        headers: { "x-kkiapay-secret": "kkiapay-webhook-secret-of-the-tests" },
      },
      {
        ...kept,
        id: "cryptopay",
        body: cryptopay,
        headers: { "crypto-pay-api-signature": cryptopaySignature(cryptopay) },
      },
      ...[
        `data[hash]=${hash}&data[invoice][token]=t1`,
        `data=${encodeURIComponent(JSON.stringify({ hash, invoice: { token: "t2" } }))}`,
        JSON.stringify({ data: { hash, invoice: { token: "t3" } } }),
        JSON.stringify({ hash, disburse_id: "a-payout", status: "success" }),
        `{"hash":"\\u00${hash.charCodeAt(0).toString(16)}${hash.slice(1)}","n":1}`,
      ].map((body) => ({
        ...kept,
        id: "paydunya",
        body,
        type: body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded",
      })),
    ];
    for (const { id, body, headers, type } of sent) {
      const signature: Record<string, string> =
        id === "moneroo" ? { "x-moneroo-signature": hmac(MONEROO_WEBHOOK_SECRET, body) } : headers;
      const answer = await shop.app.call("POST", `/webhooks/${id}`, {
        body,
        headers: { "content-type": type, ...signature },
      });
      expect(answer.status, `${id}: ${body}`).toBe(200);
    }
    const { rows } = await sql<{ provider: string; text: string }>`
      SELECT provider, encode(body, 'escape') AS text FROM provider_notices
      UNION ALL SELECT provider, encode(body, 'escape') FROM payout_notices
    `.execute(shop.app.db);
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(
      new Set(["moneroo", "fedapay", "kkiapay", "cryptopay", "paydunya"]),
    );
    const proofs = [
      hash,
      hash.slice(1),
      "kkiapay-webhook-secret-of-the-tests",
      ...sent.flatMap(({ headers }) => Object.values(headers)),
    ];
    for (const { text } of rows) {
      for (const proof of proofs) expect(text.toLowerCase()).not.toContain(proof);
    }
    expect(rows.some(({ text }) => text.includes("t1"))).toBe(true);
  });
});

function cryptopaySignature(body: string): string {
  const key = createHash("sha256").update("43210:AAcryptopayTokenOfTheTests000000000").digest();
  return createHmac("sha256", key).update(body).digest("hex");
}

describe("a webhook of Telegram", () => {
  const path = "/webhooks/telegram/seller";

  test("without the secret is answered 403 before its body is awaited", async () => {
    const line = await openLine(called);
    line.socket.write(head(path, 1_000));
    expect((await line.answer()).status).toBe(403);
    line.socket.destroy();
  });

  test("may be four times as large as a provider's, and no larger", async () => {
    const update = (length: number) => {
      const body = JSON.stringify({ update_id: 77, message: { text: "" } });
      return body.replace('""', `"${"x".repeat(length - body.length)}"`);
    };
    for (const [length, status] of [
      [4 * WEBHOOK_LIMIT_BYTES, 200],
      [4 * WEBHOOK_LIMIT_BYTES + 1, 413],
    ] as const) {
      const line = await openLine(called);
      line.socket.write(head(path, length, TELEGRAM_HEADER) + update(length));
      expect((await line.answer()).status).toBe(status);
      line.socket.destroy();
    }
  });

  test.each([
    ["no JSON", "{ not json"],
    ["nothing", ""],
    ["no update", "[]"],
    ["an update without a number", '{"message":{}}'],
    ["a number no database holds", '{"update_id":1e300}'],
    ["a name with NUL", '{"update_id":5,"a\\u0000b":1}'],
    ["a tower of brackets", `{"update_id":6,"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["bytes that are no text", "\u00ff\u00fe\u0000"],
  ])(
    "that is %s is kept as unreadable and answered 200, each time it comes",
    async (_what, body) => {
      for (let time = 0; time < 2; time++) {
        const line = await openLine(called);
        line.socket.write(
          Buffer.from(
            head(path, Buffer.byteLength(body, "latin1"), TELEGRAM_HEADER) + body,
            "latin1",
          ),
        );
        expect((await line.answer()).status).toBe(200);
        line.socket.destroy();
      }
      const { rows } = await sql<{ last_error: string; handled: boolean }>`
      SELECT last_error, handled_at IS NOT NULL AS handled FROM telegram_updates
      WHERE last_error LIKE ${`unreadable: ${Buffer.byteLength(body, "latin1")} bytes`}
    `.execute(called.db);
      expect(rows).toEqual([{ last_error: expect.any(String), handled: true }]);
    },
  );
});
