import { MINUTE_MS } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import { startNotices } from "../notices/sender.ts";
import type { PaydunyaKeys } from "../options.ts";
import { type PayoutDesk, payoutDesk } from "../payouts/desk.ts";
import type { Payout } from "../payouts/state.ts";
import { startTill, type TillOptions } from "../payouts/till.ts";
import { callbackBody, callbackHash, type CallbackShape } from "./callback.ts";
import { newInvoice } from "./invoice.ts";
import { registerPaydunyaRoutes } from "./routes.ts";

/** PayDunya as the tests and the control panel hold it. */
export type Paydunya = PayoutDesk & {
  callbackShape: CallbackShape;
  /** Whether it tries the callback address, by an empty POST, before it gives a token. */
  probesCallback: boolean;
  register(app: FastifyInstance): void;
  close(): void;
};

export type PaydunyaOptions = Omit<TillOptions, "name" | "accounts" | "firstFloat" | "announce"> & {
  keys: PaydunyaKeys | null;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
};

const FIRST_FLOAT = 10_000_000;
const RETRY_EVERY_MS = 5 * MINUTE_MS;
const ANSWER_TIMEOUT_MS = 10_000;

export function startPaydunya(options: PaydunyaOptions): Paydunya {
  const { book, clock, chance, scheduler, changed, keys, near } = options;
  const sender = startNotices(
    { book, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
      accepts: (status) => status >= 200 && status < 300,
      headers: () => ({ "content-type": "application/x-www-form-urlencoded" }),
      // Each invoice names its own.
      url: () => "",
    },
  );
  const announce = (payout: Payout) => {
    if (payout.callbackUrl === null) return;
    const { forgeSignature } = sender.mode;
    const hash = callbackHash(`${keys?.masterKey ?? ""}${forgeSignature ? "-forged" : ""}`);
    const body = callbackBody(payout, { hash, shape: paydunya.callbackShape });
    const event = `disburse.${payout.status}`;
    sender.announce({ event, paymentId: payout.id, url: near(payout.callbackUrl), body });
  };
  const till = startTill({
    ...options,
    name: "paydunya",
    accounts: ["main"],
    firstFloat: FIRST_FLOAT,
    // It calls back at the end only.
    announce: (payout, event) => event !== "initiated" && announce(payout),
  });
  const newPayout: Parameters<typeof payoutDesk>[0]["newPayout"] = (given) =>
    newInvoice(given, { nowMs: clock.now().getTime(), chance });
  const paydunya: Paydunya = {
    ...payoutDesk({ till, sender, newPayout }),
    callbackShape: "json",
    probesCallback: false,
    register: (app) =>
      registerPaydunyaRoutes(app, {
        till,
        keys,
        reaches: async (url) => !paydunya.probesCallback || answersEmptyPost(near(url)),
      }),
    close: () => sender.close(),
  };
  return paydunya;
}

async function answersEmptyPost(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(url, { method: "POST", signal });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
