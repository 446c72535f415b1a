import { CLAIM_WORDS_MAX } from "@sesame/contract/cases";
import { useState } from "react";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Sheet } from "../../../ui/modal.tsx";
import { toast } from "../../../ui/toast.tsx";
import styles from "../claims.module.css";
import { claimsCopy as copy } from "../claim-messages.fr.ts";
import { useTell } from "../claim-queries.ts";

/** Hands the claim to the operator, with the seller's words. */
export function ContestSheet({ id, onClose }: { id: string; onClose(): void }) {
  const [words, setWords] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const tell = useTell(id, "contest");
  const send = () => {
    if (tell.isPending) return;
    tell.mutate(words.trim(), {
      onSuccess: (answer) => {
        haptic("success");
        toast(answer.message);
        onClose();
      },
      onError: (error) => {
        haptic("error");
        setComplaint(sayError(error, copy.failed));
      },
    });
  };
  return (
    <Sheet title={copy.contestTitle} onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className={styles.text}>{copy.contestText}</p>
        <TextArea
          label={copy.contestField}
          required
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
        <Button type="submit" busy={tell.isPending} disabled={words.trim() === ""}>
          {copy.contestConfirm}
        </Button>
        <Button look="plain" onClick={onClose}>
          {copy.cancel}
        </Button>
      </form>
    </Sheet>
  );
}
