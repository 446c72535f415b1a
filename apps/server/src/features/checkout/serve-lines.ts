import { PLACE_HELD_MS } from "@sesame/contract/checkout";
import { addMs } from "@sesame/kernel";
import { type Telling, tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { BUTTONS, placeIsYours, placeWentOn } from "./bot-texts.fr.ts";
import type { CheckoutDeps, ProductForSale } from "./needs.ts";
import { lockPlaces } from "./order.store.ts";
import { LOOK_AT_LINE_MS } from "./wait-for-place.ts";
import {
  closeWaits,
  type DueLine,
  dropEmptyLine,
  endWaits,
  holdPlaces,
  takeDueLines,
} from "./waits.store.ts";

const EVERY_MS = 5_000;
const LINES = 50;
/** Told at once of one product whose places are no longer limited. */
const TOLD = 100;

export type LinesDeps = CheckoutDeps & { sayInstant(instant: Date): string };

/** Tells the first of each line that a place is theirs, for a while, then the next. */
export function createLinesLoop(deps: LinesDeps): Loop {
  return createLoop({
    name: "checkout lines",
    clock: deps.clock,
    log: deps.log,
    everyMs: EVERY_MS,
    run: async () => {
      const now = deps.clock.now();
      const lookAt = addMs(now, LOOK_AT_LINE_MS);
      const lines = await takeDueLines(deps.db, { now, lookAt, limit: LINES });
      for (const line of lines) await serveLine(deps, line);
      return lines.length === LINES;
    },
  });
}

async function serveLine(deps: LinesDeps, { product_id: id, reference }: DueLine): Promise<void> {
  const product = await deps.shelf.productForSale(deps.db, reference);
  const sells = product !== null && (await isSelling(deps, product));
  await deps.db.transaction().execute(async (tx) => {
    await lockPlaces(tx, id);
    const now = deps.clock.now();
    if (!product || product.archived) await closeWaits(tx, { productId: id, now });
    else await callNext(deps, tx, { product, sells });
    await dropEmptyLine(tx, id);
  });
}

/** What cannot be bought now is offered to nobody: the line waits with it. */
async function isSelling(deps: LinesDeps, product: ProductForSale): Promise<boolean> {
  if (product.suspended || !product.switchedOn || product.groupId === null) return false;
  const group = await deps.groups.groupForSale(deps.db, product.groupId);
  if (group?.state !== "connected") return false;
  return (await deps.aggregators.offersOf(product.sellerId)).length > 0;
}

async function callNext(
  deps: LinesDeps,
  tx: Db,
  { product, sells }: { product: ProductForSale; sells: boolean },
): Promise<void> {
  const now = deps.clock.now();
  const { id: productId, stock } = product;
  const ended = await endWaits(tx, { productId, now });
  const lapsed = ended.filter(({ outcome }) => outcome === "lapsed");
  const until = addMs(now, PLACE_HELD_MS);
  const line = { productId, stock, now, until, limit: TOLD };
  const called = sells ? await holdPlaces(tx, line) : [];
  const link = deps.botUrl(product.reference);
  const toPerson = (personId: bigint, text: ReturnType<typeof placeWentOn>, button: string) =>
    ({
      bot: "buyer",
      personId,
      message: { text, buttons: [{ text: button, url: link }] },
    }) as const;
  const tellings: Telling[] = [
    ...lapsed.map((wait) => toPerson(wait.person_id, placeWentOn(product.title), BUTTONS.see)),
    ...called.map((personId) =>
      toPerson(personId, placeIsYours(product, deps.sayInstant(until)), BUTTONS.take),
    ),
  ];
  if (tellings.length > 0) await tell(tx, tellings, now);
}
