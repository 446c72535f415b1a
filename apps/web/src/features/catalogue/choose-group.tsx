import type { ChannelOnWire } from "@sesame/contract/groups";
import { useLocation } from "wouter";
import { useChannels } from "../../lib/use-seller.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge } from "../../kit/button.tsx";
import { NotYet } from "../../kit/screen.tsx";
import { Cell, Line, Section } from "../../kit/layout.tsx";
import { Dialog, Sheet } from "../../kit/modal.tsx";
import { catalogueCopy as copy } from "./messages.fr.ts";

/** The chooser of a group for a new product, or the reason there is none. */
export function ChooseGroup(props: {
  onClose(): void;
  /** Called with the group before its form opens. */
  onGroup?: (channel: ChannelOnWire) => void;
}) {
  const { onClose, onGroup } = props;
  const channels = useChannels();
  const [, navigate] = useLocation();
  const groups = channels.data?.filter((channel) => channel.telegram_group_id);
  const go = (path: string) => {
    onClose();
    navigate(path);
  };
  // Groups that could not be read are not groups that do not exist. The alerts of A §8.
  if (groups?.length === 0) {
    return (
      <Dialog
        title={copy.noGroup.title}
        onClose={onClose}
        actions={[{ label: copy.understood, run: () => go("/RelierBot") }]}
      >
        {channels.data?.length === 0 ? copy.noGroup.none : copy.noGroup.noId}
      </Dialog>
    );
  }
  return (
    <Sheet title={copy.chooser.title} onClose={onClose}>
      {groups ? (
        <Section>
          {groups.map((channel) => (
            <Cell
              key={channel.id}
              before={<Avatar name={channel.name} />}
              title={channel.name}
              subtitle={
                <Line as="span" soft>
                  {channel.type === "canal" ? copy.channel : copy.group}
                  {channel.details.state === "connected" ? null : (
                    <Badge tone="warning">{channel.details.state_label}</Badge>
                  )}
                </Line>
              }
              onClick={() => {
                onGroup?.(channel);
                go(`/ajouterProduit/${channel.telegram_group_id}`);
              }}
              chevron
            />
          ))}
        </Section>
      ) : (
        <NotYet query={channels} copy={copy.chooser} rows={3} />
      )}
      <Section>
        <Cell icon="plus" title={copy.chooser.addGroup} href="/relierbot" />
      </Section>
    </Sheet>
  );
}
