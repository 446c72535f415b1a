import { createAppButton } from "./bot/app-button.ts";
import { readContacts } from "./compose-contacts.ts";
import type { Features, Ground } from "./compose-features.ts";
import { closeSellerIn } from "./features/desk/index.ts";
import { createSupport, type Support } from "./features/support/index.ts";

type Base = Pick<Ground, "config" | "db" | "clock">;
type Stands = Pick<Features, "settings" | "catalogue" | "providers">;

/** Conversations with the desk, questions, personal data. */
export function composeSupport({ config, db, clock }: Base, features: Stands): Support {
  const { settings, catalogue, providers } = features;
  return createSupport({
    db,
    clock,
    timeZone: config.timeZone,
    settings,
    appButton: createAppButton(config),
    staff: new Set([...config.agentTelegramIds, ...config.operatorTelegramIds]),
    contacts: () => readContacts(config, settings),
    providers: () => providers.map(({ id }) => id),
    closeSellerIn,
    publicUrl: config.publicUrl,
    frameAncestors: config.telegramWebOrigins,
    onSalesChanged: catalogue.forgetPublicProducts,
  });
}
