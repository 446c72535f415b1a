import type { CommonRefusal } from "@sesame/contract";
import type { RegistryRefusal } from "@sesame/contract/desk";
import type { BuyerRemains, SupportRefusal } from "@sesame/contract/support";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { once } from "../../http/once.ts";
import type { Db } from "../../postgres/database.ts";
import { publish, SESSION_ENDED } from "../../realtime/events.store.ts";
import { forgetPublicProducts } from "../catalogue/index.ts";
import { closeSellerIn } from "../desk/index.ts";
import { forgetNoticesSoon } from "./forget-notices.ts";
import {
  type BuyerHoldings,
  erasePerson,
  lockHoldings,
  lockWithdrawals,
} from "./personal-data.store.ts";

type EraseRefusal = SupportRefusal | RegistryRefusal | CommonRefusal;

/**
 * Erases a person at his request (decision 101): the books stay, under a number. Refused while
 * money or a running access needs him.
 */
export async function eraseAtRequest(
  app: App,
  caller: Principal,
): Promise<Result<null, EraseRefusal>> {
  const { personId: id } = caller;
  const { timeZone } = app.config;
  const now = app.clock.now();
  const effect = async (tx: Db): Promise<Result<null, EraseRefusal>> => {
    const holdings = await lockHoldings(tx, id, now);
    const remains = remainsOf(holdings, timeZone);
    if (remains) return refuse({ kind: "personal.still-needed", remains });
    // Before the seller, as whoever settles a payout.
    if (holdings.is_seller) await lockWithdrawals(tx, id);
    const sessions = await erasePerson(tx, id, now);
    await forgetNoticesSoon(tx, id, now);
    // Last: nobody's sale is settled from here to the commit.
    if (holdings.is_seller) {
      const closed = await closeSellerIn(tx, { id, now, timeZone });
      if (!closed.ok) return closed;
    }
    await publish(
      tx,
      sessions.map((hash) => ({ room: `session:${hash}`, name: SESSION_ENDED, body: {} })),
    );
    const deed = { actor: actorOf(caller), action: "person.erase", subject: `person:${id}` };
    await audit(tx, { ...deed, after: { seller: holdings.is_seller } }, now);
    return ok(null);
  };
  const erased = await once(app, null, effect);
  forgetPublicProducts(app);
  return erased;
}

function remainsOf(holdings: BuyerHoldings, zone: string): BuyerRemains | null {
  const { accesses, accesses_until: until, payments, refunds, claims } = holdings;
  if (accesses + payments + refunds + claims === 0) return null;
  const day = new Intl.DateTimeFormat("fr-FR", { timeZone: zone, dateStyle: "short" });
  return { accesses, accessesUntil: until && day.format(until), payments, refunds, claims };
}
