import type { InstanceSettings } from "@sesame/contract/settings";
import type { Clock } from "@sesame/kernel";
import type { PaymentProvider, ProviderId } from "@sesame/providers";
import type { AppButton } from "../../bot/app-button.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import type { Db } from "../../postgres/database.ts";

/** What refunds ask of other capabilities; `compose.ts` gives their doors. */

export type AccessDoor = {
  /** Takes away the time a sale still gave; null when nothing is left. */
  takeBackIn(
    tx: Db,
    sale: {
      readonly orderId: bigint;
      readonly buyerId: bigint;
      readonly groupId: bigint;
      readonly minutes: number;
      readonly accessUntil: Date;
    },
    now: Date,
  ): Promise<{ readonly endsAt: Date } | null>;
};

/** Of a claim that is closed by the refund. */
export type ClaimNotes = {
  /** Locks the open claim of an order, before the order. Its id. */
  lockOpenIn(tx: Db, orderId: bigint): Promise<bigint | null>;
  /** Closes it: the money goes back. */
  noteRefundedIn(
    tx: Db,
    refunded: {
      readonly claimId: bigint;
      readonly as: "seller" | "operator";
      readonly by: bigint;
      readonly reason: string;
    },
    now: Date,
  ): Promise<void>;
  /** The buyer has his money. */
  noteGivenBackIn(tx: Db, claimId: bigint, now: Date): Promise<void>;
};

export type RefundsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly appButton: AppButton;
  readonly sayInstant: SayInstant;
  readonly settings: { current(): Promise<InstanceSettings> };
  /** The account that was paid; null: not there any more. */
  providerFor(provider: ProviderId, keyId: bigint | null): Promise<PaymentProvider | null>;
  readonly access: AccessDoor;
  readonly claims: ClaimNotes;
  readonly groups: {
    /** His groups may be out of the quota now: screens and pages hear of it. */
    announceChange(tx: Db, change: { sellerId: bigint; now: Date }): Promise<void>;
  };
};
