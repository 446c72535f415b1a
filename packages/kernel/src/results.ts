// Three kinds of errors: a refusal is a value, an outage and a bug are thrown.

/** Success or a refusal, as a value: the business may say no without throwing. */
export type Result<T, R> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: R };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refuse<R>(refusal: R): { readonly ok: false; readonly refusal: R } {
  return { ok: false, refusal };
}

export type OutageOptions = {
  /** Who did not answer, or answered nonsense: "telegram", "moneroo", "postgres". */
  readonly party: string;
  /** Whether the same call may be made again. */
  readonly retryable: boolean;
  /** How long the party asked us to wait. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

/** Someone outside did not answer, or answered nonsense. Ends as 503, or as a bounded retry. */
export class Outage extends Error {
  override name = "Outage";
  readonly party: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: OutageOptions) {
    super(message, { cause: options.cause });
    this.party = options.party;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** We are wrong: the request or job stops, is logged with an id, and answers 500. */
export class Bug extends Error {
  override name = "Bug";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** Closes an exhaustive `switch`: the compiler refuses a case left out. */
export function unreachable(value: never): never {
  throw new Bug(`unexpected value: ${JSON.stringify(value)}`);
}

/**
 * The text of a thrown value, for a log line or a column. Never throws: a thrown value may be
 * anything, and an object may bring a `toString` or a `message` of its own.
 */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { message, name } = error;
      return textOf(message) || textOf(name) || UNREADABLE;
    }
    return textOf(error) || (JSON.stringify(error) ?? typeof error);
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = "an error that cannot be read";

/**
 * The text of an unchecked value: a string, or a number, boolean or bigint as written. Any other
 * value has none: an object would be asked for its own `toString`.
 */
export function textOf(value: unknown): string {
  const isPlain =
    typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return typeof value === "string" || isPlain ? String(value) : "";
}
