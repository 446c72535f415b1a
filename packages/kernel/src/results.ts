// Three kinds of errors: a refusal is a value, an outage and a bug are thrown.

/** Success, or a refusal as a value. */
export type Result<T, R> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: R };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refuse<const R>(refusal: R): { readonly ok: false; readonly refusal: R } {
  return { ok: false, refusal };
}

export type OutageOptions = {
  /** The service without a valid answer: "telegram", "moneroo", "postgres". */
  readonly party: string;
  /** Whether the same call may be made again. */
  readonly retryable: boolean;
  /** The wait that the service requested. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

/** An outside service gave no answer, or an invalid one. Ends as 503, or as a bounded retry. */
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

/** A fault of this program: the request or job stops, is logged with an id, and answers 500. */
export class Bug extends Error {
  override name = "Bug";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** The default of an exhaustive `switch`: a missing case is a type error. */
export function unreachable(value: never): never {
  throw new Bug(`unexpected value: ${JSON.stringify(value)}`);
}

/**
 * The text of a thrown value, for a log line or a column. Never throws, although a thrown value may
 * have a `toString` or a `message` of its own.
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

/** Whether an unchecked value is one of these words. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return (value: unknown): value is Word => words.some((word) => word === value);
}

/**
 * The text of an unchecked value: a string, or a number, boolean or bigint as written. Any other
 * value gives null: the `toString` of an object must not be called.
 */
export function textOf(value: unknown): string {
  const isPlain =
    typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return typeof value === "string" || isPlain ? String(value) : "";
}
