import type { z } from "zod";
import type { refusalBody } from "./wire.ts";

/** WIRE §2 fixes the meaning of each status. 503: an outage with its own sentence. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 503;

export type AnyRefusal = { readonly kind: string };

/** The answer of one kind of refusal. `F`: the facts it carries, which its message may quote. */
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
 * The refusals of a feature, each kind once, in the order of the checks. A text alone, or a function
 * of the facts, is answered with 422: the request is understood but not allowed.
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

/** One sentence for each refusal of `R`: a missing one is a type error. */
export type Sentences<R extends AnyRefusal> = {
  readonly [K in R["kind"]]: Sentence<Extract<R, { kind: K }>>;
};

export type RefusalBody = z.input<typeof refusalBody>;

/** Status and body of a refusal, from its catalogue. */
export function sayRefusal<const R extends AnyRefusal>(
  refusal: R,
  sentences: Sentences<R>,
): { readonly status: RefusalStatus; readonly body: RefusalBody } {
  const { status, message } = sentences[refusal.kind as R["kind"]] as Sentence<R>;
  const text = typeof message === "function" ? message(refusal) : message;
  return { status, body: { success: false, code: refusal.kind, message: text } };
}

/** Whether the caller may do something, for an answer: `reason` explains why not. */
export function mayOf<const R extends AnyRefusal>(refusal: R | null, sentences: Sentences<R>) {
  if (refusal === null) return { allowed: true, reason: null };
  return { allowed: false, reason: sayRefusal(refusal, sentences).body.message };
}
