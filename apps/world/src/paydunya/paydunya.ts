import { MINUTE_MS, readableToken, secretToken } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import type { PaydunyaKeys } from "../options.ts";
import { noticePart } from "../payments/desk.ts";
import { type MerchantBook, type Merchants, merchants } from "../payments/merchants.ts";
import { type PayoutDesk, payoutDesk } from "../payouts/desk.ts";
import { emptyPayoutBook, type Payout, type PayoutBook } from "../payouts/state.ts";
import { startTill, type TillOptions } from "../payouts/till.ts";
import { callbackBody, callbackHash, type CallbackShape } from "./callback.ts";
import { confirmed, type PaydunyaCollect, startCollect } from "./collect/collect.ts";
import { ipnBody } from "./collect/shapes.ts";
import { emptyInvoices, type Invoice, type InvoiceBook } from "./collect/state.ts";
import { newInvoice } from "./invoice.ts";
import { registerPaydunyaRoutes } from "./routes.ts";

export type PaydunyaState = PayoutBook & InvoiceBook & { merchants: MerchantBook<PaydunyaKeys> };

export function emptyPaydunya(): PaydunyaState {
  return { ...emptyPayoutBook(), ...emptyInvoices(), merchants: new Map() };
}

/** PayDunya as the tests and the control panel hold it. */
export type Paydunya = PayoutDesk & {
  collect: PaydunyaCollect;
  merchants: Merchants<PaydunyaKeys>;
  callbackShape: CallbackShape;
  /** Whether it tries the callback address, by an empty POST, before it gives a token. */
  probesCallback: boolean;
  register(app: FastifyInstance): void;
  close(): void;
};

export type PaydunyaOptions = Omit<
  TillOptions,
  "name" | "book" | "accounts" | "firstFloat" | "announce"
> & {
  book: PaydunyaState;
  keys: PaydunyaKeys | null;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
  /** Known only once the port is. */
  worldUrl(): string;
};

const FIRST_FLOAT = 10_000_000;
const RETRY_EVERY_MS = 5 * MINUTE_MS;
const ANSWER_TIMEOUT_MS = 10_000;

export function startPaydunya(options: PaydunyaOptions): Paydunya {
  const { book, clock, chance, changed, keys, near } = options;
  const accounts = merchants<PaydunyaKeys>({
    // Each payment names its own address.
    main: keys === null ? null : { keys, noticeUrl: () => null },
    book: book.merchants,
    changed,
    invent: () => ({
      masterKey: readableToken(20, chance),
      privateKey: `live_private_${secretToken(18, chance)}`,
      token: readableToken(20, chance),
    }),
  });
  const sender = startSender(options);
  const till = startTill({
    ...options,
    name: "paydunya",
    accounts: ["main"],
    firstFloat: FIRST_FLOAT,
    // It calls back at the end only.
    announce: (payout, event) => event !== "initiated" && told.payout(payout),
  });
  const told = telling(options, { sender, accounts, shape: () => paydunya.callbackShape });
  const newPayout: Parameters<typeof payoutDesk>[0]["newPayout"] = (given) =>
    newInvoice(given, { nowMs: clock.now().getTime(), chance });
  const collect = startCollect({
    ...options,
    merchants: accounts,
    notices: noticePart(sender, book),
    announce: told.invoice,
  });
  const paydunya: Paydunya = {
    ...payoutDesk({ till, sender, newPayout }),
    collect,
    merchants: accounts,
    callbackShape: "json",
    probesCallback: false,
    register(app) {
      const reaches = async (url: string) =>
        !paydunya.probesCallback || answersEmptyPost(near(url));
      registerPaydunyaRoutes(app, { till, keys, reaches });
      collect.register(app);
    },
    close: () => sender.close(),
  };
  return paydunya;
}

type Telling = {
  sender: NoticeSender;
  accounts: Merchants<PaydunyaKeys>;
  shape(): CallbackShape;
};

function telling(options: PaydunyaOptions, { sender, accounts, shape }: Telling) {
  const { keys, near } = options;
  return {
    payout(payout: Payout) {
      if (payout.callbackUrl === null) return;
      const { forgeSignature } = sender.mode;
      const hash = callbackHash(`${keys?.masterKey ?? ""}${forgeSignature ? "-forged" : ""}`);
      const body = callbackBody(payout, { hash, shape: shape() });
      const event = `disburse.${payout.status}`;
      sender.announce({ event, paymentId: payout.id, url: near(payout.callbackUrl), body });
    },
    invoice(invoice: Invoice) {
      const { token, actions } = invoice;
      if (actions.callback_url === null) return;
      const forged = sender.mode.forgeSignature;
      const content = confirmed({ ...options, merchants: accounts }, invoice, forged);
      const body = ipnBody(content, shape());
      const url = near(actions.callback_url);
      sender.announce({ event: `invoice.${content.status}`, paymentId: token, url, body });
    },
  };
}

/** Payments and payouts alike call back where they were told to. */
function startSender({ book, clock, scheduler, changed }: PaydunyaOptions): NoticeSender {
  return startNotices(
    { book, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
      accepts: (status) => status >= 200 && status < 300,
      headers: () => ({ "content-type": "application/x-www-form-urlencoded" }),
      url: () => "",
    },
  );
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
