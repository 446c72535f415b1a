import { useState } from "react";
import { type RequestError, sayError } from "../../../lib/request.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { haptic } from "../../../telegram/native.ts";
import { Banner } from "../../../kit/banner.tsx";
import { Button } from "../../../kit/button.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { toast } from "../../../kit/toast.tsx";
import { developersCopy } from "../messages.fr.ts";
import { useAct } from "../use-act.ts";
import { AskedTwice } from "./asked-twice.tsx";
import { Choices } from "./choices.tsx";
import type { EndpointProps } from "./endpoint-row.tsx";
import { RotateSecret } from "./rotate-secret.tsx";

const copy = developersCopy.endpoints;

function complain(error: RequestError): void {
  haptic("error");
  toast(sayError(error, developersCopy.failed), "bad");
}

/** One address: its switch, what it hears, a test, its secret, its end. */
export function EndpointSheet(props: EndpointProps & { onClose(): void }) {
  const { of: endpoint, closed, onClose } = props;
  const remove = useAct("DELETE /api/developers/endpoints/:id", { params: { id: endpoint.id } });
  const until = endpoint.old_secret_until;
  return (
    <Sheet title={hostOf(endpoint.url)} onClose={onClose}>
      <Stack>
        <Text as="code" code pad size="small" hollow>
          {endpoint.url}
        </Text>
        {endpoint.off_reason ? (
          <Banner tone="danger" icon="warning">
            {copy.off[endpoint.off_reason]}
          </Banner>
        ) : null}
        {closed ? null : <Changes {...props} />}
        {until ? <Text tone="soft">{copy.oldUntil(sayShortInstant(until))}</Text> : null}
        {closed ? null : <RotateSecret id={endpoint.id} />}
        <AskedTwice
          label={copy.remove}
          title={copy.removeTitle}
          text={copy.removeText}
          act={remove}
          onDone={onClose}
        />
        <Button look="plain" onClick={onClose}>
          {developersCopy.close}
        </Button>
      </Stack>
    </Sheet>
  );
}

function Changes(props: EndpointProps & { onClose(): void }) {
  const { of: endpoint, onClose } = props;
  const params = { id: endpoint.id };
  const [events, setEvents] = useState<string[]>(endpoint.events);
  const change = useAct("PUT /api/developers/endpoints/:id", { params });
  const ping = useAct("POST /api/developers/endpoints/:id/ping", { params });
  const said = ({ message }: { message: string }) => {
    haptic("success");
    toast(message);
  };
  const changed = events.toSorted().join() !== endpoint.events.toSorted().join();
  return (
    <>
      <Section footer={copy.activeText}>
        <Cell
          title={copy.active}
          after={
            <Switch
              label={copy.active}
              checked={endpoint.active}
              disabled={change.isPending}
              onChange={(active) =>
                change.mutate({ active }, { onSuccess: said, onError: complain })
              }
            />
          }
        />
      </Section>
      <Choices title={copy.events} choices={props.events} chosen={events} onChange={setEvents} />
      {changed ? (
        <Button
          busy={change.isPending}
          disabled={events.length === 0}
          onClick={() => change.mutate({ events }, { onSuccess: said, onError: complain })}
        >
          {copy.save}
        </Button>
      ) : null}
      {endpoint.active ? (
        <Button
          look="tinted"
          icon="arrowOut"
          busy={ping.isPending}
          onClick={() =>
            ping.mutate(undefined, {
              onSuccess: (answer) => {
                said(answer);
                onClose();
              },
              onError: complain,
            })
          }
        >
          {copy.ping}
        </Button>
      ) : null}
    </>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
