import type { AnswerOf, CallName, Sent } from "@sesame/contract/routes";
import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import { call, isWorthAsking } from "./api.ts";
import { requestCopy } from "./request-messages.fr.ts";
import { RequestError } from "./request.ts";

// The cache keeps a read under the name of its call and its parameters: screens with the same query share one
// answer, and a write names the calls whose answers become stale.

export type ReadName = Extract<CallName, `GET ${string}`>;

type Given<T> = object extends T ? [given?: T] : [given: T];
type Kept<C extends ReadName, F> = F extends keyof AnswerOf<C> ? AnswerOf<C>[F] : AnswerOf<C>;

/** `pick`: the field of the answer that is kept; `isList`: the answer is a bare list. */
type Part<C extends ReadName, F> =
  AnswerOf<C> extends readonly unknown[]
    ? { readonly isList: true }
    : { readonly pick?: F & keyof AnswerOf<C> };

/** For `useQuery`. */
export function read<C extends ReadName, const F = unknown>(
  name: C,
  ...[given]: Given<Sent<C> & Part<C, F>>
) {
  return queryOptions<Kept<C, F>>({
    queryKey: [name, given],
    queryFn: async () => {
      type Parts = { readonly pick?: keyof AnswerOf<C>; readonly isList?: true };
      const { pick, isList, ...sent } = (given ?? {}) as Sent<C> & Parts;
      const answer = await readOnce(name, sent as Sent<C>);
      const whole = isList && !Array.isArray(answer) ? undefined : answer;
      return answered(pick === undefined ? whole : answer[pick]) as Kept<C, F>;
    },
  });
}

type Page = { readonly next_cursor: string | null };
type PagedName = { [C in ReadName]: AnswerOf<C> extends Page ? C : never }[ReadName];

/** For `useInfiniteQuery`. */
export function readPages<C extends PagedName>(name: C, ...[given]: Given<Sent<C>>) {
  type Answer = AnswerOf<C> & Page;
  return infiniteQueryOptions<Answer, Error, InfiniteData<Answer>, QueryKey, string>({
    queryKey: [name, "pages", given],
    queryFn: ({ pageParam }) => readPage(name, given, pageParam),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Each page, one after another. */
export async function readAll<C extends PagedName>(name: C, ...[given]: Given<Sent<C>>) {
  const pages: (AnswerOf<C> & Page)[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null)
    pages.push(await readPage(name, given, cursor));
  return pages;
}

function readPage<C extends PagedName>(name: C, given: Sent<C> | undefined, cursor: string) {
  const sent = { ...given, query: { ...given?.query, cursor } };
  return readOnce(name, sent as unknown as Sent<C>) as Promise<AnswerOf<C> & Page>;
}

export async function readOnce<C extends ReadName>(name: C, given: Sent<C>): Promise<AnswerOf<C>> {
  const answer = (await call<ReadName>(name, given as Sent<ReadName>)) as AnswerOf<C>;
  const said = Array.isArray(answer) || Object.keys(answer as object).length > 0;
  return answered(said ? answer : undefined);
}

/**
 * A read that was not JSON is an empty object (decision 91): its fields are absent, and the screen keeps the
 * data it had.
 */
export function answered<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new RequestError(requestCopy.unreadable, { status: 200, code: "unknown" });
}

/** Marks the answers of these calls stale; those on the screen are read again. */
export function askAnew(client: QueryClient, names: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => names.includes(queryKey[0] as string),
  });
}

const READ_RETRIES = 3;
const FRESH_MS = 20_000;

/** Reads are retried with back-off; writes retry themselves under their key. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: Number.POSITIVE_INFINITY,
        retry: (count, error) => count < READ_RETRIES && isWorthAsking(error),
        retryDelay: (count) => Math.min(400 * 2 ** count, 4_000),
        refetchOnReconnect: "always",
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
