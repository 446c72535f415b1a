import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../../lib/read.ts";
import { sayError } from "../../../lib/request.ts";
import { useRefresh } from "../../../lib/resources.ts";
import { useSend } from "../../../lib/use-write.ts";
import { haptic } from "../../../telegram/native.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Button } from "../../../kit/button.tsx";
import { Line, Stack, Text } from "../../../kit/layout.tsx";
import { Dialog } from "../../../kit/modal.tsx";
import { Section } from "../../../kit/section.tsx";
import { toast } from "../../../kit/toast.tsx";
import { groupsCopy } from "../messages.fr.ts";
import styles from "../groups.module.css";
import { ASKED } from "../channel-writes.ts";
import { KindIcon } from "./channel-row.tsx";

const copy = groupsCopy.reclaim;

type ReclaimableChannel = AnswerOf<"GET /api/channels/reclaimable">["channels"][number];

/** Groups of which Telegram names the person the creator, and that another seller sells. */
export function Reclaimable() {
  const { data: channels = [] } = useQuery({
    ...read("GET /api/channels/reclaimable", { pick: "channels" }),
    // Telegram is asked about each. Nothing is said where it cannot be known.
    retry: false,
  });
  const [chosen, setChosen] = useState<ReclaimableChannel | null>(null);
  if (channels.length === 0) return null;
  return (
    <>
      <Section title={copy.section} footer={copy.sectionNote}>
        <ul>
          {channels.map((channel) => (
            <li key={channel.id} className={styles.reclaim}>
              <Avatar name={channel.name} />
              <Line as="span" nowrap>
                <KindIcon type={channel.type} />
                <span>{channel.name}</span>
              </Line>
              <Button look="tinted" onClick={() => setChosen(channel)}>
                {copy.action}
                <span className="only-heard">{copy.actionFor(channel.name)}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Section>
      {chosen ? <ReclaimDialog channel={chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}

/** What taking the group back does, said before it is done. */
function ReclaimDialog(props: { channel: ReclaimableChannel; onClose(): void }) {
  const { channel, onClose } = props;
  const reclaim = useSend("POST /api/channels/:id/reclaim", {
    params: { id: channel.id },
    ...ASKED,
    onSuccess: useRefresh("channels"),
  });
  const run = () =>
    reclaim.mutate(
      {},
      {
        onSuccess: () => {
          haptic("success");
          toast(copy.done);
          onClose();
        },
        onError: () => haptic("error"),
      },
    );
  return (
    <Dialog
      title={copy.title(channel.name)}
      onClose={onClose}
      actions={[
        { label: copy.confirm, busy: reclaim.isPending, run },
        { label: copy.cancel, look: "plain", run: onClose },
      ]}
    >
      <Stack as="ul" gap={2} bullets>
        {copy.consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </Stack>
      {reclaim.isError ? (
        <Text size="small" tone="brick" center role="alert">
          {sayError(reclaim.error, copy.failed)}
        </Text>
      ) : null}
    </Dialog>
  );
}
