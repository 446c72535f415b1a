import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Telegram } from "../../bot/bots.ts";
import type { Db } from "../../postgres/database.ts";
import type { LinkPayloads } from "./add-links.ts";

export type GroupsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly telegram: Telegram;
  readonly appButton: AppButton;
  readonly payloads: LinkPayloads;
};
