import { MINUTE_MS } from "@sesame/kernel";
import type { Guard } from "./guard.ts";

/** EX_SOFTWARE: the supervisor of the program starts it again. */
export const FAULT_EXIT_CODE = 70;

export type FaultKind = "uncaughtException" | "unhandledRejection";

/** More than this in a minute is no accident of one request: the program is broken. */
export const REJECTIONS_SURVIVED_A_MINUTE = 30;

/** Codes of a broken connection without an error listener. */
const CONNECTION_CODE =
  /^(EAI_AGAIN|ECONN(ABORTED|REFUSED|RESET)|E(HOST|NET)UNREACH|ENOTCONN|EPIPE|ETIMEDOUT)$/;

/**
 * Whether the process is as good after the error as before it (decision 0034):
 *
 * · a rejected promise nobody awaited: its function ended as at any caught failure, like a request that
 *   ends in 500, and interrupted nothing else;
 * · an "error" event of a connection without a listener: Node emits it by itself, from no code of ours.
 *
 * Any other exception interrupted some callback in the middle: its state is unknown.
 */
export function isStateKnownGood(kind: FaultKind, error: unknown): boolean {
  if (kind === "unhandledRejection") return true;
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return false;
  const { code, syscall } = error;
  return typeof syscall === "string" && typeof code === "string" && CONNECTION_CODE.test(code);
}

export type ProcessFaultOptions = {
  readonly guard: Pick<Guard, "report">;
  /** Milliseconds of a clock that only advances. */
  nowMs(): number;
  /** Called for each fault after which the state is unknown. */
  restart(kind: FaultKind, error: unknown): void;
};

/** The effect of a fault that reached the process: logged, counted, and survived or not. */
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
 * Waits until running work ends, at most `drainMs`: a hanging drain must not outlast the promised
 * ten seconds (WIRE §3). → the error, `null` when all ended well. Never rejects.
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
