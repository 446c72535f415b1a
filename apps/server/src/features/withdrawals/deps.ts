import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Db } from "../../postgres/database.ts";
import type { Settings } from "../settings/index.ts";

export type WithdrawalsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "current">;
  /** The instance's: working hours, the date the week reopens. */
  readonly timeZone: string;
  readonly appButton: AppButton;
};
