import type { BodyOf, CallName, Sent } from "@sesame/contract/routes";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call, type How } from "./api.ts";
import { newIdempotencyKey, type RequestError, type Told } from "./request.ts";

type Act<A> = { readonly words: string; readonly key: string; answer: Promise<A> | null };
type Ends<A> = {
  onSuccess?(answer: A): unknown;
  onError?(error: RequestError): unknown;
  onSettled?(): unknown;
};

/**
 * A write by the person. The same words sent twice in a row, by a double tap or after a silence, carry
 * one key and are one act; other words are another. Of a thing named by an id, the component that uses
 * it is keyed by that id.
 */
export function useWrite<B, A>(send: (said: B, key: string) => Promise<A>, ends: Ends<A> = {}) {
  const last = useRef<Act<A>>(null);
  return useMutation<A, RequestError, B>({
    ...ends,
    mutationFn: (said) => {
      const words = JSON.stringify(said) ?? "";
      const again = last.current?.words === words ? last.current : null;
      const act = again ?? { words, key: newIdempotencyKey(), answer: null };
      last.current = act;
      act.answer ??= send(said, act.key).then(
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
}

type Said<C extends CallName> = object extends BodyOf<C> ? BodyOf<C> | void : BodyOf<C>;

export type Sending<C extends CallName> = Omit<Sent<C>, "body" | "form"> & How & Ends<Told<C>>;

/** The same by a declared call: what is said is its body. */
export function useSend<C extends CallName>(name: C, how: Sending<C>) {
  const { onSuccess, onError, onSettled, ...given } = how;
  const ends = { onSuccess, onError, onSettled };
  return useWrite((body: Said<C>, key) => {
    const send = call as (name: C, given: object) => Promise<Told<C>>;
    return send(name, { ...given, body, key });
  }, ends);
}
