import {
  AGGREGATOR_UNREACHABLE,
  changeUserAggregator,
  listAggregators,
  listUserAggregators,
  removeOwnKeys,
  tryOwnKeys,
} from "@sesame/contract/aggregators";
import { fcfaToJson, Outage, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerOutage } from "../../http/answers.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { changeMethod, takeKeysAway } from "./change-methods.ts";
import { knownAggregators, methodsOf } from "./on-wire.ts";
import { type CreateTrial, startTrial } from "./start-trial.ts";

/** Another's id answers as an absent one. */
const UNKNOWN_USER = refuse({ kind: "identity.user-unknown" } as const);

export function registerAggregatorsHttp(
  app: App,
  http: HttpServer,
  { createTrial }: { readonly createTrial: CreateTrial },
): void {
  on(http, listAggregators, () => ({ aggregators: knownAggregators(app) }));
  on(http, listUserAggregators, async ({ params: { userId }, caller }) =>
    userId === caller.personId ? { aggregators: await methodsOf(app, userId) } : UNKNOWN_USER,
  );
  on(http, changeUserAggregator, async ({ params, body, caller, reply }) => {
    const { userId: sellerId, key } = params;
    if (sellerId !== caller.personId) return UNKNOWN_USER;
    try {
      const changed = await changeMethod(app, { sellerId, key, actor: actorOf(caller), body });
      return changed.ok ? { aggregator: changed.value } : changed;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return answerOutage(reply, error, AGGREGATOR_UNREACHABLE);
    }
  });
  on(http, removeOwnKeys, async ({ params: { userId: sellerId, key }, caller }) => {
    if (sellerId !== caller.personId) return UNKNOWN_USER;
    const taken = await takeKeysAway(app, { sellerId, key, actor: actorOf(caller) });
    return taken.ok ? { aggregator: taken.value } : taken;
  });
  on(http, tryOwnKeys, async ({ params: { userId: sellerId, key }, caller }) => {
    const { personId, telegramId } = caller;
    if (sellerId !== personId) return UNKNOWN_USER;
    const opened = await startTrial(app, createTrial, { sellerId, telegramId, key });
    if (!opened.ok) return opened;
    const { id, amount, paymentUrl, ...rest } = opened.value;
    const said = { id: String(id), amount: fcfaToJson(amount), payment_url: paymentUrl };
    return { ...rest, ...said, currency: "XOF" as const };
  });
}
