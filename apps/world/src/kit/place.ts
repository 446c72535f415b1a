import type { Chance, Clock } from "@sesame/kernel";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { Scheduler } from "../scheduler.ts";
import type { CollectorName, WorldEvent } from "../wire.ts";

/** What every provider stands on. */
export type Place = {
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  mobileMoney: Pick<MobileMoney, "receive">;
  /** Whether providers announce too that a payment or a payout was begun. */
  announceInitiated: boolean;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
  /** Known only once the port is. */
  worldUrl(): string;
  /** Where the app's own account at a provider is told. */
  webhookUrl(provider: CollectorName): string;
  show(event: WorldEvent): void;
  changed(): void;
};
