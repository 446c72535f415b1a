import { MINUTE_MS } from "@sesame/kernel";
import type { Guard } from "./guard.ts";

/** EX_SOFTWARE: whoever runs the program starts it again. */
export const FAULT_EXIT_CODE = 70;

export type FaultKind = "uncaughtException" | "unhandledRejection";

/** More than this in a minute is no accident of one request: something of ours is broken. */
export const REJECTIONS_SURVIVED_A_MINUTE = 30;

/** Of a connection that broke while nobody listened to it. */
const CONNECTION_CODES = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTCONN",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * Whether the process is as good after the error as before it (decision 0034):
 *
 * · a rejected promise nobody awaited: its function was left by the way each caught failure leaves
 *   it, as a request that ends in 500, and interrupted nobody;
 * · a connection's "error" event nobody listened to: Node emits it on its own, from no code of ours.
 *
 * Any other exception tore a callback of somebody's in the middle: what it left half-done is unknown.
 */
export function isStateKnownGood(kind: FaultKind, error: unknown): boolean {
  if (kind === "unhandledRejection") return true;
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return false;
  const { code, syscall } = error;
  return typeof syscall === "string" && typeof code === "string" && CONNECTION_CODES.has(code);
}

export type ProcessFaultOptions = {
  readonly guard: Pick<Guard, "report">;
  /** Milliseconds, of a clock that only goes on. */
  nowMs(): number;
  /** Called for each fault whose state is not known good. */
  restart(kind: FaultKind, error: unknown): void;
};

/** What becomes of a fault that reached the process: logged, counted, and survived or not. */
export function createFaultHandler(
  options: ProcessFaultOptions,
): (kind: FaultKind, error: unknown) => void {
  let survivedAt: number[] = [];
  return (kind, error) => {
    options.guard.report(kind, error);
    const now = options.nowMs();
    survivedAt = [...survivedAt.filter((at) => now - at < MINUTE_MS), now];
    const isRare = survivedAt.length <= REJECTIONS_SURVIVED_A_MINUTE;
    if (!isRare || !isStateKnownGood(kind, error)) options.restart(kind, error);
  };
}

/**
 * Waits for the end of what runs, at most `drainMs`: a drain that hangs must not outlive the ten
 * seconds promised (WIRE §3). → what went wrong, `null` when all ended well. Never rejects.
 */
export async function endInTime(stop: () => Promise<void>, drainMs: number): Promise<unknown> {
  const late = new Promise<Error>((resolve) => {
    setTimeout(() => resolve(new Error("the drain took too long")), drainMs).unref();
  });
  const ended = stop().then(
    () => null,
    (error: unknown) => error,
  );
  return Promise.race([ended, late]);
}
