import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import type { Db } from "../../postgres/database.ts";
import type { Refunds } from "../refunds/index.ts";

/** What is said to people needs. */
export type WordsDeps = {
  readonly clock: Clock;
  readonly appButton: AppButton;
  readonly sayInstant: SayInstant;
};

export type ClaimsDeps = WordsDeps & {
  readonly db: Db;
  readonly refunds: Pick<Refunds, "chooseLane" | "askIn" | "ofOrder">;
  /** Telegram ids of the configuration. */
  readonly operators: ReadonlySet<bigint>;
};
