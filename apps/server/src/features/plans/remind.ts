import { endOfGrace, GRACE_DAYS } from "@sesame/contract/plans";
import { addMs, DAY_MS, unreachable } from "@sesame/kernel";
import type { Html } from "../../bot/html.ts";
import { tell } from "../../bot/tell.ts";
import { publish } from "../../realtime/events.store.ts";
import { BUTTONS, endsSoon, inGrace } from "./messages.fr.ts";
import type { PlansDeps } from "./deps.ts";
import { planChanged } from "./plan-changed.ts";
import { hasDueReminder, noteReminders, type Reminded } from "./plans.store.ts";

/** Said with the transaction that notes it: each once, whoever dies. → how many. */
export async function remind(deps: PlansDeps, limit: number): Promise<number> {
  const now = deps.clock.now();
  const due = { now, endedBefore: addMs(now, -GRACE_DAYS * DAY_MS), limit };
  if (!(await hasDueReminder(deps.db, due))) return 0;
  const { premium } = await deps.settings.current();
  return deps.db.transaction().execute(async (tx) => {
    const reminded = await noteReminders(tx, due);
    const buttons = [deps.appButton(BUTTONS.renew, "/Plans")];
    const tellings = reminded.map((one) => ({
      bot: "seller" as const,
      personId: one.seller_id,
      message: { text: say(deps, one, premium.price), buttons },
      priority: 2 as const,
    }));
    await tell(tx, tellings, now);
    // On his screens too: the days of grace have begun.
    const inGraceNow = reminded.filter(({ kind }) => kind === "grace");
    await publish(
      tx,
      inGraceNow.map(({ seller_id: sellerId, premium_until: until }) =>
        planChanged({ sellerId, plan: "premium", until }),
      ),
    );
    return reminded.length;
  });
}

function say(
  { sayInstant }: Pick<PlansDeps, "sayInstant">,
  { kind, premium_until: until }: Reminded,
  price: Parameters<typeof endsSoon>[0]["price"],
): Html {
  const at = sayInstant(until);
  switch (kind) {
    case "7-days":
      return endsSoon({ at, price, days: 7 });
    case "3-days":
      return endsSoon({ at, price, days: 3 });
    case "1-day":
      return endsSoon({ at, price, days: 1 });
    case "grace":
      return inGrace({ price, graceUntil: sayInstant(endOfGrace(until)) });
    default:
      return unreachable(kind);
  }
}
