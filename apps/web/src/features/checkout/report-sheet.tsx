import { useState } from "react";
import { Choices, CloseButton, SendButton, useSending, Words } from "./rare-sheet.tsx";
import { reportCopy as copy } from "./rare-messages.fr.ts";
import { BuyerSheet } from "./sheet.tsx";

export type ReportSheetProps = {
  /** → what the platform answers. */
  send(report: { motif: string; message: string }): Promise<string>;
  onClose(): void;
};

/** A buyer's word about a product (decision 99). */
export function ReportSheet({ send, onClose }: ReportSheetProps) {
  const [motif, setMotif] = useState("");
  const [message, setMessage] = useState("");
  const [answer, setAnswer] = useState<string | null>(null);
  const { run, busy, complaint } = useSending(copy.failed);
  return (
    <BuyerSheet title={copy.title} onClose={onClose}>
      {(close) => (
        <>
          {answer !== null ? (
            <p role="status">{answer}</p>
          ) : (
            <>
              <Choices<string>
                legend={copy.reason}
                of={copy.reasons}
                chosen={motif}
                disabled={busy}
                onChoose={setMotif}
              />
              <Words
                label={copy.message}
                rows={3}
                max={500}
                value={message}
                onChange={setMessage}
              />
              <SendButton
                label={copy.send}
                complaint={complaint}
                busy={busy}
                onSend={() => void run(async () => setAnswer(await send({ motif, message })))}
              />
            </>
          )}
          <CloseButton onClose={close} />
        </>
      )}
    </BuyerSheet>
  );
}
