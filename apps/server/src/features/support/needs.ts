import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { MethodKey } from "@sesame/contract/aggregators";
import type { Db } from "../../postgres/database.ts";
import type { closeSellerIn } from "../desk/index.ts";
import type { Settings } from "../settings/index.ts";

/** Ways to reach people, as the operator wrote them. */
export type Contacts = {
  readonly supportTelegram: string | null;
  readonly supportWhatsapp: string | null;
};

export type SupportDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly settings: Pick<Settings, "current">;
  readonly appButton: AppButton;
  /** Telegram ids of agents and operators, by the configuration. */
  readonly staff: ReadonlySet<bigint>;
  contacts(): Promise<Contacts>;
  /** Open on this instance. */
  providers(): readonly MethodKey[];
  readonly publicUrl: string;
  /** Who may frame a page of ours. */
  readonly frameAncestors: readonly string[];
  readonly closeSellerIn: typeof closeSellerIn;
  /** What can be bought has changed. */
  onSalesChanged(): void;
};
