import type { PurseOnWire } from "@sesame/contract/treasury";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { ChipField, SelectField, TextField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";
import { dayCopy } from "../money-messages.fr.ts";
import { readFrancs } from "../day-number.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";
import styles from "./sheet.module.css";

/** The count of a day, or its correction: the difference is said before it is written. */
export function CountSheet(props: {
  purse: PurseOnWire;
  date: string;
  verb: "close" | "correct";
  onClose(): void;
}) {
  const { purse, date, verb, onClose } = props;
  const copy = dayCopy.sheet;
  const [counted, setCounted] = useState("");
  const [explanation, setExplanation] = useState("");
  const act = useDeskWrite(`POST /api/desk/day/${verb}`, {});
  const correcting = verb === "correct";
  const francs = readFrancs(counted);
  const difference = typeof francs === "number" ? francs - purse.expected : null;
  return (
    <ActSheet
      title={correcting ? copy.correctTitle(purse.label) : copy.title(purse.label)}
      text={copy.text(formatFcfa(purse.expected))}
      confirm={correcting ? copy.confirmCorrection : copy.confirm}
      act={act}
      body={{
        date,
        account: purse.account,
        counted: francs,
        ...(explanation.trim() ? { explanation } : {}),
      }}
      onDone={() => {
        toast(correcting ? copy.corrected : copy.done);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={copy.counted}
        value={counted}
        inputMode="numeric"
        suffix="FCFA"
        hint={difference === null ? undefined : sayDifference(difference)}
        onChange={setCounted}
      />
      {correcting || (difference !== null && difference !== 0) ? (
        <ReasonField
          label={correcting ? copy.correctionWhy : copy.explanation}
          value={explanation}
          onChange={setExplanation}
        />
      ) : null}
    </ActSheet>
  );
}

function sayDifference(difference: number): string {
  const copy = dayCopy.sheet;
  if (difference === 0) return copy.same;
  const amount = formatFcfa(Math.abs(difference));
  return difference > 0 ? copy.more(amount) : copy.less(amount);
}

const TREASURY = "treasury";

/** Money put into a purse, or taken out of it, other than a seller's. */
export function MoveSheet(props: {
  purse: PurseOnWire;
  purses: readonly PurseOnWire[];
  onClose(): void;
}) {
  const { purse, onClose } = props;
  const copy = dayCopy.moveSheet;
  const [direction, setDirection] = useState("in");
  const [amount, setAmount] = useState("");
  const [other, setOther] = useState(TREASURY);
  const [reference, setReference] = useState("");
  const others = props.purses.filter(({ account }) => account !== purse.account);
  return (
    <ActSheet
      title={copy.title(purse.label)}
      text={copy.text}
      confirm={copy.confirm}
      act={useDeskWrite("POST /api/desk/day/moves", {})}
      body={{ account: purse.account, direction, amount: readFrancs(amount), other, reference }}
      onDone={() => {
        toast(copy.done);
        onClose();
      }}
      onClose={onClose}
    >
      <div className={styles.form}>
        <ChipField
          label={copy.direction}
          value={direction}
          choices={[
            { value: "in", label: copy.directions.in },
            { value: "out", label: copy.directions.out },
          ]}
          onChange={setDirection}
        />
        <TextField
          label={copy.amount}
          value={amount}
          inputMode="numeric"
          suffix="FCFA"
          onChange={setAmount}
        />
        <SelectField
          label={direction === "in" ? copy.from : copy.to}
          value={other}
          choices={[
            { value: TREASURY, label: copy.treasury },
            ...others.map(({ account, label }) => ({ value: account, label })),
          ]}
          onChange={setOther}
        />
        <TextField label={copy.reference} value={reference} onChange={setReference} />
      </div>
    </ActSheet>
  );
}
