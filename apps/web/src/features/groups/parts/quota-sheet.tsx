import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sayError } from "../../../lib/request.ts";
import { channelsQuery, refreshResources } from "../../../lib/resources.ts";
import { useSend } from "../../../lib/use-write.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { MoreLink, Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { groupsCopy } from "../messages.fr.ts";
import styles from "../groups.module.css";

const copy = groupsCopy.quota;

/** The groups that sell under a limited plan, chosen by their seller (decision 88). */
export function QuotaSheet(props: {
  channels: readonly ChannelOnWire[];
  max: number;
  onClose(): void;
}) {
  const { channels, max, onClose } = props;
  const [chosen, setChosen] = useState<string[]>(() =>
    channels.filter(({ details }) => details.in_quota).map(({ id }) => id),
  );
  const [complaint, setComplaint] = useState<string | null>(null);
  const client = useQueryClient();
  const choice = useSend("PUT /api/groups/quota", {
    onSuccess: (answer) => {
      client.setQueryData(channelsQuery.queryKey, answer.channels);
      // What a product can be sold for depends on its group.
      return refreshResources(client, ["products"]);
    },
  });
  const needed = Math.min(max, channels.length);
  const toggle = (id: string, on: boolean) => {
    haptic("selection");
    setComplaint(null);
    setChosen(on ? [...chosen, id] : chosen.filter((each) => each !== id));
  };
  const save = () =>
    choice.mutate(
      { groups: chosen },
      {
        onSuccess: () => {
          haptic("success");
          toast(copy.saved);
          onClose();
        },
        onError: (error) => {
          haptic("error");
          setComplaint(sayError(error, copy.failed));
        },
      },
    );
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <Stack>
        <p>{copy.text(max)}</p>
        <Stack as="fieldset" gap={1}>
          <legend className="only-heard">{copy.title}</legend>
          {channels.map(({ id, name }) => {
            const on = chosen.includes(id);
            return (
              <label key={id} className={styles.quotaChoice}>
                <input
                  type="checkbox"
                  checked={on}
                  disabled={!on && chosen.length >= needed}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                <span>{name}</span>
              </label>
            );
          })}
        </Stack>
        <p role="status">{copy.counted(chosen.length, needed)}</p>
        <Text size="small" tone="brick" center role="alert">
          {complaint}
        </Text>
        <Button busy={choice.isPending} disabled={chosen.length !== needed} onClick={save}>
          {copy.save}
        </Button>
        <MoreLink href="/Plans">{copy.premium}</MoreLink>
        <Button look="plain" onClick={onClose}>
          {copy.cancel}
        </Button>
      </Stack>
    </Sheet>
  );
}
