import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { deskChanged, type RealtimeEvent } from "../../realtime/events.store.ts";

type Changed = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly status: WithdrawalStatus;
  /** The money was received. */
  readonly paid?: boolean;
};

/** What the seller's screens and the desk hear of a change. */
export function changedEvents({ id, sellerId, status, paid = false }: Changed): RealtimeEvent[] {
  return [
    {
      room: `person:${sellerId}`,
      name: "withdrawal:status",
      body: { id: String(id), status, paid },
    },
    deskChanged("withdrawal", id),
  ];
}
