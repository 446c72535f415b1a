import type { DeskDecisionAnswer } from "@sesame/contract/desk";
import { toast } from "../../../ui/toast.tsx";
import { type DecisionVerb, useDecision } from "../queries.ts";
import { ActSheet, type ActSheetProps } from "./act-sheet.tsx";

type Body = Record<string, unknown>;

/** A decision on a withdrawal. `onDone`: instead of closing. */
export function DecisionSheet(
  props: Omit<ActSheetProps<Body, DeskDecisionAnswer>, "act" | "onDone"> & {
    readonly id: string;
    readonly verb: DecisionVerb;
    onDone?(answer: DeskDecisionAnswer): void;
  },
) {
  const { id, verb, onDone, ...rest } = props;
  const decision = useDecision(id, verb);
  return (
    <ActSheet
      {...rest}
      act={decision}
      onDone={(answer) => {
        toast(answer.message);
        if (onDone) onDone(answer);
        else props.onClose();
      }}
    />
  );
}
