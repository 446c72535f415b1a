import { PLACE_HELD_MS } from "@sesame/contract/checkout";
import { addMs, assert } from "@sesame/kernel";
import type { Html } from "../../bot/html.ts";
import type { MessageButton } from "../../bot/message.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { BUTTONS, lineIsClosed, placeIsYours, placeWentOn } from "./bot-texts.fr.ts";
import type { CheckoutDeps, ProductForSale } from "./needs.ts";
import { lockPlaces } from "./order.store.ts";
import { LOOK_AT_LINE_MS } from "./wait-for-place.ts";
import {
  type DueLine,
  dropEmptyLine,
  type EndedWait,
  endWaits,
  holdPlaces,
  standAgain,
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
  assert(product, "a product somebody waits for is there");
  const sells = await isSelling(deps, product);
  await deps.db.transaction().execute(async (tx) => {
    await lockPlaces(tx, id);
    await callNext(deps, tx, { product, sells });
    await dropEmptyLine(tx, id);
  });
}

/** What cannot be bought now is offered to nobody: the line waits with it. */
async function isSelling(deps: LinesDeps, product: ProductForSale): Promise<boolean> {
  const { archived, suspended, switchedOn, groupId } = product;
  if (archived || suspended || !switchedOn || groupId === null) return false;
  const group = await deps.groups.groupForSale(deps.db, groupId);
  if (group?.state !== "connected" || group.sellerId !== product.sellerId) return false;
  return (await deps.aggregators.offersOf(product.sellerId)).length > 0;
}

async function callNext(
  deps: LinesDeps,
  tx: Db,
  { product, sells }: { product: ProductForSale; sells: boolean },
): Promise<void> {
  const now = deps.clock.now();
  const { id: productId, stock, archived } = product;
  if (!sells && !archived) await standAgain(tx, { productId, now });
  const ended = await endWaits(tx, { productId, now, closes: archived });
  const until = addMs(now, PLACE_HELD_MS);
  const line = { productId, stock, now, until, limit: TOLD };
  const called = sells ? await holdPlaces(tx, line) : [];
  const link = deps.botUrl(product.reference);
  const offer = placeIsYours(product, deps.sayInstant(until));
  const tellings = [
    ...ended.flatMap((wait) => tellEnd(product, wait, link)),
    ...called.map((personId) => toPerson(personId, offer, [{ text: BUTTONS.take, url: link }])),
  ];
  if (tellings.length > 0) await tell(tx, tellings, now);
}

/** Who has bought knows it; and where places are no longer limited, none was lost. */
function tellEnd(
  { title, stock }: ProductForSale,
  { person_id: personId, outcome }: EndedWait,
  link: string,
): Telling[] {
  switch (outcome) {
    case "bought":
      return [];
    case "closed":
      return [toPerson(personId, lineIsClosed(title), [])];
    case "lapsed":
      if (stock === null) return [];
      return [toPerson(personId, placeWentOn(title), [{ text: BUTTONS.see, url: link }])];
  }
}

function toPerson(personId: bigint, text: Html, buttons: readonly MessageButton[]): Telling {
  return { bot: "buyer", personId, message: { text, buttons } };
}
