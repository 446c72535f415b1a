/** WIRE §2: what each status means is fixed there. 503: an outage with a sentence of its own. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 503;

export type AnyRefusal = { readonly kind: string };

/** How one kind of refusal is answered. `F`: the facts it carries, which its sentence may say. */
export type Sentence<F = unknown> = {
  readonly status: RefusalStatus;
  /** French, for the person on the phone. */
  readonly message: string | ((facts: F) => string);
};

/** Declares one kind. */
/* @__NO_SIDE_EFFECTS__ */
export function refusal<F = unknown>(
  status: RefusalStatus,
  message: Sentence<F>["message"],
): Sentence<F> {
  return { status, message };
}

export type RefusalTable = Readonly<Record<string, Sentence<never>>>;

/** Declares a refusal caused by another person's act or an earlier one. */
/* @__NO_SIDE_EFFECTS__ */
export function conflict<F = unknown>(message: Sentence<F>["message"]): Sentence<F> {
  return refusal(409, message);
}

/**
 * The table of a feature, each kind once, in the order of the checks. Words alone, or what makes them
 * of the facts, are answered with 422: what was asked for may not be done.
 */
/* @__NO_SIDE_EFFECTS__ */
export function refusals<const T extends Readonly<Record<string, string | object>>>(table: T) {
  const sentences = Object.entries(table).map(([kind, said]) => [
    kind,
    typeof said === "object" ? said : refusal(422, said as Sentence["message"]),
  ]);
  return Object.fromEntries(sentences) as {
    readonly [K in keyof T]: T[K] extends string
      ? Sentence
      : T[K] extends (facts: infer F) => string
        ? Sentence<F>
        : T[K];
  };
}

/** The union of the refusals that a table declares, by kind. */
export type RefusalOf<T extends RefusalTable> = {
  [K in keyof T]: T[K] extends Sentence<infer F> ? { readonly kind: K } & Readonly<F> : never;
}[keyof T];

/** One sentence for each refusal of `R`: the compiler refuses a table with a gap. */
export type Sentences<R extends AnyRefusal> = {
  readonly [K in R["kind"]]: Sentence<Extract<R, { kind: K }>>;
};

export type RefusalBody = {
  readonly success: false;
  readonly code: string;
  readonly message: string;
};

/** Status and body of a refusal, from its catalogue. */
export function sayRefusal<const R extends AnyRefusal>(
  refusal: R,
  sentences: Sentences<R>,
): { readonly status: RefusalStatus; readonly body: RefusalBody } {
  const sentence: Sentence<R> = sentences[refusal.kind as R["kind"]] as Sentence<R>;
  const { message } = sentence;
  const text = typeof message === "function" ? message(refusal) : message;
  return { status: sentence.status, body: { success: false, code: refusal.kind, message: text } };
}

/** Whether something may be done, for an answer: `refusal` is the reason when it may not. */
export function mayOf<const R extends AnyRefusal>(refusal: R | null, sentences: Sentences<R>) {
  if (refusal === null) return { allowed: true, reason: null };
  return { allowed: false, reason: sayRefusal(refusal, sentences).body.message };
}
