import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { assert } from "@sesame/kernel";
import pg from "pg";
import { createInitDataVerifier } from "../apps/server/src/features/identity/init-data.ts";
import { SELLER_BOT_TOKEN } from "../apps/server/test/harness.ts";

/**
 * The seller's start as most would write it: sign in, then the seller, his groups, his products with
 * their sales, his newest sales with their buyers, his withdrawals, one query after the other, every
 * column of every table named as an object mapper names it, each row made an object with its
 * relations. The sign-in itself is ours, in one call.
 */
export async function startMappedPeer(
  databaseUrl: string,
  now: Date,
): Promise<{ url: string; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  const verify = createInitDataVerifier([{ name: "seller", token: SELLER_BOT_TOKEN }]);
  const columns = await readColumns(pool);
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
      const id = signedIn.rows[0]?.person_id;
      const body = JSON.stringify({ token: token.toString("hex"), ...(await read(id)) });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    })().catch(() => response.destroy());
  });
  const find = async (question: Question, id: unknown) => {
    const tables = Object.entries(question.tables);
    const list = tables.flatMap(([alias, table]) =>
      (columns.get(table) ?? []).map((name) => `"${alias}"."${name}" AS "${alias}_${name}"`),
    );
    const { rows } = await pool.query<Wide>(`SELECT ${list.join(", ")} ${question.from}`, [id]);
    return rows.map((row) => mapped(row, Object.keys(question.tables)));
  };
  const read = async (id: unknown) => ({
    user: await find(SELLER, id),
    channels: await find(GROUPS, id),
    products: await find(PRODUCTS, id),
    vendorSubscriptions: await find(SALES, id),
    withdrawalRequests: await find(WITHDRAWALS, id),
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

type Question = { readonly tables: Readonly<Record<string, string>>; readonly from: string };

const SELLER: Question = {
  tables: { s: "sellers", p: "people", f: "ledger_accounts", q: "ledger_accounts" },
  from: `FROM sellers s LEFT JOIN people p ON p.id = s.id
    LEFT JOIN ledger_accounts f ON f.id = s.free_account_id
    LEFT JOIN ledger_accounts q ON q.id = s.premium_account_id WHERE s.id = $1`,
};
const GROUPS: Question = {
  tables: { g: "groups", p: "products" },
  from: `FROM groups g LEFT JOIN products p ON p.group_id = g.id WHERE g.seller_id = $1`,
};
/** The sales of a product are its relation: a mapper loads them to count them. */
const PRODUCTS: Question = {
  tables: { p: "products", g: "groups", i: "images", o: "orders" },
  from: `FROM products p LEFT JOIN groups g ON g.id = p.group_id
    LEFT JOIN images i ON i.id = p.image_id
    LEFT JOIN orders o ON o.product_id = p.id AND o.status = 'paid' WHERE p.seller_id = $1`,
};
const SALES: Question = {
  tables: { o: "orders", b: "people", p: "products" },
  from: `FROM orders o LEFT JOIN people b ON b.id = o.buyer_id
    LEFT JOIN products p ON p.id = o.product_id
    WHERE o.seller_id = $1 AND o.status = 'paid' ORDER BY o.id DESC LIMIT 100`,
};
const WITHDRAWALS: Question = {
  tables: { w: "withdrawals" },
  from: `FROM withdrawals w WHERE w.seller_id = $1 ORDER BY w.id DESC LIMIT 20`,
};

type Wide = Readonly<Record<string, unknown>>;

/** One object a table, as an entity and its relations. */
function mapped(row: Wide, aliases: readonly string[]): Record<string, Record<string, unknown>> {
  const entity: Record<string, Record<string, unknown>> = {};
  for (const alias of aliases) entity[alias] = {};
  for (const [name, value] of Object.entries(row)) {
    const at = name.indexOf("_");
    const part = entity[name.slice(0, at)];
    if (part) part[name.slice(at + 1)] = value;
  }
  return entity;
}

async function readColumns(pool: pg.Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );
  const columns = new Map<string, string[]>();
  for (const { table_name: table, column_name: name } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), name]);
  }
  return columns;
}

function addressOf(server: Server): string {
  const place = server.address();
  assert(typeof place === "object" && place, "a port was given");
  return `http://127.0.0.1:${place.port}/start`;
}
