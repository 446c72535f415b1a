import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { loadSite } from "../../apps/server/src/pages/site.ts";
import { startTestApp } from "../../apps/server/test/harness.ts";
import { createOwnAccountFixtures } from "../../apps/server/test/payments.ts";
import { publishProduct } from "../../apps/server/test/sales.ts";

/**
 * A process of its own that serves the whole product, and says to its parent what it costs:
 * `cost` → `{ rssMb, cpuMs }`. Needs TEST_DATABASE_URL and a built web.
 */
const site = await loadSite(fileURLToPath(new URL("../../apps/web/dist", import.meta.url)));
const app = await startTestApp({ site });
const setup = createOwnAccountFixtures(app);
const seller = await app.seller({ plan: "premium" });
const group = await app.linkGroup(seller);
await publishProduct(app, { seller, group });
const account = setup.openAccount("moneroo");
await setup.put(seller, "moneroo", { keys: account.keys });
const { rows } = await sql<{ id: string }>`SELECT id::text FROM seller_keys`.execute(app.db);
process.on("message", () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const rssMb = process.memoryUsage().rss / 2 ** 20;
  process.send?.({ rssMb, cpuMs: (user + system) / 1_000 });
});
process.send?.({
  url: app.url,
  token: seller.token,
  groupId: group.id,
  keyId: rows[0]?.id,
  secret: account.keys["webhookSecret"],
});
