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

/**
 * Who may call a route. Each route declares one; a route without one does not start.
 * `public`: anybody. `init-data`: the handler verifies Telegram's signature. `notice`: a provider's
 * or Telegram's signed call. `person`: each valid token. `metrics`: the metrics token. `key`: a seller's own
 * program, by a key of his with the route's scope, and nobody by a token.
 */
export type Access =
  | "public"
  | "init-data"
  | "notice"
  | "key"
  | "person"
  | "buyer"
  | "seller"
  | "agent"
  | "operator"
  | "metrics";

export function mayPass(access: Access, principal: Principal): boolean {
  switch (access) {
    case "public":
    case "init-data":
    case "notice":
    case "metrics":
    case "key":
    case "person":
    case "buyer":
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
