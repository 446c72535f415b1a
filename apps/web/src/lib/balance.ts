import type { UserOnWire } from "@sesame/contract/identity";

/** Of both plans' accounts: what is held for a request stays with the plan it was made under. */
export function totalOf(user: UserOnWire): number {
  return balanceOf(user.balanceGratuit) + balanceOf(user.balancePayant);
}

/** A number or a numeric text; anything else counts as zero (A §5). */
export function balanceOf(value: unknown): number {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? Math.trunc(amount) : 0;
}
