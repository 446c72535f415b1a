import {
  TICKET_KIND_NAMES,
  TICKET_KINDS,
  TICKET_WORDS_MAX,
  type TicketSubjectOnWire,
} from "@sesame/contract/cases";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { formatFcfa } from "../../../lib/format.ts";
import { sayError } from "../../../lib/request.ts";
import { useSession } from "../../../lib/session.ts";
import { sayShortDay } from "../../../lib/time-words.fr.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { SelectField, TextArea } from "../../../kit/field.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { supportCopy as copy } from "../messages.fr.ts";
import { useTicketWrite } from "../queries.ts";
import { forget, keep, readKept } from "../../../lib/storage.ts";

const KINDS = TICKET_KINDS.map((value) => ({ value, label: TICKET_KIND_NAMES[value] }));

/** What was written and not sent: it survives a closed sheet, for this web view's time. */
type Draft = { readonly kind: string; readonly about: string; readonly words: string };

const KEY = "sesame.ticket-draft";
const EMPTY: Draft = { kind: "", about: "", words: "" };

function readDraft(): Draft {
  const kept = readKept("session", KEY) ?? EMPTY;
  const { kind, about, words } = kept as Partial<Record<keyof Draft, unknown>>;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { kind: text(kind), about: text(about), words: text(words) };
}

/** Opened by a link from elsewhere with what it is about: `?commande=` or `?retrait=`. */
export function askedAbout(search: string): string {
  const query = new URLSearchParams(search);
  for (const what of ["commande", "retrait"]) {
    const id = query.get(what) ?? "";
    if (/^\d{1,18}$/.test(id)) return `${what}:${id}`;
  }
  return "";
}

export function TicketForm(props: { subjects: readonly TicketSubjectOnWire[]; onClose(): void }) {
  const asked = askedAbout(useSearch());
  const [draft, setDraft] = useState<Draft>(() => ({
    ...readDraft(),
    ...(asked && { about: asked }),
  }));
  const [complaint, setComplaint] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const live = useSession().at === "live";
  const open = useTicketWrite("POST /api/support/tickets", {});
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keep("session", KEY, next);
    setComplaint(null);
  };
  const send = () => {
    if (open.isPending) return;
    open.mutate(bodyOf(draft), {
      onSuccess: ({ message, ticket }) => {
        haptic("success");
        toast(message);
        forget("session", KEY);
        navigate(`/CustomerSupport/${ticket.id}`);
      },
      onError: (error) => {
        haptic("error");
        setComplaint(sayError(error, copy.failed));
      },
    });
  };
  return (
    <Sheet title={copy.formTitle} onClose={props.onClose}>
      <Stack
        as="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <SelectField
          label={copy.kind}
          required
          value={draft.kind}
          empty={copy.chooseKind}
          choices={KINDS}
          onChange={(kind) => change({ kind })}
        />
        <SelectField
          label={copy.about}
          value={draft.about}
          empty={copy.aboutNothing}
          choices={choicesOf(props.subjects, draft.about)}
          onChange={(about) => change({ about })}
        />
        <TextArea
          label={copy.message}
          hint={copy.messageHint}
          required
          error={complaint}
          value={draft.words}
          max={TICKET_WORDS_MAX}
          length={draft.words.length}
          counterLabel={copy.characters(draft.words.length, TICKET_WORDS_MAX)}
          onChange={(words) => change({ words })}
        />
        {live ? null : (
          <Text size="small" tone="soft">
            {copy.kept}
          </Text>
        )}
        <Button type="submit" icon="send" busy={open.isPending} disabled={!live}>
          {copy.send}
        </Button>
        <Button look="plain" onClick={props.onClose}>
          {copy.cancel}
        </Button>
      </Stack>
    </Sheet>
  );
}

function bodyOf({ kind, about, words }: Draft) {
  const [what, id] = about.split(":");
  const message = words.trim();
  if (id && what === "commande") return { sujet: kind, message, commande: id };
  return id ? { sujet: kind, message, retrait: id } : { sujet: kind, message };
}

/** What it came with stands there too, however old it is. */
function choicesOf(subjects: readonly TicketSubjectOnWire[], chosen: string) {
  const choices = subjects.map(({ what, id, label, amount, at }) => ({
    value: `${what}:${id}`,
    label: `${label} · ${formatFcfa(amount)} · ${sayShortDay(at)}`,
  }));
  if (chosen === "" || choices.some(({ value }) => value === chosen)) return choices;
  const [what, id = ""] = chosen.split(":");
  const label = what === "commande" ? copy.aboutOrder(id) : copy.aboutWithdrawal(id);
  return [{ value: chosen, label }, ...choices];
}
