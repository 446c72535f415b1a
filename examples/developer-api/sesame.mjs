// Reads a shop's orders page by page, then waits for its webhooks and verifies each of them.
// Node 18 or newer, nothing to install:
//
//   SESAME_URL=https://… SESAME_KEY=sk_sesame_… SESAME_WEBHOOK_SECRET=whsec_… node sesame.mjs
//
// The key is made in the app (Réglages, API développeur) with the right orders:read; the secret is
// shown there when the address of this program is added. PORT is 4000 when absent.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { SESAME_URL, SESAME_KEY, SESAME_WEBHOOK_SECRET, PORT = "4000" } = process.env;
if (!SESAME_URL || !SESAME_KEY) {
  console.error("SESAME_URL and SESAME_KEY are needed.");
  process.exit(1);
}

/** Every order, newest first. A page that is refused for haste is asked for again in its time. */
async function* orders() {
  let cursor = "";
  do {
    const response = await fetch(`${SESAME_URL}/api/v1/orders?limit=2&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${SESAME_KEY}` },
    });
    if (response.status === 429) {
      const seconds = Number(response.headers.get("retry-after") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      continue;
    }
    const page = await response.json();
    if (!response.ok) throw new Error(`${page.code}: ${page.message}`);
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** The Standard Webhooks rules: HMAC-SHA256 of id, instant and body as they came. */
function isGenuine(headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !timestamp || !signatures) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > Number(process.env.TOLERANCE_S ?? 300)) {
    return false;
  }
  const key = Buffer.from(SESAME_WEBHOOK_SECRET.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The same event may come twice: its id says so. Keep them in your database. */
const seen = new Set();

async function receive(request, reply) {
  // Decoded once whole: a letter of two bytes may come in two pieces.
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  if (!isGenuine(request.headers, body)) {
    reply.writeHead(401).end();
    console.log("refused");
    return;
  }
  // Answered first, worked on after: ten seconds are all there is.
  reply.writeHead(204).end();
  const id = request.headers["webhook-id"];
  if (seen.has(id)) return;
  seen.add(id);
  const { type, data } = JSON.parse(body);
  console.log("event", type, data.id ?? "", data.amount ?? "");
}

const server = createServer((request, reply) => {
  // Whoever hangs up in the middle ends his own request, not the program.
  receive(request, reply).catch(() => reply.destroy());
});

for await (const order of orders()) {
  console.log("order", order.id, order.status, order.amount, order.currency);
}
console.log("all orders read");

if (SESAME_WEBHOOK_SECRET) {
  server.listen(Number(PORT), () => console.log("listening", server.address().port));
}
