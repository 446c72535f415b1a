import { reportCopy } from "./rare-messages.fr.ts";
import { WordsSheet, type WordsSheetProps } from "./words-sheet.tsx";

/** A buyer's word about a product (decision 99). */
export function ReportSheet(props: Pick<WordsSheetProps, "send" | "onClose">) {
  return <WordsSheet kinds={reportCopy.reasons} words={reportCopy} max={500} {...props} />;
}
