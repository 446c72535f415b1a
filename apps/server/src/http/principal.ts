import type { Access } from "@sesame/contract";

/** Who is calling, proved by a token made from verified init data. */
export type Principal = {
  readonly personId: bigint;
  readonly telegramId: bigint;
  /** Through which door the person signed in. */
  readonly audience: "seller" | "buyer";
  /** Named in the configuration (decision 23). */
  readonly isAgent: boolean;
  readonly isOperator: boolean;
};

/** A principal, and when the session behind the token ends by itself. */
export type LiveSession = { readonly principal: Principal; readonly endsAt: Date };

export function mayPass(access: Access, principal: Principal): boolean {
  switch (access) {
    case "public":
    case "init-data":
    case "notice":
    case "metrics":
    case "key":
    case "person":
      return true;
    case "seller":
      return principal.audience === "seller";
    case "agent":
      return principal.isAgent || principal.isOperator;
    case "operator":
      return principal.isOperator;
  }
}

export function needsToken(access: Access): boolean {
  return !["public", "init-data", "notice", "key", "metrics"].includes(access);
}
