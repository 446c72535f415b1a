import { sayWorkingHours } from "@sesame/contract";
import { DEFAULT_SETTINGS } from "@sesame/contract/back-office";
import type { App } from "./app.ts";

export type Contacts = {
  readonly communityUrl: string | null;
  readonly supportTelegram: string | null;
  readonly supportWhatsapp: string | null;
  /** French. */
  readonly supportHours: string;
};

/**
 * Ways to reach people: what the operator set, else the configuration. They are no reason for a page
 * to fail: while the database is away the configuration alone speaks.
 */
export async function readContacts({ config, settings }: App): Promise<Contacts> {
  const { texts, hours } = await settings.current().catch(() => DEFAULT_SETTINGS);
  return {
    communityUrl: texts.community_url ?? config.communityUrl,
    supportTelegram: texts.support_telegram ?? config.supportTelegram,
    supportWhatsapp: texts.support_whatsapp ?? config.supportWhatsapp,
    supportHours: sayWorkingHours(hours.support),
  };
}
