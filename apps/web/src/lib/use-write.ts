import type { BodyOf, CallName, Sent } from "@sesame/contract/routes";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call, type How, TAKEN_BACK } from "./api.ts";
import { newIdempotencyKey, type RequestError, type Answered } from "./request.ts";

type Act<A> = {
  readonly words: string;
  readonly key: string;
  readonly takenBack: AbortController;
  answer: Promise<A> | null;
};
type Ends<A> = {
  onSuccess?(answer: A): unknown;
  onError?(error: RequestError): unknown;
  onSettled?(): unknown;
};

/**
 * A write by the person. The same body sent twice in a row, by a double tap or after a silence, carries one
 * key and counts once; another body is another write. For a thing with an id, the component that uses it is
 * keyed by that id. `takeBack`: cancels a write that waits for the network and was not sent.
 */
export function useWrite<B, A>(
  send: (said: B, how: { key: string; takenBack: AbortSignal }) => Promise<A>,
  ends: Ends<A> = {},
) {
  const last = useRef<Act<A>>(null);
  const write = useMutation<A, RequestError, B>({
    ...ends,
    onError: (error) => (error.code === TAKEN_BACK ? undefined : ends.onError?.(error)),
    mutationFn: (said) => {
      const words = JSON.stringify(said) ?? "";
      const before = last.current;
      const again = before?.words === words && !before.takenBack.signal.aborted ? before : null;
      const act = again ?? {
        words,
        key: newIdempotencyKey(),
        takenBack: new AbortController(),
        answer: null,
      };
      last.current = act;
      act.answer ??= send(said, { key: act.key, takenBack: act.takenBack.signal }).then(
        (answer) => {
          if (last.current === act) last.current = null;
          return answer;
        },
        (error: unknown) => {
          act.answer = null;
          throw error;
        },
      );
      return act.answer;
    },
  });
  return { ...write, takeBack: () => last.current?.takenBack.abort() };
}

type Said<C extends CallName> = object extends BodyOf<C> ? BodyOf<C> | void : BodyOf<C>;

export type Sending<C extends CallName> = Omit<Sent<C>, "body" | "form"> & How & Ends<Answered<C>>;

/** The same for a declared call: its body is the argument. */
export function useSend<C extends CallName>(name: C, how: Sending<C>) {
  const { onSuccess, onError, onSettled, ...given } = how;
  const ends = { onSuccess, onError, onSettled };
  return useWrite((body: Said<C>, how) => {
    const send = call as (name: C, given: object) => Promise<Answered<C>>;
    return send(name, { ...given, body, ...how });
  }, ends);
}

/** A §2: the spinner is shown for at least a second. */
const SPINNER_MS = 1_000;

export async function atLeastASecond<T>(work: Promise<T>): Promise<T> {
  const pause = new Promise((resolve) => setTimeout(resolve, SPINNER_MS));
  const [answer] = await Promise.all([work, pause]);
  return answer;
}
