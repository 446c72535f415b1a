import type { OrderAccessOnWire } from "@sesame/contract/access";
import type { Plan } from "@sesame/contract/plans";
import type { BasisPoints, Chance, Clock, Fcfa } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../postgres/database.ts";

/** What checkout asks of other capabilities; `compose.ts` gives their doors. */

export type ProductForSale = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly groupId: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: Fcfa;
  readonly durationMinutes: number;
  /** Places; null without limit. */
  readonly stock: number | null;
  /** The seller's own switch. */
  readonly switchedOn: boolean;
  readonly archived: boolean;
  /** By the operator (decision 99): accesses that run go on, nothing more is sold. */
  readonly suspended: boolean;
};

export type Shelf = { productForSale(db: Db, reference: string): Promise<ProductForSale | null> };

export type GroupState = "connected" | "missing_rights" | "removed" | "public" | "over_quota";

export type GroupDoor = {
  groupForSale(db: Db, groupId: bigint): Promise<{ readonly state: GroupState } | null>;
  isAdminOf(db: Db, groupId: bigint, telegramId: bigint): Promise<boolean>;
};

export type AccessDoor = { accessOfOrder(orderId: bigint): Promise<OrderAccessOnWire | null> };

export type CheckoutDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  readonly publicUrl: string;
  /** In production a sandbox's word is never money. */
  readonly production: boolean;
  /** The open ones. */
  readonly providers: readonly PaymentProvider[];
  readonly shelf: Shelf;
  readonly groups: GroupDoor;
  readonly access: AccessDoor;
  /** The platform's share of an order made now, for the plan of its seller. */
  feeRateOf(plan: Plan): Promise<BasisPoints>;
  /** Where the buyer's bot is opened; with a start parameter, on that. */
  botUrl(start?: string): string;
};
