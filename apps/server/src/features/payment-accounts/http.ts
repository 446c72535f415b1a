import { type CheckoutRefusal, PROVIDERS } from "@sesame/contract/checkout";
import * as contract from "@sesame/contract/payment-accounts";
import { Outage, type Result, refuse } from "@sesame/kernel";
import type { ProviderId } from "@sesame/providers";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerOutage } from "../../http/answers.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { refuseCapability } from "../plans/index.ts";
import { changeMethod, takeKeysAway } from "./change-methods.ts";
import { findKeysInUse } from "./keys.ts";
import { knownAggregators, methodsOf } from "./offers.ts";

type OpenedTrial = Omit<z.output<typeof contract.tryOwnKeys.answer>, "success">;

/** Opens an order of 100 francs from the seller to himself, with his own keys (decision 95). */
type CreateTrial = (request: {
  readonly sellerId: bigint;
  readonly provider: ProviderId;
  readonly keyId: bigint;
}) => Promise<Result<OpenedTrial, CheckoutRefusal>>;

/** Another's id gets the answer of an absent one. */
const UNKNOWN_USER = refuse({ kind: "identity.user-unknown" });

export function registerPaymentAccountsHttp(
  app: App,
  http: HttpServer,
  { createTrial }: { readonly createTrial: CreateTrial },
): void {
  on(http, contract.listAggregators, () => ({ aggregators: knownAggregators(app) }));
  on(http, contract.listUserAggregators, async ({ params: { userId }, caller }) =>
    userId === caller.personId ? { aggregators: await methodsOf(app, userId) } : UNKNOWN_USER,
  );
  on(http, contract.changeUserAggregator, async ({ params, body, caller, reply }) => {
    const { userId: sellerId, key } = params;
    if (sellerId !== caller.personId) return UNKNOWN_USER;
    try {
      return await changeMethod(app, { sellerId, key, actor: actorOf(caller), body });
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return answerOutage(reply, error, contract.AGGREGATOR_UNREACHABLE);
    }
  });
  on(http, contract.removeOwnKeys, async ({ params: { userId: sellerId, key }, caller }) => {
    if (sellerId !== caller.personId) return UNKNOWN_USER;
    return takeKeysAway(app, { sellerId, key, actor: actorOf(caller) });
  });
  on(http, contract.tryOwnKeys, async ({ params: { userId: sellerId, key: provider }, caller }) => {
    if (sellerId !== caller.personId) return UNKNOWN_USER;
    if (!contract.isAggregatorKey(provider)) return refuse({ kind: "aggregators.unknown" });
    const barred = await refuseCapability(app.db, sellerId, "own-aggregators");
    if (barred) return refuse(barred);
    const own = await findKeysInUse(app.db, { sellerId, provider });
    const { name } = PROVIDERS[provider].seller;
    if (!own) return refuse({ kind: "aggregators.no-own-keys", name });
    if (own.refused_at !== null) return refuse({ kind: "aggregators.keys-refused", name });
    const opened = await createTrial({ sellerId, provider, keyId: own.id });
    return opened.ok ? opened.value : opened;
  });
}
