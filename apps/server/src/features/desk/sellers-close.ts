import type { RegistryRefusal, Remains } from "@sesame/contract/desk";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { sql } from "kysely";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { publish, SESSION_ENDED } from "../../realtime/events.store.ts";
import { forgetPublicProducts } from "../catalogue/index.ts";
import { tellDesk } from "./alerts.store.ts";
import { dayOf } from "./day-zone.ts";
import { closeSeller, type Holdings, readHoldings } from "./sellers-close.store.ts";
import { lockSeller } from "./sellers.store.ts";

/**
 * A seller closes his account (decision 99): nothing of his or of his buyers' may be left in it.
 * Only an operator opens it again.
 */
export async function closeAccountOf(
  app: App,
  caller: Principal,
): Promise<Result<null, RegistryRefusal>> {
  const closed = await app.db
    .transaction()
    .execute(async (tx): Promise<Result<null, RegistryRefusal>> => {
      const now = app.clock.now();
      const id = caller.personId;
      const done = await closeSellerIn(tx, { id, now, timeZone: app.config.timeZone });
      if (!done.ok) return done;
      const deed = { action: "seller.close", subject: `seller:${id}`, actor: actorOf(caller) };
      await audit(tx, { ...deed, after: { closed_at: now } }, now);
      return ok(null);
    });
  forgetPublicProducts(app);
  return closed;
}

export type Closing = { readonly id: bigint; readonly now: Date; readonly timeZone: string };

/** The same within somebody else's transaction, who writes it to the log. Closed once is closed. */
export async function closeSellerIn(
  tx: Db,
  { id, now, timeZone }: Closing,
): Promise<Result<null, RegistryRefusal>> {
  const standing = await lockSeller(tx, id, now);
  const refusal = refusalOf(await readHoldings(tx, id, now), timeZone);
  if (refusal) return refuse(refusal);
  if (standing?.closed_at) return ok(null);
  // A sale that is being settled is waited for and counted; the next one finds the account closed.
  await sql`SELECT ledger_enter_alone()`.execute(tx);
  const late = refusalOf(await readHoldings(tx, id, now), timeZone);
  if (late) return refuse(late);
  const sessions = await closeSeller(tx, id, now);
  await publish(
    tx,
    sessions.map((hash) => ({ room: `session:${hash}`, name: SESSION_ENDED, body: {} })),
  );
  await tellDesk(tx, "seller", String(id));
  return ok(null);
}

function refusalOf(holdings: Holdings, timeZone: string): RegistryRefusal | null {
  const remains = remainsOf(holdings, timeZone);
  if (remains) return { kind: "account.not-empty", remains };
  // With nothing in it: what the platform looks into does not vanish.
  return holdings.under_measure ? { kind: "account.under-measure" } : null;
}

function remainsOf(holdings: Holdings, zone: string): Remains | null {
  const { balance, held, requests, accesses, payments, owed, claims } = holdings;
  const { accesses_until: until } = holdings;
  const things = requests + accesses + payments + claims;
  if (balance <= 0n && held <= 0n && owed <= 0n && things === 0) return null;
  const accessesUntil = until && dayOf(until, zone).split("-").reverse().join("/");
  return { balance, held, requests, accesses, accessesUntil, payments, owed, claims };
}
