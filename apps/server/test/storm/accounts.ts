import { DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import { type Deed, newcomer, say } from "./town.ts";

export const close: Deed = async (town, draw) => {
  const seller = draw.pick(town.sellers);
  if (!seller) return "nobody";
  return say(await town.call(seller, "POST", "/api/users/close", { confirm: true }));
};

export const reopen: Deed = async (town, draw) => {
  const [closed] = await town.rows(sql<{ id: bigint }>`
    SELECT id FROM sellers WHERE closed_at IS NOT NULL ORDER BY id LIMIT 1
  `);
  const operator = draw.pick(town.operators);
  if (!closed || !operator) return "nothing";
  const path = `/api/desk/sellers/${closed.id}/reopen`;
  return say(await town.call(operator, "POST", path, { reason: "À sa demande" }));
};

/** Another comes for a buyer who is erased. */
export const erase: Deed = async (town, draw) => {
  const nth = draw.upTo(town.buyers.length);
  const buyer = draw.oneIn(4) ? draw.pick(town.sellers) : town.buyers[nth];
  if (!buyer) return "nobody";
  const erased = await town.call(buyer, "POST", "/api/me/delete", { confirm: true });
  if (erased.status === 200 && town.buyers[nth] === buyer) {
    const next = await newcomer(town).catch(() => null);
    if (next) {
      town.buyers[nth] = next;
      town.people.set(next.id, next);
    }
  }
  return say(erased);
};

/** A product is put away, or offered again. */
export const shelve: Deed = async (town, draw) => {
  const nth = draw.upTo(4);
  const status = draw.oneIn(4) ? "inactive" : "active";
  const seller = town.sellers[nth];
  const [product] = await town.rows(sql<{ id: bigint }>`
    SELECT id FROM products WHERE reference = ${town.products[nth] ?? ""}
  `);
  if (!seller || !product) return "nothing";
  return say(await town.call(seller, "PUT", `/api/products/${product.id}`, { status }));
};

export const measure: Deed = async (town, draw) => {
  const seller = draw.pick(town.sellers);
  const operator = draw.pick(town.operators);
  const [act, undo] = draw.oneIn(2) ? ["freeze", "unfreeze"] : ["suspend", "resume"];
  if (!seller || !operator) return "nobody";
  const path = draw.oneIn(3) ? act : undo;
  const review = new Date(town.app.clock.now().getTime() + 5 * DAY_MS).toISOString().slice(0, 10);
  const body = { reason: "Vérification", ...(path === act ? { review_at: review } : {}) };
  return `${path} ${say(await town.call(operator, "POST", `/api/desk/sellers/${seller.id}/${path}`, body))}`;
};

export const writeOff: Deed = async (town, draw) => {
  const [debt] = await town.rows(sql<{ seller_id: bigint }>`
    SELECT seller_id FROM seller_advances WHERE owed > 0 ORDER BY seller_id LIMIT 1
  `);
  const operator = draw.pick(town.operators);
  if (!debt || !operator) return "nothing";
  const path = `/api/desk/sellers/${debt.seller_id}/write-off`;
  return say(await town.call(operator, "POST", path, { reason: "Sans réponse" }));
};

export const reconcile: Deed = async (town, draw) => {
  const agent = draw.pick(town.agents);
  return agent ? say(await town.call(agent, "POST", "/api/desk/reconciliations")) : "nobody";
};

/** What works by itself looks once, beside all the others. */
export const work: Deed = async ({ app }) => {
  // A poller that is struck is thrown back; by itself it would poll again.
  const calm = (error: unknown): void => {
    if (!(error instanceof Outage)) throw error;
  };
  await Promise.all(app.app.loops.map((loop) => loop.drain().catch(calm)));
  return "worked";
};

export const pass: Deed = async ({ app }, draw) => {
  const ms = draw.pick([MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, DAY_MS]) ?? MINUTE_MS;
  app.clock.advance(ms);
  return `${ms / MINUTE_MS} min`;
};
