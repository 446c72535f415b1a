import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Telegram } from "../../bot/bots.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import type { Db } from "../../postgres/database.ts";
import type { Groups } from "../groups/index.ts";
import type { ImageUrl } from "./access.view.ts";

export type AccessDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly telegram: Telegram;
  /** Operators who can be written to. */
  findOperators(db: Db): Promise<bigint[]>;
  readonly groups: Groups;
  readonly appButton: AppButton;
  readonly sayInstant: SayInstant;
  readonly imageUrl: ImageUrl;
};
