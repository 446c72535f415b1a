import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { read } from "../../lib/read.ts";
import { useSession } from "../../lib/session.ts";
import { openLink } from "../../telegram/native.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Points, Stack } from "../../kit/layout.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { developersCopy as copy } from "./messages.fr.ts";
import { CreateKey } from "./parts/create-key.tsx";
import { Deliveries } from "./parts/deliveries.tsx";
import { EndpointRow } from "./parts/endpoint-row.tsx";
import { AddEndpoint } from "./parts/add-endpoint.tsx";
import { KeyRow } from "./parts/key-row.tsx";

/** /Developpeurs: keys, endpoints, what was sent. On the free plan: what premium offers. */
export function Developers() {
  const page = useQuery(read("GET /api/developers"));
  return (
    <PullToRefresh label={copy.retry} onRefresh={() => page.refetch()}>
      <Page title={copy.title} subtitle={copy.subtitle}>
        {page.data ? <Shown page={page.data} /> : <NotYet query={page} copy={copy} />}
      </Page>
    </PullToRefresh>
  );
}

type Page = AnswerOf<"GET /api/developers">;

function Shown({ page }: { page: Page }) {
  const offline = useSession().at === "offline";
  const owns = page.keys.length > 0 || page.endpoints.length > 0;
  if (!page.open && !owns) return <Offer />;
  const closed = offline || !page.open;
  return (
    <>
      {offline ? (
        <Banner tone="warning" icon="offline">
          {copy.offline}
        </Banner>
      ) : page.open ? null : (
        <Banner tone="warning" icon="info" action={<Link href="/Plans">{copy.plans}</Link>}>
          {copy.resting}
        </Banner>
      )}
      <Keys page={page} closed={closed} />
      <Endpoints page={page} closed={closed} />
      {page.endpoints.length > 0 ? (
        <Deliveries events={page.events} days={page.limits.deliveries_days} closed={closed} />
      ) : null}
      <Section>
        <Cell
          icon="document"
          title={copy.docs}
          subtitle={copy.docsText}
          onClick={() => openLink(`${window.location.origin}/docs`)}
          chevron
        />
      </Section>
    </>
  );
}

/** On the free plan: what premium offers, and the way to it. */
function Offer() {
  const [, navigate] = useLocation();
  return (
    <>
      <EmptyState
        drawing="link"
        title={copy.offer.title}
        text={copy.offer.text}
        action={<Button onClick={() => navigate("/Plans")}>{copy.plans}</Button>}
      />
      <Section>
        <Stack pad>
          <Points points={copy.offer.points} />
        </Stack>
      </Section>
    </>
  );
}

type Part = { readonly page: Page; readonly closed: boolean };

function Keys({ page, closed }: Part) {
  const [creating, setCreating] = useState(false);
  const full = page.keys.length >= page.limits.keys;
  return (
    <>
      {page.keys.length === 0 ? (
        <EmptyState
          drawing="link"
          title={copy.keys.none}
          text={copy.keys.noneText}
          action={
            <Button icon="plus" disabled={closed} onClick={() => setCreating(true)}>
              {copy.keys.create}
            </Button>
          }
        />
      ) : (
        <Section title={copy.keys.title} footer={copy.keys.text}>
          {page.keys.map((key) => (
            <KeyRow key={key.id} of={key} scopes={page.scopes} />
          ))}
          {closed || full ? null : (
            <Cell icon="plus" title={copy.keys.create} onClick={() => setCreating(true)} />
          )}
        </Section>
      )}
      {creating ? <CreateKey scopes={page.scopes} onClose={() => setCreating(false)} /> : null}
    </>
  );
}

function Endpoints({ page, closed }: Part) {
  const [adding, setAdding] = useState(false);
  const full = page.endpoints.length >= page.limits.endpoints;
  return (
    <>
      <Section title={copy.endpoints.title} footer={copy.endpoints.text}>
        {page.endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} of={endpoint} events={page.events} closed={closed} />
        ))}
        {page.endpoints.length === 0 && closed ? <Cell title={copy.endpoints.none} /> : null}
        {closed || full ? null : (
          <Cell icon="plus" title={copy.endpoints.add} onClick={() => setAdding(true)} />
        )}
      </Section>
      {adding ? <AddEndpoint events={page.events} onClose={() => setAdding(false)} /> : null}
    </>
  );
}
