import type { ChannelOnWire } from "@sesame/contract/groups";
import { formatNumber } from "../../../lib/format.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Avatar } from "../../../kit/avatar.tsx";
import { Icon } from "../../../kit/icons.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { Cell } from "../../../kit/section.tsx";
import { groupsCopy as copy } from "../messages.fr.ts";
import { groupPath } from "../group-path.ts";
import styles from "../groups.module.css";
import { adviceFor, StateBadge } from "./state-badge.tsx";

export function ChannelRow({ channel }: { channel: ChannelOnWire }) {
  if (!channel.telegram_group_id) return <RowWithoutId channel={channel} />;
  const advice = adviceFor(channel);
  return (
    <li>
      <Cell
        href={groupPath(channel)}
        before={<Avatar name={channel.name} />}
        title={
          <Line as="span" nowrap>
            <KindIcon type={channel.type} />
            <span>{channel.name}</span>
          </Line>
        }
        subtitle={
          <>
            <Line as="span">
              <StateBadge state={channel.details.state} />
              <span>{sayMembers(channel)}</span>
              <Text as="span" size="small">
                {channel.telegram_group_id}
              </Text>
            </Line>
            {advice ? (
              <Text as="span" block>
                {advice}
              </Text>
            ) : null}
          </>
        }
        chevron
      />
    </li>
  );
}

/** Decision 29: a row without a chat id offers to link again. */
function RowWithoutId({ channel }: { channel: ChannelOnWire }) {
  return (
    <li>
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
    </li>
  );
}

export function KindIcon({ type }: { type: ChannelOnWire["type"] }) {
  const channel = type === "canal";
  return (
    <span className={styles.kind} title={channel ? copy.channel : copy.group}>
      <Icon name={channel ? "megaphone" : "people"} size={16} />
      <span className="only-heard">{channel ? copy.channel : copy.group}</span>
    </span>
  );
}

export function sayMembers(channel: ChannelOnWire): string {
  const { members } = channel.details;
  if (members === null) return channel.type === "canal" ? copy.channel : copy.group;
  return copy.members(formatNumber(members), members > 1);
}
