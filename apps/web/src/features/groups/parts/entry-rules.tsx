import type { ChannelOnWire } from "@sesame/contract/groups";
import { sayError } from "../../../lib/request.ts";
import { useSend } from "../../../lib/use-write.ts";
import { haptic } from "../../../telegram/native.ts";
import { Banner } from "../../../kit/banner.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { toast } from "../../../kit/toast.tsx";
import { groupsCopy } from "../messages.fr.ts";
import { ASKED, usePutChannel } from "../channel-writes.ts";

const copy = groupsCopy.entry;

const complain = (error: Error) => toast(sayError(error, copy.failed), "bad");

/** Members may add members: one tap closes it where the bot may, else the steps in Telegram. */
export function MemberAddsFault({ channel }: { channel: ChannelOnWire }) {
  const close = useSend("POST /api/channels/:id/close-member-adds", {
    params: { id: channel.id },
    ...ASKED,
    onSuccess: usePutChannel(),
  });
  const { details } = channel;
  if (details.members_can_add !== true || details.state === "removed") return null;
  const botMay = !details.missing_rights.some(({ right }) => right === "restrict_members");
  const closeNow = () =>
    close.mutate(
      {},
      {
        onSuccess: () => {
          haptic("success");
          toast(copy.closed);
        },
        onError: complain,
      },
    );
  return (
    <Banner
      tone="warning"
      icon="warning"
      action={
        botMay ? (
          <button type="button" disabled={close.isPending} onClick={closeNow}>
            {copy.close}
          </button>
        ) : undefined
      }
    >
      {botMay ? copy.fault : `${copy.fault} ${copy.steps}`}
    </Banner>
  );
}

/** What becomes of people whom a member adds; a channel has none. */
export function EntryRules({ channel }: { channel: ChannelOnWire }) {
  const rules = useSend("PUT /api/channels/:id/entry-rules", {
    params: { id: channel.id },
    onSuccess: usePutChannel(),
  });
  if (channel.type === "canal") return null;
  return (
    <Section title={copy.title} footer={copy.footer}>
      <Cell
        title={copy.remove}
        after={
          <Switch
            label={copy.remove}
            checked={channel.details.remove_added}
            disabled={rules.isPending}
            onChange={(removed) =>
              rules.mutate(
                { remove_added: removed },
                {
                  onSuccess: () => toast(removed ? copy.removing : copy.keeping),
                  onError: complain,
                },
              )
            }
          />
        }
      />
    </Section>
  );
}
