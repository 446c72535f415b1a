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
