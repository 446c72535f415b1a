import type { OfferAnswers } from "@sesame/contract/catalogue";
import type { BodyOf } from "@sesame/contract/routes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { read } from "../../lib/read.ts";
import { durationsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useUser } from "../../lib/use-seller.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { toast } from "../../kit/toast.tsx";
import { catalogueCopy, soniCopy as copy } from "./messages.fr.ts";
import { draftImage, keepDraft, readDraft } from "./draft.ts";
import { fillForm } from "./fill-form.ts";
import { EMPTY_FORM } from "./form.ts";
import { AddProduct } from "./parts/add-product.tsx";
import { SoniComposer } from "./parts/soni-composer.tsx";
import { type Chat, offerIn, openChat, reply, say, type Told } from "./soni-chat.ts";
import { Stack } from "../../kit/layout.tsx";
import styles from "./catalogue.module.css";

/** What was told to Soni, on whatever device. */
const answersQuery = read("GET /api/soni", { pick: "answers" });

/** B §2: the next question follows a message after 1 s. */
const REPLY_MS = 1_000;

/** The guided form « créer mon offre » (decisions 75, 97). */
export function Soni() {
  // The chat goes on from what is on the screen: nothing is asked anew behind it.
  const answers = useQuery({ ...answersQuery, staleTime: Number.POSITIVE_INFINITY });
  const name = useUser()?.nom.split(" ")[0] ?? "";
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {answers.data ? (
        <Conversation known={answers.data} sellerName={name} />
      ) : (
        <NotYet query={answers} copy={{ ...copy, retry: catalogueCopy.retry }} rows={3} />
      )}
    </Page>
  );
}

function Conversation({ known, sellerName }: { known: OfferAnswers; sellerName: string }) {
  const [chat, setChat] = useState<Chat>(() => openChat(known, sellerName));
  const [opening, setOpening] = useState(false);
  // Nobody who has just come is moved; who has spoken goes on from what is asked next.
  const [spoken, setSpoken] = useState(false);
  const client = useQueryClient();
  const keep = useSend("PUT /api/soni", {
    onSuccess: ({ answers }) => {
      if (answers) client.setQueryData(answersQuery.queryKey, answers);
    },
  });
  const end = useRef<HTMLDivElement>(null);
  const { writing, messages } = chat;
  useEffect(() => {
    if (!writing) return;
    const timer = setTimeout(() => setChat(reply), REPLY_MS);
    return () => clearTimeout(timer);
  }, [writing]);
  // The newest words are what is read; a conversation found again is read from its end too.
  useEffect(() => {
    if (messages.length > 1) end.current?.scrollIntoView?.({ block: "nearest" });
  }, [messages.length]);
  const tell = (told: Told) => {
    const next = say(chat, told);
    if (next === chat) return;
    haptic("light");
    setSpoken(true);
    setChat(next);
    if (next.answers !== chat.answers) send(next.answers);
  };
  // All that is known goes along: an answer that was lost on the way is kept with the next.
  const send = (body: BodyOf<"PUT /api/soni">) =>
    keep.mutate(body, { onError: () => toast(copy.notKept, "bad") });
  return (
    <Stack>
      <div role="log" aria-label={copy.log}>
        <Stack as="ol" gap={2}>
          {messages.map(({ from, text }, at) => (
            // Words are only ever added at the end.
            <li key={at} className={styles.message} data-from={from}>
              <span className="only-heard">{from === "soni" ? copy.bot : copy.you} : </span>
              {text}
            </li>
          ))}
        </Stack>
      </div>
      {writing ? (
        <p className={styles.writing} role="status">
          <span className="only-heard">{copy.writing}</span>
          <i aria-hidden="true" />
          <i aria-hidden="true" />
          <i aria-hidden="true" />
        </p>
      ) : (
        <SoniComposer
          asks={chat.asks}
          focus={spoken}
          onTell={tell}
          onOpen={() => setOpening(true)}
          onAgain={() => {
            const nothing = { name: null, goal: null, motivation: null };
            setSpoken(true);
            setChat(openChat(nothing, sellerName));
            send(nothing);
          }}
        />
      )}
      <div ref={end} className={styles.end} />
      {opening ? <OpenProduct answers={chat.answers} onClose={() => setOpening(false)} /> : null}
    </Stack>
  );
}

/** A group is chosen, and its product's form is begun with the offer. */
function OpenProduct({ answers, onClose }: { answers: OfferAnswers; onClose(): void }) {
  const sellerId = useUserId();
  const durations = useQuery(durationsQuery).data ?? [];
  const offer = offerIn(answers);
  if (!offer) return null;
  return (
    <AddProduct
      onClose={onClose}
      onGroup={({ id }) => {
        const place = `${sellerId}:${id}`;
        const begun = readDraft(place) ?? EMPTY_FORM;
        keepDraft(place, fillForm(begun, offer, durations), draftImage(place));
      }}
    />
  );
}
