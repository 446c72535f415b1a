import type { CheckoutRefusal, PlaceWaitAnswer } from "@sesame/contract/checkout";
import { addMs, MINUTE_MS, ok, type Result, refuse } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { type Caller, judgeSale } from "./judge-sale.ts";
import type { CheckoutDeps } from "./needs.ts";
import { lockPlaces } from "./order.store.ts";
import { hasPlaceFor } from "./order.view.ts";
import { endWaits, findWait, insertWait, withdrawWait } from "./waits.store.ts";

/**
 * A line is looked at this often, and at once where a place is known to be free: ends of accesses,
 * refunds and reservations that lapse need tell nobody.
 */
export const LOOK_AT_LINE_MS = MINUTE_MS;

export type Waits = {
  /** Where he stands; null: there is no such product. */
  read(reference: string, caller: Caller): Promise<Result<PlaceWaitAnswer, CheckoutRefusal>>;
  join(reference: string, caller: Caller): Promise<Result<PlaceWaitAnswer, CheckoutRefusal>>;
  leave(reference: string, caller: Caller): Promise<Result<PlaceWaitAnswer, CheckoutRefusal>>;
};

export function createWaits(deps: CheckoutDeps): Waits {
  const productOf = (reference: string) => deps.shelf.productForSale(deps.db, reference);
  return {
    async read(reference, { personId }) {
      const product = await productOf(reference);
      if (!product) return refuse({ kind: "checkout.product-not-found" });
      const standing = await standingOf(deps, deps.db, { productId: product.id, personId });
      if (standing.state !== "none") return ok(standing);
      const { id: productId, stock, archived } = product;
      if (archived) return ok(standing);
      const place = { productId, buyerId: personId, now: deps.clock.now() };
      const free = stock === null || (await hasPlaceFor(deps.db, { ...place, stock }));
      return ok(free ? { ...standing, state: "free" } : standing);
    },
    join: (reference, caller) => joinLine(deps, reference, caller),
    async leave(reference, { personId }) {
      const product = await productOf(reference);
      if (!product) return refuse({ kind: "checkout.product-not-found" });
      const wait = { productId: product.id, personId };
      await deps.db.transaction().execute(async (tx) => {
        await lockPlaces(tx, product.id);
        await withdrawWait(tx, { ...wait, now: deps.clock.now() });
      });
      return ok(await standingOf(deps, deps.db, wait));
    },
  };
}

/** Once for a person and a product, however often he asks; refused while a place is his to buy. */
async function joinLine(
  deps: CheckoutDeps,
  reference: string,
  caller: Caller,
): Promise<Result<PlaceWaitAnswer, CheckoutRefusal>> {
  const judged = await judgeSale(deps, reference, caller);
  if (!judged.ok) return judged;
  const { id: productId, stock } = judged.value.product;
  if (stock === null) return refuse({ kind: "checkout.no-places" });
  const wait = { productId, personId: caller.personId };
  return deps.db.transaction().execute(async (tx) => {
    await lockPlaces(tx, productId);
    const now = deps.clock.now();
    const standing = await standingOf(deps, tx, wait);
    if (standing.state !== "none") return ok(standing);
    const buyer = { productId, buyerId: caller.personId, stock, now };
    if (await hasPlaceFor(tx, buyer)) return refuse({ kind: "checkout.place-free" });
    // The row of a place he let pass, if the sweep has not been by.
    await endWaits(tx, { ...wait, now });
    await insertWait(tx, { ...wait, now, lookAt: addMs(now, LOOK_AT_LINE_MS) });
    return ok(await standingOf(deps, tx, wait));
  });
}

async function standingOf(
  { clock }: Pick<CheckoutDeps, "clock">,
  db: Db,
  wait: { productId: bigint; personId: bigint },
): Promise<PlaceWaitAnswer> {
  const row = await findWait(db, { ...wait, now: clock.now() });
  const success = true as const;
  if (!row) return { success, state: "none", position: null, held_until: null };
  const { held_until: heldUntil, position } = row;
  return heldUntil === null
    ? { success, state: "waiting", position, held_until: null }
    : { success, state: "held", position: null, held_until: heldUntil.toISOString() };
}
