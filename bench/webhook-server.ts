import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { openWebhookServer } from "../apps/server/test/webhook-server.ts";

/**
 * `node bench/webhook-server.ts real|bare|worker`. `bare` is the limit: Node's own HTTP server,
 * which checks the signature of the raw body and answers.
 */
const kind = process.argv[2];
if (kind === "bare") {
  const secret = process.env["MONEROO_WEBHOOK_SECRET"] ?? "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const expected = createHmac("sha256", secret).update(Buffer.concat(chunks)).digest();
      const given = Buffer.from(String(request.headers["x-moneroo-signature"]), "hex");
      const signed = given.length === expected.length && timingSafeEqual(given, expected);
      response.writeHead(signed ? 200 : 403, { "content-length": 0 }).end();
    });
  });
  server.listen(Number(process.env["PORT"]), "127.0.0.1", () => {
    process.stdout.write("La limite écoute\n");
  });
} else {
  await openWebhookServer({ asking: kind === "worker", batcher: (real) => real });
}
