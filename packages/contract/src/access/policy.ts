/** WIRE §2: `waiting` paid and not inside yet, `ended` time over and removal under way. */
export const ACCESS_STATUSES = ["waiting", "inside", "ended", "removed", "left", "banned"] as const;
export type AccessStatus = (typeof ACCESS_STATUSES)[number];

/** Paid time is still running: a join request may be approved. `banned` is the admins' word. */
export function isRunning(access: { status: AccessStatus; endsAt: Date }, now: Date): boolean {
  const open =
    access.status === "waiting" || access.status === "inside" || access.status === "left";
  return open && access.endsAt.getTime() > now.getTime();
}
