import {
  COMPLAINT_KIND_NAMES,
  COMPLAINT_KIND_SENTENCES,
  type ComplaintKind,
} from "@sesame/contract/cases";
import { complaintCopy } from "./complaint-messages.fr.ts";
import { WordsSheet } from "./words-sheet.tsx";

type ComplaintSheetProps = {
  /** The most likely first: it is preselected, so that a complaint is two taps. */
  readonly kinds: readonly ComplaintKind[];
  send(complaint: { motif: string; message: string }): Promise<unknown>;
  onClose(): void;
};

/** What went wrong with a purchase, in two taps: this sheet, and its button. */
export function ComplaintSheet({ kinds, send, onClose }: ComplaintSheetProps) {
  return (
    <WordsSheet
      kinds={kinds.map((kind) => [
        kind,
        COMPLAINT_KIND_NAMES[kind],
        COMPLAINT_KIND_SENTENCES[kind],
        kind === "other" ? complaintCopy.needed : complaintCopy.message,
      ])}
      chosen={kinds[0]}
      words={complaintCopy}
      max={1000}
      send={(complaint) => send(complaint).then(() => null)}
      onClose={onClose}
    />
  );
}
