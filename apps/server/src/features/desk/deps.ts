import type { Clock } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Db } from "../../postgres/database.ts";
import type { Payouts } from "../payouts/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Withdrawals } from "../withdrawals/index.ts";

export type DeskDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly settings: Pick<Settings, "current">;
  readonly payouts: Pick<
    Payouts,
    | "lanes"
    | "laneRefusal"
    | "approveIn"
    | "markPaidByHandIn"
    | "failByHandIn"
    | "resolveIn"
    | "inspect"
  >;
  readonly withdrawals: Pick<Withdrawals, "rejectIn">;
};

/** What the agents' messages need besides. */
export type DeskBotDeps = DeskDeps & {
  readonly appButton: AppButton;
  /** Of agents and operators, by the configuration (decision 23). */
  readonly staff: { readonly agents: ReadonlySet<bigint>; readonly operators: ReadonlySet<bigint> };
};
