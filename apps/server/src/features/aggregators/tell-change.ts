import { AGGREGATOR_WORDS, type MethodKey } from "@sesame/contract/aggregators";
import { unreachable } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Html } from "../../bot/html.ts";
import { tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { BUTTONS, keysRefused, keysSaved, keysTakenAway, keysUnreadable } from "./messages.fr.ts";

/** `switched` is seen on his screen and told no further. */
export type AggregatorNews = "saved" | "taken-away" | "refused" | "unreadable" | "switched";

/** Realtime, to the seller; product pages are read anew where it is heard. */
export const AGGREGATORS_CHANGED = "aggregators:changed";

/** The seller's screens and bot hear of it, in the transaction that does it. */
export async function noteChange(
  app: App,
  tx: Db,
  change: { sellerId: bigint; provider: MethodKey; news: AggregatorNews; now: Date },
): Promise<void> {
  const { sellerId, provider, news, now } = change;
  const body = { key: provider };
  await publish(tx, [{ room: `person:${sellerId}`, name: AGGREGATORS_CHANGED, body }]);
  const text = say(AGGREGATOR_WORDS[provider].name, news);
  if (text === null) return;
  const buttons = [app.appButton(BUTTONS.methods, "/PaymentsSheetsIndex")];
  await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
}

function say(name: string, news: AggregatorNews): Html | null {
  switch (news) {
    case "saved":
      return keysSaved(name);
    case "taken-away":
      return keysTakenAway(name);
    case "refused":
      return keysRefused(name);
    case "unreadable":
      return keysUnreadable(name);
    case "switched":
      return null;
    default:
      return unreachable(news);
  }
}
