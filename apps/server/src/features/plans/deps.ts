import type { ChannelOnWire } from "@sesame/contract/groups";
import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import type { Db } from "../../postgres/database.ts";
import type { Settings } from "../settings/index.ts";

export type PlansDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "current">;
  readonly appButton: AppButton;
  readonly sayInstant: SayInstant;
  readonly groups: {
    channelsOf(sellerId: bigint): Promise<ChannelOnWire[]>;
    /** His groups may be in or out of the quota now: screens, pages and he himself hear of it. */
    announceChange(tx: Db, change: { sellerId: bigint; now: Date }): Promise<void>;
  };
};
