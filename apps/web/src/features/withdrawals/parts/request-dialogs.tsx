import type { LimitsAnswer } from "@sesame/contract/withdrawals";
import type { RequestControl } from "../use-request.ts";
import { ConfirmRequest } from "./confirm-request.tsx";
import { SentSheet } from "./sent-sheet.tsx";

/** What stands over the form once it was checked. */
export function RequestDialogs(props: { limits: LimitsAnswer; control: RequestControl }) {
  const { limits, control } = props;
  const { step } = control;
  switch (step.at) {
    case "form":
      return null;
    case "sent":
      return <SentSheet demande={step.demande} limits={limits} onClose={control.back} />;
    default:
      return <ConfirmRequest step={step} limits={limits} control={control} />;
  }
}
