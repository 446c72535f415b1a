import type { ChannelOnWire } from "@sesame/contract/groups";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../lib/api.ts";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { channelsQuery } from "../../lib/resources.ts";
import { useChannels, useProducts, useUser } from "../../lib/use-seller.ts";
import { atLeastASecond, useWrite } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, Button, IconButton, RefreshButton, TintedButton } from "../../kit/button.tsx";
import { SwitchCell } from "../../kit/choices.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Cell, Line, MoreLink, Name, Section, Stack, Text } from "../../kit/layout.tsx";
import { Rows } from "../../kit/records.tsx";
import { toast } from "../../kit/toast.tsx";
import { ActSheet, act } from "../../kit/use-action.tsx";
import { ASKED, adviceFor, KindIcon, StateBadge, sayMembers } from "./channel.tsx";
import { groupsCopy as copy } from "./messages.fr.ts";

export function GroupList() {
  const channels = useChannels();
  const client = useQueryClient();
  // A real re-check of each chat: rights, title, members (decision 28).
  const recheck = useWrite(
    (body: object, { key }) =>
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
    <Page
      refresh={refresh}
      title={copy.listTitle}
      actions={
        <>
          <RefreshButton run={refresh} />
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
  );
}

function Channels({ channels, onAdd }: { channels: readonly ChannelOnWire[]; onAdd(): void }) {
  const max = useUser()?.groups_max ?? null;
  const products = useProducts().data;
  const [choosing, setChoosing] = useState(false);
  if (channels.length === 0) {
    return (
      <Empty of={["group", copy.emptyTitle, copy.emptyText]}>
        <Button icon="plus" onClick={onAdd}>
          {copy.add}
        </Button>
      </Empty>
    );
  }
  const over = channels.some(({ details }) => !details.in_quota || details.state === "over_quota");
  const limit = over ? max : null;
  const ready = channels.find(({ details }) => details.sellable);
  return (
    <>
      {ready && products?.length === 0 ? (
        <Section>
          <Cell
            icon="bag"
            title={copy.firstProduct}
            subtitle={copy.firstProductText}
            href={`/ajouterProduit/${ready.telegram_group_id}`}
          />
        </Section>
      ) : null}
      <Rows footer={limit === null ? undefined : copy.quotaNote(limit)}>
        {channels.map((channel) =>
          channel.telegram_group_id ? (
            <ChannelRow key={channel.id} channel={channel} />
          ) : (
            <RowWithoutId key={channel.id} channel={channel} />
          ),
        )}
      </Rows>
      {limit === null ? null : (
        <Button onClick={() => setChoosing(true)}>{copy.quota.choose(limit)}</Button>
      )}
      {choosing && limit !== null ? (
        <QuotaSheet channels={channels} max={limit} onClose={() => setChoosing(false)} />
      ) : null}
      <TintedButton icon="plus" onClick={onAdd}>
        {copy.add}
      </TintedButton>
    </>
  );
}

function ChannelRow({ channel }: { channel: ChannelOnWire }) {
  const advice = adviceFor(channel);
  // /GroupeDetail/{idGroup}/{type}/{nom}.
  const parts = [String(channel.telegram_group_id), channel.type, channel.name];
  return (
    <Cell
      href={`/GroupeDetail/${parts.map(encodeURIComponent).join("/")}`}
      before={<Avatar name={channel.name} />}
      title={<Named channel={channel} />}
      subtitle={
        <>
          {sayMembers(channel)} ·{" "}
          <Text as="span" whole>
            {channel.telegram_group_id}
          </Text>
          <Text as="span" block>
            <StateBadge state={channel.details.state} />
          </Text>
          {advice ? (
            <Text as="span" block>
              {advice}
            </Text>
          ) : null}
        </>
      }
    />
  );
}

function Named({ channel }: { channel: Pick<ChannelOnWire, "type" | "name"> }) {
  return (
    <Line as="span" nowrap>
      <KindIcon type={channel.type} />
      <Name>{channel.name}</Name>
    </Line>
  );
}

/** Decision 29: a row without a chat id offers to link again. */
function RowWithoutId({ channel }: { channel: ChannelOnWire }) {
  return (
    <Cell
      href="/relierbot"
      before={<Avatar name={channel.name} />}
      title={channel.name}
      subtitle={<Badge tone="danger">{copy.missingId}</Badge>}
      after={
        <Text as="span" tone="green" strong>
          {copy.reconnect}
        </Text>
      }
    />
  );
}

type QuotaOf = { channels: readonly ChannelOnWire[]; max: number; onClose(): void };

/** The groups that sell under a limited plan, chosen by their seller (decision 88). */
function QuotaSheet({ channels, max, onClose }: QuotaOf) {
  const [said, say] = useState<Readonly<Record<string, boolean>>>({});
  const isChosen = ({ id, details }: ChannelOnWire) => said[id] ?? details.in_quota;
  const chosen = channels.filter(isChosen);
  const needed = Math.min(max, channels.length);
  const choices = (
    <>
      <Section>
        {channels.map((channel) => (
          <SwitchCell
            key={channel.id}
            label={channel.name}
            checked={isChosen(channel)}
            disabled={!isChosen(channel) && chosen.length >= needed}
            onChange={(next) => say({ ...said, [channel.id]: next })}
          />
        ))}
      </Section>
      <p role="status">{copy.quota.counted(chosen.length, needed)}</p>
      <MoreLink href="/Plans">{copy.quota.premium}</MoreLink>
    </>
  );
  const choose = act("PUT /api/groups/quota", {
    button: copy.quota.choose(max),
    title: copy.quota.title,
    text: copy.quota.text(max),
    about: choices,
    confirm: copy.quota.save,
    lack: chosen.length !== needed && copy.quota.lack(needed),
    body: () => ({ groups: chosen.map(({ id }) => id) }),
    done: () => copy.quota.saved,
    failed: copy.quota.failed,
  });
  return <ActSheet of={choose} onClose={onClose} />;
}

type ReclaimableChannel = AnswerOf<"GET /api/channels/reclaimable">["channels"][number];

/** Groups whose creator, in Telegram, is this seller, and that another seller has linked. */
function Reclaimable() {
  const { data: channels = [] } = useQuery({
    ...read("GET /api/channels/reclaimable", { pick: "channels" }),
    // The server asks Telegram about each group. A failure shows nothing.
    retry: false,
  });
  const [chosen, setChosen] = useState<ReclaimableChannel | null>(null);
  return (
    <>
      <Rows title={copy.reclaim.section} footer={copy.reclaim.sectionNote}>
        {channels.map((channel) => (
          <Stack pad key={channel.id}>
            <Line gap={3} nowrap>
              <Avatar name={channel.name} />
              <Named channel={channel} />
            </Line>
            <TintedButton onClick={() => setChosen(channel)}>
              {copy.reclaim.action}
              <span className="visually-hidden">{copy.reclaim.actionFor(channel.name)}</span>
            </TintedButton>
          </Stack>
        ))}
      </Rows>
      {chosen ? <ActSheet of={reclaim(chosen)} onClose={() => setChosen(null)} /> : null}
    </>
  );
}

/** The question that says what taking the group back does. */
function reclaim({ id, name }: ReclaimableChannel) {
  const about = (
    <Stack as="ul" gap={2} bullets>
      {copy.reclaim.consequences.map((consequence) => (
        <li key={consequence}>{consequence}</li>
      ))}
    </Stack>
  );
  return act("POST /api/channels/:id/reclaim", {
    params: { id },
    ...ASKED,
    button: copy.reclaim.confirm,
    title: copy.reclaim.title(name),
    about,
    done: () => copy.reclaim.done,
    failed: copy.reclaim.failed,
  });
}
