import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Db } from "../../postgres/database.ts";
import type { Payouts } from "../payouts/index.ts";

/** What the desk's registry stands on: who is known, what is counted, what was done. */
export type RegistryDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly payouts: Pick<Payouts, "reconciliations" | "requestReconciliation">;
  readonly appButton: AppButton;
  /** What a seller sells changed: the pages at hand are old. */
  onSalesChanged(): void;
};
