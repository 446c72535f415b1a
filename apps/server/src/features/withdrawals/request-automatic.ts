import {
  PAYOUT_METHODS,
  type RequestRefusal,
  type WithdrawalLimits,
} from "@sesame/contract/withdrawals";
import { assert, type Fcfa, fcfa, fcfaToJson, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { viewProfile } from "./payout-profiles.view.ts";
import { type AcceptedRequest, requestWithdrawal } from "./request-withdrawal.ts";
import { limitsFor } from "./seller-limits.ts";
import { withdrawalAsAccepted } from "./withdrawal-on-wire.ts";
import { viewByRun, viewSellerFacts } from "./withdrawals.view.ts";

type AutomaticRequest = {
  readonly sellerId: bigint;
  /** The date it is run for, YYYY-MM-DD: each date once, however often it is asked. */
  readonly on: string;
};

type AutomaticRefusal =
  | RequestRefusal
  | { readonly kind: "withdrawals.key-reused" }
  /** Nothing, or less than the least that may be asked, is available. */
  | { readonly kind: "withdrawals.too-little-available"; readonly available: Fcfa };

/**
 * An ordinary request of min(available, max), as much of it as the operator's step allows
 * (decision 87), to the number of the configuration.
 */
export async function requestAutomatic(
  app: App,
  { sellerId, on }: AutomaticRequest,
): Promise<Result<AcceptedRequest, AutomaticRefusal>> {
  // A run that was written and not noted: what it took is no longer available.
  const before = await viewByRun(app.db, sellerId, on);
  if (before !== null) return ok({ withdrawal: withdrawalAsAccepted(before), before: true });
  const [settings, facts, profile] = await Promise.all([
    app.settings.current(),
    viewSellerFacts(app.db, sellerId),
    viewProfile(app.db, sellerId),
  ]);
  assert(facts && profile, `no seller ${sellerId}`);
  const { method, phone } = profile;
  if (method === null || phone === null) return refuse({ kind: "withdrawals.method-missing" });
  const at = { now: app.clock.now(), zone: app.config.timeZone };
  const limits = limitsFor(facts, settings, at);
  const { min, step } = limits.methods[method];
  const amount = mostOf(limits, step);
  if (amount < limits.min || amount < min) {
    const { available } = facts;
    return refuse({ kind: "withdrawals.too-little-available", available });
  }
  return requestWithdrawal(app, {
    sellerId,
    form: {
      amount: fcfaToJson(amount),
      method: PAYOUT_METHODS[method].id,
      phone,
      whatsapp: facts.whatsapp_number ?? phone,
    },
    key: null,
    automaticOn: on,
  });
}

function mostOf({ available, max, firstMax }: WithdrawalLimits, step: Fcfa): Fcfa {
  const bounds = [available, max, ...(firstMax === null ? [] : [firstMax])];
  const most = bounds.reduce((least, bound) => (bound < least ? bound : least));
  return fcfa(most - (most % step));
}
