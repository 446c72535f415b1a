import type { ChannelOnWire } from "@sesame/contract/groups";
import { useState } from "react";
import { useLocation } from "wouter";
import { sayError } from "../../lib/request.ts";
import { sayAgo } from "../../lib/time-words.fr.ts";
import { call } from "../../lib/api.ts";
import { useChannels } from "../../lib/use-seller.ts";
import { useWrite } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Banner } from "../../kit/banner.tsx";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Card, Grid, Line, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { groupsCopy } from "./messages.fr.ts";
import { findChannel } from "./group-path.ts";
import { KindIcon, sayMembers } from "./parts/channel-row.tsx";
import { EntryRules, MemberAddsFault } from "./parts/entry-rules.tsx";
import { GroupProducts } from "./parts/group-products.tsx";
import { adviceFor, StateBadge } from "./parts/state-badge.tsx";
import { ASKED, atLeastASecond, usePutChannel } from "./channel-writes.ts";

const copy = groupsCopy.detail;

export function GroupDetail({ idGroup, name }: { idGroup: string; name: string }) {
  const channels = useChannels();
  const [, navigate] = useLocation();
  const channel = findChannel(channels.data, idGroup);
  if (channel) return <Known channel={channel} />;
  if (channels.isPending) {
    return (
      <Page title={name}>
        <SkeletonRows count={4} label={groupsCopy.loading} />
      </Page>
    );
  }
  return (
    <Page title={name || copy.notFound}>
      <EmptyState
        drawing="search"
        title={copy.notFound}
        text={copy.notFoundText}
        action={<Button onClick={() => navigate("/GroupeListe")}>{copy.back}</Button>}
      />
    </Page>
  );
}

function Known({ channel }: { channel: ChannelOnWire }) {
  const [, navigate] = useLocation();
  const recheck = useWrite(
    (body: object, key) =>
      atLeastASecond(
        call("POST /api/channels/:id/refresh", { params: { id: channel.id }, body, key, ...ASKED }),
      ),
    { onSuccess: usePutChannel() },
  );
  const [now] = useState(Date.now);
  const { details } = channel;
  const refresh = () =>
    recheck.mutate(
      {},
      {
        onSuccess: () => haptic("success"),
        onError: (error) => toast(sayError(error, groupsCopy.refreshFailed), "bad"),
      },
    );
  return (
    <Page
      title={channel.name}
      lead={
        <Line center>
          <Avatar name={channel.name} size={72} />
        </Line>
      }
      actions={
        <IconButton
          icon="refresh"
          label={groupsCopy.refresh}
          busy={recheck.isPending}
          onClick={refresh}
        />
      }
      subtitle={
        <Line as="span">
          <KindIcon type={channel.type} />
          <span>{sayMembers(channel)}</span>
          <StateBadge state={details.state} />
        </Line>
      }
    >
      <Advice channel={channel} />
      <MemberAddsFault channel={channel} />
      <Button icon="plus" onClick={() => navigate(`/ajouterProduit/${channel.telegram_group_id}`)}>
        {copy.addProduct}
      </Button>
      <Grid>
        <Card as="p" gap={1}>
          <Text as="strong" size="title">
            {details.products}
          </Text>{" "}
          <Text as="span" size="small" tone="soft">
            {copy.products}
          </Text>
        </Card>
        <Card as="p" gap={1}>
          <Text as="strong" size="title">
            {details.sales}
          </Text>{" "}
          <Text as="span" size="small" tone="soft">
            {copy.sales}
          </Text>
        </Card>
      </Grid>
      <Section>
        <Cell icon="clock" title={copy.lastActivity} subtitle={sayLastEvent(details, now)} />
        <Cell
          icon="info"
          title={copy.identity}
          after={
            <Text as="span" size="small">
              {channel.telegram_group_id}
            </Text>
          }
        />
      </Section>
      <GroupProducts channel={channel} />
      <EntryRules channel={channel} />
      <Rights details={details} />
    </Page>
  );
}

function Rights({ details }: { details: ChannelOnWire["details"] }) {
  return (
    <Section title={copy.rights}>
      {details.rights.map(({ right, label }) => {
        const missing = details.missing_rights.some((each) => each.right === right);
        return (
          <Cell
            key={right}
            title={label}
            after={
              <Text as="span" size="small" tone={missing ? "brick" : "green"}>
                <Line as="span" gap={1}>
                  <Icon name={missing ? "close" : "check"} size={18} />
                  {missing ? copy.denied : copy.granted}
                </Line>
              </Text>
            }
          />
        );
      })}
    </Section>
  );
}

function Advice({ channel }: { channel: ChannelOnWire }) {
  const [, navigate] = useLocation();
  const advice = adviceFor(channel);
  if (!advice) return null;
  const away = channel.details.state === "removed";
  return (
    <Banner
      tone={away || channel.details.state === "public" ? "danger" : "warning"}
      icon="warning"
      action={
        away ? (
          <button type="button" onClick={() => navigate("/relierbot")}>
            {groupsCopy.reconnect}
          </button>
        ) : channel.details.state === "over_quota" ? (
          <button type="button" onClick={() => navigate("/GroupeListe")}>
            {groupsCopy.quota.title}
          </button>
        ) : undefined
      }
    >
      {advice}
    </Banner>
  );
}

function sayLastEvent(details: ChannelOnWire["details"], now: number): string {
  if (!details.last_event || !details.last_event_at) return copy.noActivity;
  return `${details.last_event} · ${sayAgo(details.last_event_at, now)}`;
}
