import type { AdjustableClock } from "@sesame/kernel";
import type { PhoneDelays } from "../phones.ts";
import type { Parties } from "../providers.ts";
import type { Actors } from "../telegram/actors.ts";
import type { BotApi, TelegramFaults } from "../telegram/bot-api-server.ts";
import type { Town } from "../telegram/town.ts";
import type { PhoneId, WorldEvent } from "../wire.ts";
import type { SavedWorld } from "../world-state.ts";

/** The parts of a started world, for those who show or steer it. */
export type RunningWorld = Parties & {
  saved: SavedWorld;
  town: Town;
  actors: Actors;
  faults: TelegramFaults;
  clock: AdjustableClock;
  appUrl(): string;
  url(): string;
  phoneOrigin(id: PhoneId): string;
  phoneDelays: PhoneDelays;
  onExchange: BotApi["onExchange"];
  version(): number;
  changed(): void;
  show(event: WorldEvent): void;
  /** Hears each change, and what passes. */
  listen(listener: Listener): () => void;
};

export type Listener = { changed(): void; show(event: WorldEvent): void };
