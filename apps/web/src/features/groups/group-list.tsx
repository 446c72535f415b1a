import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { sayError } from "../../lib/request.ts";
import { call } from "../../lib/api.ts";
import { channelsQuery } from "../../lib/resources.ts";
import { useChannels, useUser } from "../../lib/use-seller.ts";
import { useWrite } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Section } from "../../kit/section.tsx";
import { toast } from "../../kit/toast.tsx";
import { groupsCopy as copy } from "./messages.fr.ts";
import { ChannelRow } from "./parts/channel-row.tsx";
import { QuotaSheet } from "./parts/quota-sheet.tsx";
import { Reclaimable } from "./parts/reclaim.tsx";
import { ASKED, atLeastASecond } from "./channel-writes.ts";

export function GroupList() {
  const channels = useChannels();
  const client = useQueryClient();
  // A real re-check of each chat: rights, title, members (decision 28).
  const recheck = useWrite(
    (body: object, key) =>
      atLeastASecond(call("POST /api/channels/refresh", { body, key, ...ASKED })),
    { onSuccess: (answer) => client.setQueryData(channelsQuery.queryKey, answer.channels) },
  );
  const [, navigate] = useLocation();
  const add = () => {
    haptic("light");
    navigate("/relierbot");
  };
  const refresh = () =>
    recheck.mutateAsync({}).then(
      () => haptic("success"),
      (error: Error) => toast(sayError(error, copy.refreshFailed), "bad"),
    );
  return (
    <PullToRefresh label={copy.refresh} onRefresh={refresh}>
      <Page
        title={copy.listTitle}
        actions={
          <>
            <IconButton
              icon="refresh"
              label={copy.refresh}
              busy={recheck.isPending}
              onClick={() => void refresh()}
            />
            <IconButton icon="plus" label={copy.add} onClick={add} />
          </>
        }
      >
        {channels.data ? (
          <>
            <Channels channels={channels.data} onAdd={add} />
            <Reclaimable />
          </>
        ) : (
          <NotYet query={channels} copy={copy} />
        )}
      </Page>
    </PullToRefresh>
  );
}

function Channels(props: { channels: readonly ChannelOnWire[]; onAdd(): void }) {
  const user = useUser();
  const [choosing, setChoosing] = useState(false);
  const { channels } = props;
  if (channels.length === 0) {
    return (
      <EmptyState
        drawing="group"
        title={copy.emptyTitle}
        text={copy.emptyText}
        action={
          <Button icon="plus" onClick={props.onAdd}>
            {copy.add}
          </Button>
        }
      />
    );
  }
  const overQuota = channels.some(
    ({ details: { state, in_quota: sells } }) => !sells || state === "over_quota",
  );
  const max = user?.groups_max ?? null;
  const limited = overQuota && max !== null;
  return (
    <>
      <Section footer={limited ? copy.quotaNote(max) : undefined}>
        <ul>
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </ul>
      </Section>
      {limited ? <Button onClick={() => setChoosing(true)}>{copy.quota.choose(max)}</Button> : null}
      <Button look="tinted" icon="plus" onClick={props.onAdd}>
        {copy.add}
      </Button>
      {choosing && max !== null ? (
        <QuotaSheet channels={channels} max={max} onClose={() => setChoosing(false)} />
      ) : null}
    </>
  );
}
