import type { ChannelOnWire } from "@sesame/contract/groups";
import { useState } from "react";
import { call } from "../../lib/api.ts";
import { formatFcfa } from "../../lib/format.ts";
import { sayError } from "../../lib/request.ts";
import { channelsQuery } from "../../lib/resources.ts";
import { foldedIncludes } from "../../lib/text.ts";
import { sayAgo } from "../../lib/time-words.fr.ts";
import { useUserId } from "../../lib/session.ts";
import { useProducts } from "../../lib/use-seller.ts";
import { atLeastASecond, useSend, useWrite } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Banner, Button, RefreshButton } from "../../kit/button.tsx";
import { NotYet, Page, Screen } from "../../kit/screen.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Card, Cell, Grid, Line, Section, Stack, Text } from "../../kit/layout.tsx";
import { SearchField, SwitchCell } from "../../kit/choices.tsx";
import { toast } from "../../kit/toast.tsx";
import { ASKED, adviceFor, KindIcon, StateBadge, sayMembers, usePutChannel } from "./channel.tsx";
import { groupsCopy } from "./messages.fr.ts";
import { Note } from "../../kit/records.tsx";

const copy = groupsCopy.detail;
const entry = groupsCopy.entry;

/** `idGroup`: Telegram's id, or our own. */
export function GroupDetail({ idGroup, name }: { idGroup: string; name: string }) {
  const isIt = ({ id, telegram_group_id: chat }: ChannelOnWire) =>
    String(chat) === idGroup || id === idGroup;
  const enabled = useUserId() !== "";
  return (
    <Screen
      of={{ ...channelsQuery, enabled, select: (channels) => channels.find(isIt) }}
      title={name || copy.missing}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: copy.back, href: "/GroupeListe" }}
    >
      {(channel) => <Known channel={channel} />}
    </Screen>
  );
}

function Known({ channel }: { channel: ChannelOnWire }) {
  const params = { id: channel.id };
  const recheck = useWrite(
    (body: object, { key }) =>
      atLeastASecond(call("POST /api/channels/:id/refresh", { params, body, key, ...ASKED })),
    { onSuccess: usePutChannel() },
  );
  const [now] = useState(Date.now);
  const { details } = channel;
  const refresh = () =>
    recheck.mutateAsync({}).then(
      () => haptic("success"),
      (error: Error) => toast(sayError(error, groupsCopy.refreshFailed), "bad"),
    );
  return (
    <Page
      title={channel.name}
      lead={<Avatar name={channel.name} size={72} />}
      actions={<RefreshButton run={refresh} />}
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
      <Button icon="plus" href={`/ajouterProduit/${channel.telegram_group_id}`}>
        {copy.addProduct}
      </Button>
      <Grid>
        <Count of={details.products} label={copy.products} />
        <Count of={details.sales} label={copy.sales} />
      </Grid>
      <Section>
        <Cell
          icon="clock"
          title={copy.lastActivity}
          subtitle={
            details.last_event && details.last_event_at
              ? `${details.last_event} · ${sayAgo(details.last_event_at, now)}`
              : copy.noActivity
          }
        />
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
      <Section title={copy.rights}>
        {[...details.missing_rights, ...details.rights].map(({ right, label }, at) => {
          const missing = at < details.missing_rights.length;
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
    </Page>
  );
}

function Count({ of, label }: { of: number; label: string }) {
  return (
    <Card as="p" gap={1}>
      <Text as="strong" size="title">
        {of}
      </Text>{" "}
      <Note as="span">{label}</Note>
    </Card>
  );
}

/** What to do about the group's state, and where. */
function Advice({ channel }: { channel: ChannelOnWire }) {
  const { state } = channel.details;
  const advice = adviceFor(channel);
  if (!advice) return null;
  const places = {
    removed: [groupsCopy.reconnect, "/relierbot"],
    missing_rights: [groupsCopy.giveRights, "/relierbot"],
    over_quota: [groupsCopy.quota.title, "/GroupeListe"],
  } as const;
  return (
    <Banner
      tone={state === "removed" || state === "public" ? "danger" : "warning"}
      icon="warning"
      action={places[state as keyof typeof places]}
    >
      {advice}
    </Banner>
  );
}

const complain = (error: Error) => toast(sayError(error, entry.failed), "bad");

/** Members can add members: a button forbids it if the bot has the right, else the steps in Telegram are shown. */
function MemberAddsFault({ channel }: { channel: ChannelOnWire }) {
  const put = usePutChannel();
  const close = useSend("POST /api/channels/:id/close-member-adds", {
    params: { id: channel.id },
    ...ASKED,
    onSuccess: (answer) => {
      haptic("success");
      toast(entry.closed);
      put(answer);
    },
    onError: complain,
  });
  const { details } = channel;
  if (details.members_can_add !== true || details.state === "removed") return null;
  const botMay = !details.missing_rights.some(({ right }) => right === "restrict_members");
  const closeOnce = () => {
    if (!close.isPending) close.mutate({});
  };
  return (
    <Banner action={botMay ? [entry.close, closeOnce] : undefined}>
      {botMay ? entry.fault : `${entry.fault} ${entry.steps}`}
    </Banner>
  );
}

/** What happens to people whom a member adds; not for channels. */
function EntryRules({ channel }: { channel: ChannelOnWire }) {
  const put = usePutChannel();
  const rules = useSend("PUT /api/channels/:id/entry-rules", {
    params: { id: channel.id },
    onSuccess: (answer) => {
      toast(answer.channel.details.remove_added ? entry.removing : entry.keeping);
      put(answer);
    },
    onError: complain,
  });
  if (channel.type === "canal") return null;
  return (
    <Section title={entry.title} footer={entry.footer}>
      <SwitchCell
        label={entry.remove}
        checked={channel.details.remove_added}
        disabled={rules.isPending}
        onChange={(next) => rules.mutate({ remove_added: next })}
      />
    </Section>
  );
}

// A §9.
const SHOWN = 3;
const SHOWN_WHILE_SEARCHING = 10;

/** The group's first products; from four products on with a search box. */
function GroupProducts({ channel }: { channel: ChannelOnWire }) {
  const products = useProducts();
  const [search, setSearch] = useState("");
  if (!products.data) return <NotYet query={products} copy={copy} rows={3} />;
  const own = products.data.filter((product) => product.group_id === channel.id);
  const searching = search.trim() !== "";
  const found = searching ? own.filter(({ title }) => foldedIncludes(title, search)) : own;
  return (
    <Stack>
      {own.length > SHOWN ? (
        <SearchField label={copy.search} value={search} onChange={setSearch} />
      ) : null}
      <Section title={copy.products}>
        {own.length === 0 ? (
          <Cell title={copy.none} subtitle={copy.noneText} icon="bag" />
        ) : found.length === 0 ? (
          <Cell title={copy.noMatch} />
        ) : null}
        {found.slice(0, searching ? SHOWN_WHILE_SEARCHING : SHOWN).map((product) => (
          <Cell
            key={product.id}
            href={`/ProductCard/${product.id}`}
            before={
              <Avatar
                name={product.title}
                photo={product.picture?.sources[0]?.jpeg ?? product.image_url}
              />
            }
            title={product.title}
            subtitle={`${formatFcfa(product.price)} · ${product.duration_label}`}
          />
        ))}
        <Cell
          href="/ProductsList"
          title={
            <Text as="span" tone="green" strong>
              {copy.all}
            </Text>
          }
        />
      </Section>
    </Stack>
  );
}
