import type { DeveloperKeyOnWire, EndpointOnWire } from "@sesame/contract/developers";
import type { AnswerOf } from "@sesame/contract/routes";
import { useState } from "react";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { sayShortDay, sayShortInstant } from "../../lib/time-words.fr.ts";
import { Badge, Banner, Button } from "../../kit/button.tsx";
import { SwitchCell } from "../../kit/choices.tsx";
import { Empty } from "../../kit/screen.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Cell, Line, Section, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { copyAloud } from "../../kit/records.tsx";
import { act, Acts, useAction } from "../../kit/use-action.tsx";
import type { Ask } from "../../kit/use-form.tsx";
import { developersCopy } from "./messages.fr.ts";

const { keys: copy, endpoints: words, failed } = developersCopy;

type Page = AnswerOf<"GET /api/developers">;
/** `closed`: nothing may be changed now, offline or without premium. */
type Part = { readonly page: Page; readonly closed: boolean };
type Choice = { readonly key: string; readonly label: string };

/** The state of a list of keys or endpoints: the one that is open, and the new secret, shown once. */
function useSecrets(said: { readonly shown: string; readonly shownText: string }) {
  const [opened, setOpened] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { caught, gate } = usePremiumGate("developer-api");
  const over = (
    <>
      {secret === null ? null : (
        // It is in no cache.
        <Sheet title={said.shown} onClose={() => setSecret(null)} close={developersCopy.understood}>
          <Text tone="soft">{said.shownText}</Text>
          <Text as="code" code pad size="small" hollow>
            {secret}
          </Text>
          <Button icon="copy" onClick={() => void copyAloud(secret, developersCopy.copyFailed)}>
            {developersCopy.copy}
          </Button>
        </Sheet>
      )}
      {gate}
    </>
  );
  const close = () => setOpened(null);
  return { opened, setOpened, close, setSecret, over, asked: { failed, caught } };
}

/** The keys, masked; a tap shows the scopes and the button that revokes the key. */
export function Keys({ page, closed }: Part) {
  const { opened, setOpened, close, setSecret, over, asked } = useSecrets(copy);
  const { keys, limits } = page;
  const shown = keys.find(({ id }) => id === opened);
  // Asks for a name and scopes; then the key is shown, once.
  const create = act("POST /api/developers/keys", {
    button: copy.create,
    icon: "plus",
    look: keys.length > 0 ? "tinted" : "filled",
    title: copy.create,
    fields: {
      name: { label: copy.name, hint: copy.nameHint, max: 60, required: true },
      scopes: choicesField(copy.scopes, page.scopes, "orders:read"),
    },
    body: ({ name, scopes }) => ({ name: name.trim(), scopes: scopes.split(",") }),
    done: (answer) => (answer.secret === null ? answer.message : ""),
    after: (answer) => setSecret(answer.secret),
    ...asked,
  });
  return (
    <>
      {keys.length === 0 ? (
        <Empty of={["link", copy.none, copy.noneText]}>
          <Acts of={{ ...create, may: { allowed: !closed, reason: null, shown: true } }} />
        </Empty>
      ) : (
        <>
          <Section title={copy.title} footer={copy.text}>
            {keys.map(({ id, name, masked, last_used_on: used }) => (
              <Cell
                key={id}
                icon="shield"
                title={<strong>{name}</strong>}
                subtitle={
                  <>
                    <code>{masked}</code> ·{" "}
                    {used === null ? copy.neverUsed : copy.lastUsed(sayShortDay(used))}
                  </>
                }
                onClick={() => setOpened(id)}
                chevron
              />
            ))}
          </Section>
          <Acts of={!closed && keys.length < limits.keys && create} />
        </>
      )}
      {shown ? <KeySheet of={shown} scopes={page.scopes} onClose={close} /> : null}
      {over}
    </>
  );
}

function KeySheet(props: { of: DeveloperKeyOnWire; scopes: readonly Choice[]; onClose(): void }) {
  const { of: key, onClose } = props;
  const labels = props.scopes.filter((scope) => key.scopes.some((each) => each === scope.key));
  return (
    <Sheet title={key.name} onClose={onClose} close={developersCopy.close}>
      <Text tone="soft">{copy.createdOn(sayShortDay(key.created_at))}</Text>
      <Section pad title={copy.scopes}>
        <Facts facts={labels.map((scope) => [scope.label, scope.key])} />
      </Section>
      <Acts
        of={act("DELETE /api/developers/keys/:id", {
          params: { id: key.id },
          button: copy.revoke,
          look: "danger-tinted",
          icon: "trash",
          title: copy.revokeTitle(key.name),
          text: copy.revokeText,
          after: onClose,
          failed,
        })}
      />
    </Sheet>
  );
}

/** The addresses that receive events. */
export function Endpoints({ page, closed }: Part) {
  const { opened, setOpened, close, setSecret, over, asked } = useSecrets(words);
  const { endpoints, limits } = page;
  const shown = endpoints.find(({ id }) => id === opened);
  // Asks for an address and events; then its secret is shown, once.
  const add = act("POST /api/developers/endpoints", {
    button: words.add,
    icon: "plus",
    look: "tinted",
    title: words.add,
    fields: {
      url: { label: words.url, hint: words.urlHint, placeholder: "https://", required: true },
      events: choicesField(words.events, page.events, "order.paid"),
    },
    body: ({ url, events }) => ({ url: url.trim(), events: events.split(",") }),
    done: () => "",
    after: (answer) => setSecret(answer.secret),
    ...asked,
  });
  return (
    <>
      <Section title={words.title} footer={words.text}>
        {endpoints.map((endpoint) => (
          <Cell
            key={endpoint.id}
            icon="globe"
            tone={endpoint.active ? undefined : "soft"}
            title={<strong>{endpoint.url}</strong>}
            subtitle={<Standing of={endpoint} />}
            onClick={() => setOpened(endpoint.id)}
            chevron
          />
        ))}
        {endpoints.length === 0 ? <Cell title={words.none} /> : null}
      </Section>
      <Acts of={!closed && endpoints.length < limits.endpoints && add} />
      {shown ? (
        <EndpointSheet
          key={shown.id}
          of={shown}
          events={page.events}
          closed={closed}
          onSecret={setSecret}
          onClose={close}
        />
      ) : null}
      {over}
    </>
  );
}

function Standing({ of: { active, failing_since: since } }: { of: EndpointOnWire }) {
  if (!active) return <Badge tone="neutral">{words.paused}</Badge>;
  if (!since) return <Badge tone="positive">{words.active}</Badge>;
  return (
    <Line as="span">
      <Badge tone="warning">{words.failing}</Badge>
      {words.failingSince(sayShortInstant(since))}
    </Line>
  );
}

/** One address: its switch, its events, a test, its secret, its removal. */
function EndpointSheet(props: {
  of: EndpointOnWire;
  events: readonly Choice[];
  closed: boolean;
  onSecret(secret: string): void;
  onClose(): void;
}) {
  const { of: endpoint, closed, onClose } = props;
  const params = { id: endpoint.id };
  const [events, setEvents] = useState<string[]>(endpoint.events);
  const change = useAction(
    act("PUT /api/developers/endpoints/:id", {
      params,
      button: words.active,
      failed,
    }),
  );
  const changed = events.toSorted().join() !== endpoint.events.toSorted().join();
  const until = endpoint.old_secret_until;
  return (
    <Sheet title={new URL(endpoint.url).host} onClose={onClose} close={developersCopy.close}>
      <Text as="code" code pad size="small" hollow>
        {endpoint.url}
      </Text>
      {endpoint.off_reason ? <Banner tone="danger">{words.off[endpoint.off_reason]}</Banner> : null}
      {closed ? null : (
        <>
          <Section footer={words.activeText}>
            <SwitchCell
              label={words.active}
              checked={endpoint.active}
              disabled={change.isPending}
              onChange={(active) => change.mutate({ active })}
            />
          </Section>
          <Choices
            title={words.events}
            choices={props.events}
            chosen={events}
            onChange={setEvents}
          />
          {changed ? (
            <Button
              busy={change.isPending}
              disabled={events.length === 0}
              onClick={() => change.mutate({ events })}
            >
              {words.save}
            </Button>
          ) : null}
        </>
      )}
      {until ? <Text tone="soft">{words.oldUntil(sayShortInstant(until))}</Text> : null}
      <Acts
        of={[
          !closed &&
            endpoint.active &&
            act("POST /api/developers/endpoints/:id/ping", {
              params,
              button: words.ping,
              look: "tinted",
              icon: "arrowOut",
              after: onClose,
              failed,
            }),
          !closed &&
            act("POST /api/developers/endpoints/:id/secret", {
              params,
              button: words.rotate,
              look: "tinted",
              icon: "refresh",
              title: words.rotateTitle,
              text: words.rotateText,
              done: () => "",
              // The old secret still signs for a day.
              after: ({ secret }) => props.onSecret(secret),
              failed,
            }),
          act("DELETE /api/developers/endpoints/:id", {
            params,
            button: words.remove,
            look: "danger-tinted",
            icon: "trash",
            title: words.removeTitle,
            text: words.removeText,
            after: onClose,
            failed,
          }),
        ]}
      />
    </Sheet>
  );
}

/** Choices as a field of a form, with commas between those that are chosen. */
function choicesField(label: string, choices: readonly Choice[], initial: string): Ask {
  return {
    label,
    initial,
    required: true,
    field: (value, onChange) => (
      <Choices
        title={label}
        choices={choices}
        chosen={value.split(",").filter(Boolean)}
        onChange={(chosen) => onChange(chosen.join())}
      />
    ),
  };
}

/** Switches of a short list, each with its identifier for programs. */
function Choices(props: {
  title: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}) {
  const { chosen } = props;
  const toggle = (key: string, on: boolean) =>
    props.onChange(on ? [...chosen, key] : chosen.filter((each) => each !== key));
  return (
    <Section title={props.title}>
      {props.choices.map(({ key, label }) => (
        <SwitchCell
          key={key}
          subtitle={<code>{key}</code>}
          label={label}
          checked={chosen.includes(key)}
          onChange={(on) => toggle(key, on)}
        />
      ))}
    </Section>
  );
}
