import { Outage } from "@sesame/kernel";

/** Why a database does not execute a correct statement. */
export type OutageReason =
  /** No answer: it is down, still starting, unreachable, or its name is unknown. */
  | "unreachable"
  /** It took longer than we wait. */
  | "slow"
  /** It answers but refuses to write: a standby, or a demoted primary. */
  | "read-only"
  | "disk-full"
  /** No room for another connection, or no memory. */
  | "overloaded"
  /** A failure of its machine or its files. */
  | "system"
  /** Two transactions conflicted and this one was rolled back: retry. */
  | "conflict";

/** By whole SQLSTATE: checked before the classes. PostgreSQL's documentation, appendix A. */
const STATES: Readonly<Record<string, OutageReason>> = {
  "25006": "read-only", // read_only_sql_transaction
  "25P03": "slow", // idle_in_transaction_session_timeout
  "25P04": "slow", // transaction_timeout
  "40001": "conflict", // serialization_failure
  "40P01": "conflict", // deadlock_detected
  "53100": "disk-full", // disk_full
  "57014": "slow", // query_canceled: statement_timeout, or an operator
};

/** By the first two characters of a SQLSTATE. */
const CLASSES: Readonly<Record<string, OutageReason>> = {
  "08": "unreachable", // connection exception
  "53": "overloaded", // insufficient resources
  "57": "unreachable", // operator intervention: shutdown, crash, still starting
  "58": "system", // errors of the operating system: input/output, a missing file
};

/** The system's error codes for names, routes and connections. */
const SYSTEM_CODE =
  /^(ENOTFOUND|EAI_(AGAIN|FAIL|NODATA)|E(HOST|NET)(UNREACH|DOWN)|ENETRESET|EADDRNOTAVAIL|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT)$/;

/** The socket of a database that is down is missing, or no longer ours: only while connecting. */
const CONNECT_CODES = new Set(["ENOENT", "EACCES"]);

/** Errors of `pg` and `pg-pool` without a code. */
const MESSAGES: readonly (readonly [RegExp, OutageReason])[] = [
  [/^Query read timeout$/, "slow"],
  [/^timeout exceeded when trying to connect$/, "overloaded"],
  [/^timeout expired$/, "unreachable"],
  [/^Connection terminated\b/, "unreachable"],
  [/^Client (has encountered a connection error|was closed) and is not queryable$/, "unreachable"],
  [/^Postgres connection has been discarded$/, "unreachable"],
];

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Why it is an outage of the database; null for a bug, or a violated constraint. */
export function outageReason(error: unknown): OutageReason | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null) {
    if (SYSTEM_CODE.test(code)) return "unreachable";
    if (CONNECT_CODES.has(code)) {
      const isConnecting = "syscall" in error && error.syscall === "connect";
      return isConnecting ? "unreachable" : null;
    }
    if (SQLSTATE.test(code)) return STATES[code] ?? CLASSES[code.slice(0, 2)] ?? null;
  }
  return MESSAGES.find(([message]) => message.test(error.message))?.[1] ?? null;
}

/** The database did not execute it, and may when it is repeated. `code` from the database, if any. */
export class DatabaseOutage extends Outage {
  readonly reason: OutageReason;
  readonly code: string | undefined;

  constructor(cause: Error, reason: OutageReason) {
    super(`postgres: ${reason}: ${String(cause)}`, { party: "postgres", retryable: true, cause });
    this.reason = reason;
    this.code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  }
}

/** The same error, as an `Outage` where it is one. */
export function asOutage(error: unknown): unknown {
  if (error instanceof Outage || !(error instanceof Error)) return error;
  const reason = outageReason(error);
  return reason ? new DatabaseOutage(error, reason) : error;
}
