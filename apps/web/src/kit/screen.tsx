import {
  type QueryKey,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { formatInstant } from "../lib/format.ts";
import { RequestError } from "../lib/request.ts";
import { useSession } from "../lib/session.ts";
import { Banner, Button } from "./button.tsx";
import { Drawing, type DrawingName } from "./drawings.tsx";
import { Card, Heading, Stack, Text, Title } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { PullToRefresh } from "./pull-to-refresh.tsx";
import { SkeletonRows, Waiting } from "./skeleton.tsx";
import content from "./content.module.css";

/** Nothing here yet, as data. */
export type Nothing = readonly [drawing: DrawingName, title: string, text?: string];

/** Nothing here yet: what it is, and beneath it what to do next. */
export function Empty(props: { of: Nothing; children?: ReactNode }) {
  const [drawing, title, text] = props.of;
  return (
    <Card center gap={2}>
      <Drawing name={drawing} />
      <Heading>{title}</Heading>
      {text ? <Text tone="soft">{text}</Text> : null}
      {props.children ? <div className={content.action}>{props.children}</div> : null}
    </Card>
  );
}

/** The sentences of a screen while it loads, and when it failed. */
export type Words = {
  readonly loading: string;
  readonly loadFailed: string;
  readonly more?: string;
};

/** In the place of a query's data: a skeleton while it loads; an error, and a button to try again. */
export function NotYet(props: {
  query: { readonly isError: boolean; readonly error?: Error | null; refetch(): Promise<unknown> };
  copy?: Omit<Words, "more"> | undefined;
  rows?: number;
}) {
  const { query, copy, rows = 4 } = props;
  if (!query.isError) {
    return <SkeletonRows count={rows} label={copy?.loading ?? kitCopy.loading} />;
  }
  return (
    <Failed
      title={copy?.loadFailed ?? kitCopy.failed}
      text={copy ? "" : (query.error?.message ?? "")}
      onRetry={() => void query.refetch()}
    />
  );
}

export function Failed(props: { title: string; text?: string; onRetry(): void }) {
  return (
    <Empty of={["broken", props.title, props.text]}>
      <Button onClick={props.onRetry}>{kitCopy.retry}</Button>
    </Empty>
  );
}

/** A screen: its title is the page's heading, its actions stand beside it. */
export function Page(props: {
  title: string;
  actions?: ReactNode;
  /** Above the title, e.g. a way back outside Telegram. */
  lead?: ReactNode;
  subtitle?: ReactNode;
  /** For lists that use the width of a desktop screen. */
  wide?: boolean;
  /** By a pull at its top. */
  refresh?(): Promise<unknown>;
  children: ReactNode;
}) {
  const page = (
    <Stack gap={5} page={props.wide ? "wide" : true}>
      {/* A picture above the title would stay in sight for nothing. */}
      <Stack as="header" gap={props.lead ? 2 : 0} data-settles={props.lead ? undefined : ""}>
        {props.lead}
        <div className={content.top}>
          <Title>{props.title}</Title>
          {props.actions ? <div className={content.actions}>{props.actions}</div> : null}
        </div>
        {props.subtitle ? <Text tone="soft">{props.subtitle}</Text> : null}
      </Stack>
      {props.children}
    </Stack>
  );
  return props.refresh ? <PullToRefresh onRefresh={props.refresh}>{page}</PullToRefresh> : page;
}

/** A whole page that says why nothing else can be shown, and what to do. */
export function Alone(props: {
  drawing: DrawingName;
  title: string;
  text: string;
  alert?: boolean;
  children?: ReactNode;
}) {
  return (
    <Stack as="main" gap={5} center page="alone">
      <Drawing name={props.drawing} size={140} />
      <Stack gap={2} role={props.alert ? "alert" : undefined}>
        <Title>{props.title}</Title>
        <Text tone="soft">{props.text}</Text>
      </Stack>
      {props.children}
    </Stack>
  );
}

type Reading<T> = Pick<
  UseQueryResult<T>,
  "data" | "isError" | "error" | "dataUpdatedAt" | "refetch"
>;

/** Zero where no answer came. */
function statusOf(error: Error | null): number {
  return error instanceof RequestError ? error.status : 0;
}

/** Data stay on the screen while the network is gone: a banner shows their age, and a tap reads them again. */
export function Kept({ of }: { of: Reading<unknown> }) {
  // The sellers' app has a banner for this above every screen.
  const isSaid = useSession().at === "offline";
  if (isSaid || !of.isError || of.data === undefined) return null;
  const isAnswered = statusOf(of.error) > 0;
  const say = isAnswered ? kitCopy.notRenewed : kitCopy.old;
  return (
    <Banner
      icon={isAnswered ? "warning" : "offline"}
      action={[kitCopy.retry, () => void of.refetch()]}
    >
      {say(formatInstant(new Date(of.dataUpdatedAt).toISOString()))}
    </Banner>
  );
}

/** In a page: the data of a query, with a banner when they are old; else a skeleton, or the error. */
export function Loaded<T>(props: { of: Reading<T>; children(thing: T): ReactNode }) {
  const { of } = props;
  if (of.data !== undefined) {
    return (
      <>
        <Kept of={of} />
        {props.children(of.data)}
      </>
    );
  }
  return <NotYet query={of} rows={5} />;
}

/** A screen of one thing: shown, loading, failed, or not found. */
export function Screen<T, A = T>(props: {
  /** `A`: the answer, where the thing is one part of it. */
  of: UseQueryOptions<A, Error, T | undefined, QueryKey>;
  /** Milliseconds between two reads. */
  every?: number;
  /** Title of the screen while it loads, and when that failed. */
  title: string;
  words?: Words;
  missing: string;
  missingText?: string;
  back?: { readonly label: string; readonly href: string };
  /** `since`: when the thing was read, in milliseconds. */
  children(thing: T, since: number): ReactNode;
}) {
  const { words, missing, missingText = kitCopy.nowhere, back } = props;
  const query = useQuery({ ...props.of, refetchInterval: props.every ?? false });
  const [, navigate] = useLocation();
  // An id that can name nothing is answered with 400; one that is not in the list, with the list.
  const isGone = [400, 404].includes(statusOf(query.error));
  const thing = isGone ? undefined : query.data;
  if (thing !== undefined) {
    return (
      <>
        {query.isError ? (
          <Stack page>
            <Kept of={query} />
          </Stack>
        ) : null}
        {props.children(thing, query.dataUpdatedAt)}
      </>
    );
  }
  if (query.isPending && !words) return <Waiting />;
  if (query.isPending || (query.isError && !isGone)) {
    return (
      <Page title={props.title}>
        <NotYet query={query} copy={words} />
      </Page>
    );
  }
  return (
    <Page title={missing}>
      <Empty of={["search", "", missingText]}>
        {back ? <Button onClick={() => navigate(back.href)}>{back.label}</Button> : null}
      </Empty>
    </Page>
  );
}
