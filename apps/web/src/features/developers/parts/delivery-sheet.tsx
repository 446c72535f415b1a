import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../lib/read.ts";
import { sayError } from "../../../lib/request.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Facts } from "../../../kit/facts.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { toast } from "../../../kit/toast.tsx";
import { developersCopy } from "../messages.fr.ts";
import { LOOK_AGAIN_MS, useAct } from "../use-act.ts";
import { sayOutcome } from "./say-outcome.ts";

const copy = developersCopy.deliveries;

type Props = { readonly id: string; readonly closed: boolean; onClose(): void };

/** One event to one address: what was sent, each attempt, and once more by hand. */
export function DeliverySheet({ id, closed, onClose }: Props) {
  const params = { id };
  const shown = useQuery({
    ...read("GET /api/developers/deliveries/:id", { params }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const replay = useAct("POST /api/developers/deliveries/:id/replay", { params });
  const run = () =>
    replay.mutate(undefined, {
      onSuccess: ({ message }) => {
        haptic("success");
        toast(message);
      },
      onError: (error) => {
        haptic("error");
        toast(sayError(error, developersCopy.failed), "bad");
      },
    });
  return (
    <Sheet title={shown.data?.delivery.type ?? copy.title} onClose={onClose}>
      <Stack>
        {shown.data ? (
          <Told answer={shown.data} />
        ) : shown.isError ? (
          <Button onClick={() => void shown.refetch()}>{developersCopy.retry}</Button>
        ) : (
          <SkeletonRows count={3} label={developersCopy.loading} />
        )}
        {closed ? null : (
          <Button icon="refresh" busy={replay.isPending} disabled={!shown.data} onClick={run}>
            {copy.replay}
          </Button>
        )}
        <Button look="plain" onClick={onClose}>
          {developersCopy.close}
        </Button>
      </Stack>
    </Sheet>
  );
}

function Told({
  answer: { delivery, body, log },
}: {
  answer: AnswerOf<"GET /api/developers/deliveries/:id">;
}) {
  const next = delivery.next_at;
  return (
    <>
      <Section>
        <Stack pad>
          <Facts
            facts={[
              [copy.answered, copy.status[delivery.status], true],
              [copy.next, next && sayShortInstant(next)],
              [copy.to, delivery.url],
              [copy.id, delivery.webhook_id],
            ]}
          />
        </Stack>
      </Section>
      {log.length > 0 ? (
        <Section title={copy.attempt}>
          {log.map((attempt, nth) => (
            <Cell
              key={`${attempt.at} ${log.length - nth}`}
              title={sayOutcome(attempt)}
              subtitle={
                <>
                  <Text as="span" block>
                    {sayShortInstant(attempt.at)}
                  </Text>
                  {attempt.answer ? (
                    <Text as="code" block>
                      {attempt.answer.slice(0, 300)}
                    </Text>
                  ) : null}
                </>
              }
            />
          ))}
        </Section>
      ) : null}
      <Section title={copy.body}>
        <Text as="pre" code pad size="small">
          {indented(body)}
        </Text>
      </Section>
    </>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
