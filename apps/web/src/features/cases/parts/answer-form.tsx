import { CLAIM_WORDS_MAX } from "@sesame/contract/cases";
import { useState } from "react";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import styles from "../claims.module.css";
import { claimsCopy as copy } from "../claim-messages.fr.ts";
import { useTell } from "../claim-queries.ts";

export function AnswerForm({ id }: { id: string }) {
  const [words, setWords] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const tell = useTell(id, "answer");
  const send = () => {
    if (tell.isPending) return;
    tell.mutate(words.trim(), {
      onSuccess: (answer) => {
        haptic("success");
        toast(answer.message);
        setWords("");
      },
      onError: (error) => {
        haptic("error");
        setComplaint(sayError(error, copy.failed));
      },
    });
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={copy.answer}
        hint={copy.answerHint}
        error={complaint}
        value={words}
        max={CLAIM_WORDS_MAX}
        length={words.length}
        counterLabel={copy.characters(words.length, CLAIM_WORDS_MAX)}
        onChange={(value) => {
          setWords(value);
          setComplaint(null);
        }}
      />
      <Button type="submit" icon="send" busy={tell.isPending} disabled={words.trim() === ""}>
        {copy.send}
      </Button>
    </form>
  );
}
