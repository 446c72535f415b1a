import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { assert } from "@sesame/kernel";
import pg from "pg";
import { createInitDataVerifier } from "../apps/server/src/features/identity/init-data.ts";
import { SELLER_BOT_TOKEN } from "../apps/server/test/harness.ts";
import { createMappedReader } from "./seller-start.queries.ts";

/**
 * The seller's start as most would write it: the sign-in, in one call as ours, then five queries by
 * an object mapper. No framework answers.
 */
export async function startMappedPeer(
  databaseUrl: string,
  now: Date,
): Promise<{ url: string; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  const read = createMappedReader(pool);
  const verify = createInitDataVerifier([{ name: "seller", token: SELLER_BOT_TOKEN }]);
  const server = createServer((request, response) => {
    void (async () => {
      const proof = verify(String(request.headers["x-telegram-init-data"]), now);
      assert(proof.ok, "the peer is asked with a good proof");
      const token = randomBytes(32);
      const hash = createHash("sha256").update(token).digest();
      const { telegramId, firstName, provedAt } = proof.value;
      const signedIn = await pool.query<{ person_id: string }>(
        `SELECT * FROM identity_sign_in($1,$2,NULL,NULL,NULL,NULL,$3,'{}','seller',$4,$5,$6)`,
        [telegramId, firstName, provedAt, hash, now, new Date(now.getTime() + 86_400_000)],
      );
      const start = await read(Number(signedIn.rows[0]?.person_id));
      const body = JSON.stringify({ success: true, token: token.toString("hex"), ...start });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: addressOf(server),
    async close() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}

function addressOf(server: Server): string {
  const place = server.address();
  assert(typeof place === "object" && place, "a port was given");
  return `http://127.0.0.1:${place.port}/start`;
}
