import { SWITCH_OFF_BROKE, SWITCH_OFF_FAILED } from "@sesame/contract/withdrawals";
import { type RequestError, sayError } from "../../lib/request.ts";
import { type Act, act } from "../../kit/use-action.tsx";
import { withdrawalsCopy } from "./messages.fr.ts";

const { auto } = withdrawalsCopy;

/** Deactivating asks first, then sets retrait_auto to 0 (B §4). */
export function switchOff(live: boolean): Act {
  return act("PUT /api/users/paiement/update", {
    button: auto.deactivate,
    look: "danger-tinted",
    may: { allowed: live, reason: null, shown: true },
    title: auto.askTitle,
    text: auto.askText,
    body: () => ({ retrait_auto: 0 }),
    done: () => auto.switchedOff,
    failed: sayFailure,
  });
}

/** B §8: the server's own word, or one of two sentences. */
function sayFailure(error: RequestError): string {
  const answered = error.status > 0 && error.status < 500;
  return answered ? sayError(error, SWITCH_OFF_FAILED) : SWITCH_OFF_BROKE;
}
