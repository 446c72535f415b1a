import { type ClaimKind, type ClaimOnWire, claimKindsOf } from "@sesame/contract/claims";
import type { RefundOnWire } from "@sesame/contract/refunds";
import type { FastifyBaseLogger } from "fastify";
import type { HttpServer } from "../../http/server.ts";
import type { Principal } from "../../http/principal.ts";
import type { Loop } from "../../jobs/loop.ts";
import type { SellerPart } from "../../postgres/parts.ts";
import { claimToWire } from "./claim-on-wire.ts";
import { countOpen, findClaimable, findClaimsOf, waitingPart } from "./claim.view.ts";
import { readerAtDesk, registerDeskClaimsHttp } from "./desk-http.ts";
import { registerClaimsHttp } from "./http.ts";
import type { ClaimsDeps } from "./needs.ts";
import { createClaimsSweep } from "./sweep.ts";

export { createClaimNotes } from "./notes.ts";
export type { ClaimsDeps } from "./needs.ts";

/** What went wrong with an order, and what is done about it, to its buyer or its seller. */
export type OrderCare = {
  readonly refund: RefundOnWire | null;
  readonly claim: ClaimOnWire | null;
  /** What its buyer may say of it now. */
  readonly mayClaim: ClaimKind[];
  readonly paidTwice: boolean;
};

/** The door of claims. */
export type Claims = {
  careOf(orderId: bigint, readerId: bigint): Promise<OrderCare>;
  /** Of an order, newest first, as the desk sees them. */
  claimsOf(orderId: bigint, caller: Principal): Promise<ClaimOnWire[]>;
  /** How many wait for the seller's answer, as a part of his start. */
  readonly waitingAtStart: SellerPart<number>;
  /** Open ones, for the desk's board. */
  counts(): Promise<{ operator: number; open: number }>;
  registerHttp(app: HttpServer): void;
  sweep(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
};

export function createClaims(deps: ClaimsDeps): Claims {
  return {
    careOf: (orderId, readerId) => careOf(deps, orderId, readerId),
    async claimsOf(orderId, caller) {
      const reader = readerAtDesk(caller);
      const rows = await findClaimsOf(deps.db, orderId);
      return rows.flatMap((row) => claimToWire(row, reader) ?? []);
    },
    waitingAtStart: waitingPart,
    counts: () => countOpen(deps.db),
    registerHttp(app) {
      registerClaimsHttp(app, deps);
      registerDeskClaimsHttp(app, deps);
    },
    sweep: (log) => createClaimsSweep(deps, log),
  };
}

async function careOf(deps: ClaimsDeps, orderId: bigint, readerId: bigint): Promise<OrderCare> {
  const [order, refund, [newest]] = await Promise.all([
    findClaimable(deps.db, orderId),
    deps.refunds.ofOrder(orderId, readerId),
    findClaimsOf(deps.db, orderId),
  ]);
  const isBuyer = order?.buyerId === readerId && order.kind !== "trial";
  return {
    refund,
    claim: newest ? claimToWire(newest, { personId: readerId, desk: null }) : null,
    mayClaim: order && isBuyer ? claimKindsOf(order, deps.clock.now()) : [],
    paidTwice: order?.paidTwice ?? false,
  };
}
