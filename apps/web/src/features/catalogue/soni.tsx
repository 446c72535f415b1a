import { OFFER_GOALS, type OfferAnswers, TITLE_MAX } from "@sesame/contract/catalogue";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { read } from "../../lib/read.ts";
import { durationsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useUser } from "../../lib/use-seller.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Button, TintedButton, PlainButton } from "../../kit/button.tsx";
import { Grid, Stack, Text } from "../../kit/layout.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { Thread } from "../../kit/records.tsx";
import { toast } from "../../kit/toast.tsx";
import { Fields, Form, useForm } from "../../kit/use-form.tsx";
import styles from "./catalogue.module.css";
import { draftImage, EMPTY_FORM, fillForm, keepDraft, readDraft } from "./form.ts";
import { offerOf } from "./offers.fr.ts";
import { soniCopy as copy } from "./soni-messages.fr.ts";
import { ChooseGroup } from "./choose-group.tsx";

/** The answers given to Soni, on any device. */
const answersQuery = read("GET /api/soni", { pick: "answers" });

/** B §2: the next question follows a message after 1 s. */
const REPLY_MS = 1_000;
const MINUTES_A_DAY = 1_440;
const MOTIVATIONS = [1, 2, 3, 4, 5] as const;
const NOTHING: OfferAnswers = { name: null, goal: null, motivation: null };

/** What is known of the conversation: the seller may ask for more before the beginning. */
type Talk = { readonly begun: boolean; readonly learnt: number; readonly answers: OfferAnswers };
type Question = "greeting" | "name" | "goal" | "motivation" | "ready";

function nextIn({ begun, answers: { name, goal, motivation } }: Talk): Question {
  if (!begun) return "greeting";
  if (name === null) return "name";
  if (goal === null) return "goal";
  return motivation === null ? "motivation" : "ready";
}

/** The messages after the greeting, the seller's and Soni's in turn, up to the first missing answer. */
function messagesOf({ begun, learnt, answers }: Talk): string[] {
  const { name, goal, motivation } = answers;
  const messages: string[] = Array.from({ length: learnt }, () => [copy.learn, copy.learnt]).flat();
  if (begun) messages.push(copy.begin, copy.askName);
  if (name !== null) messages.push(name, copy.askGoal(name));
  if (name !== null && goal !== null) messages.push(copy.goals[goal], copy.askMotivation);
  const offer = offerOf(answers);
  if (offer && motivation !== null) {
    messages.push(copy.motivation(motivation), copy.ready(offer.minutes / MINUTES_A_DAY));
  }
  return messages;
}

/** The guided form « créer mon offre » (decisions 75, 97). */
export function Soni() {
  // The chat continues from what is on the screen: the answers are not read again behind it.
  const answers = useQuery({ ...answersQuery, staleTime: Number.POSITIVE_INFINITY });
  const name = useUser()?.nom.split(" ")[0] ?? "";
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {answers.data ? (
        <Conversation known={answers.data} sellerName={name} />
      ) : (
        <NotYet query={answers} copy={copy} rows={3} />
      )}
    </Page>
  );
}

function Conversation({ known, sellerName }: { known: OfferAnswers; sellerName: string }) {
  const [talk, setTalk] = useState<Talk>({ begun: known.name !== null, learnt: 0, answers: known });
  const [writing, setWriting] = useState(false);
  const [hello] = useState(() => copy.hello(sellerName));
  const [opening, setOpening] = useState(false);
  // The focus moves only after the seller has answered, never when the page opens.
  const [spoken, setSpoken] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const asked = nextIn(talk);
  const client = useQueryClient();
  const keep = useSend("PUT /api/soni", {
    onSuccess: ({ answers }) => {
      if (answers) client.setQueryData(answersQuery.queryKey, answers);
    },
    onError: () => toast(copy.notKept, "bad"),
  });
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!writing) return;
    const timer = setTimeout(() => setWriting(false), REPLY_MS);
    return () => clearTimeout(timer);
  }, [writing]);
  useEffect(() => {
    if (spoken && !writing) place.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [spoken, writing, asked]);
  const lines = messagesOf(talk);
  const messages = [hello, ...(writing ? lines.slice(0, -1) : lines)];
  // The newest message is in view, also when the seller comes back to a conversation.
  useEffect(() => {
    if (messages.length > 1) end.current?.scrollIntoView?.({ block: "nearest" });
  }, [messages.length]);
  const say = (next: Partial<Talk>) => {
    if (writing) return;
    haptic("light");
    setSpoken(true);
    setTalk({ ...talk, ...next });
    setWriting(true);
  };
  const answer = (part: Partial<OfferAnswers>) => {
    // Blank words are ignored (B §2).
    if (writing || part.name === "") return;
    // All answers are sent each time: an answer lost on the way is saved with the next one.
    const answers = { ...talk.answers, ...part };
    say({ answers });
    keep.mutate(answers);
  };
  const again = () => {
    setSpoken(true);
    setTalk({ begun: false, learnt: 0, answers: NOTHING });
    keep.mutate(NOTHING);
  };
  // The answers that are possible now.
  const composers: Record<Question, ReactNode> = {
    greeting: (
      <Options label={copy.log}>
        <Button onClick={() => say({ begun: true })}>{copy.begin}</Button>
        <TintedButton onClick={() => say({ learnt: talk.learnt + 1 })}>{copy.learn}</TintedButton>
      </Options>
    ),
    name: <NameField onSend={(name) => answer({ name })} />,
    goal: (
      <Options label={copy.goalLabel}>
        {OFFER_GOALS.map((goal) => (
          <TintedButton key={goal} onClick={() => answer({ goal })}>
            {copy.goals[goal]}
          </TintedButton>
        ))}
      </Options>
    ),
    motivation: (
      <Options label={copy.motivationLabel} least="2.75rem">
        {MOTIVATIONS.map((motivation) => (
          <TintedButton key={motivation} onClick={() => answer({ motivation })}>
            {motivation}
          </TintedButton>
        ))}
      </Options>
    ),
    ready: (
      <Options label={copy.log}>
        <Button icon="bag" onClick={() => setOpening(true)}>
          {copy.open}
        </Button>
        <PlainButton onClick={again}>{copy.again}</PlainButton>
      </Options>
    ),
  };
  return (
    <Stack>
      <div role="log" aria-label={copy.log}>
        <Thread
          label={copy.log}
          gone={null}
          // Messages are only added at the end, Soni's and the seller's in turn: the index is a stable id.
          messages={messages.map((words, at) => ({
            id: String(at),
            side: at % 2 === 0 ? "theirs" : "mine",
            author: at % 2 === 0 ? copy.bot : copy.you,
            words,
          }))}
        />
      </div>
      {writing ? (
        <Text tone="soft" role="status">
          {copy.writing}
        </Text>
      ) : (
        <div ref={place}>{composers[asked]}</div>
      )}
      <div ref={end} className={styles.end} />
      {opening ? <OpenProduct answers={talk.answers} onClose={() => setOpening(false)} /> : null}
    </Stack>
  );
}

/** A group is chosen, and its product's form is begun with the offer. */
function OpenProduct({ answers, onClose }: { answers: OfferAnswers; onClose(): void }) {
  const sellerId = useUserId();
  const durations = useQuery(durationsQuery).data ?? [];
  const offer = offerOf(answers);
  if (!offer) return null;
  return (
    <ChooseGroup
      onClose={onClose}
      onGroup={({ id }) => {
        const place = `${sellerId}:${id}`;
        const begun = readDraft(place) ?? EMPTY_FORM;
        keepDraft(place, fillForm(begun, offer, durations), draftImage(place));
      }}
    />
  );
}

/** No fieldset: its legend would repeat the question above. */
function Options(props: { label: string; least?: string; children: ReactNode }) {
  const { label, least = "15rem", children } = props;
  return (
    <Grid least={least} role="group" aria-label={label}>
      {children}
    </Grid>
  );
}

function NameField({ onSend }: { onSend(name: string): void }) {
  const form = useForm({
    name: { label: copy.nameLabel, placeholder: copy.namePlaceholder, max: TITLE_MAX },
  });
  return (
    <Form onSubmit={() => onSend(form.values.name.trim())}>
      <Fields form={form} />
      <Button type="submit" icon="send">
        {copy.send}
      </Button>
    </Form>
  );
}
