import { type Clock, type Fcfa, ok, refuse } from "@sesame/kernel";
import type { PaymentProvider, Quote } from "@sesame/providers";
import { createCryptopay, quoteInEuros } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import { createStars, quoteInStars, type StarsCall } from "@sesame/providers/stars";
import type { BotGateway } from "./bot/gateway.ts";
import type { Config } from "./config.ts";
import { createStarCharges } from "./features/checkout/index.ts";
import type { Settings } from "./features/settings/index.ts";
import type { Db } from "./postgres/database.ts";

type Ground = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "current">;
  /** Of the bot that makes invoices in Stars. */
  readonly gateway: Pick<BotGateway, "call">;
};

/** The instance's own accounts, in the order people are offered them: open when keys are set. */
export function openProviders({ config, ...ground }: Ground): PaymentProvider[] {
  const { moneroo, fedapay, kkiapay, paydunya, cryptopay } = config;
  const now = () => ground.clock.now();
  const open: PaymentProvider[] = [];
  if (moneroo) open.push(createMoneroo(moneroo));
  if (fedapay) open.push(createFedapay({ ...fedapay, now }));
  if (kkiapay) open.push(createKkiapay(kkiapay));
  if (paydunya) open.push(createPaydunya(paydunya));
  if (cryptopay) open.push(createCryptopay({ ...cryptopay, now }));
  if (config.starsEnabled) open.push(openStars(ground));
  return open;
}

function openStars({ db, clock, settings, gateway }: Omit<Ground, "config">): PaymentProvider {
  const call: StarsCall = async (method, params) => {
    // The adapter's parameters are those of Telegram's description of the method.
    const answer = await gateway.call(method, params as never);
    return answer.ok ? ok<unknown>(answer.value) : refuse({ said: answer.refusal.said });
  };
  return createStars({
    call,
    charges: createStarCharges({ db, clock }),
    francsPerStar: async () => (await settings.current()).francsPerStar,
  });
}

/** What a provider that does not count in francs will ask for a price; null for the others. */
export async function quoteOf(
  settings: Pick<Settings, "current">,
  provider: string,
  price: Fcfa,
): Promise<Quote | null> {
  switch (provider) {
    case "cryptopay":
      return quoteInEuros(price);
    case "stars":
      return quoteInStars(price, (await settings.current()).francsPerStar);
    default:
      return null;
  }
}
