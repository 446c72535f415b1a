import type { DeskSellerOnWire } from "@sesame/contract/back-office";
import { useId, useState } from "react";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toast.tsx";
import { useDesk, useDeskWrite } from "../use-desk.ts";
import styles from "../seller.module.css";
import { sellerCopy as copy } from "../people-messages.fr.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";

type Measure = keyof DeskSellerOnWire["may"];
const MEASURES = ["suspend", "resume", "freeze", "unfreeze", "reopen", "write-off"] as const;

/** Those an operator may take now; an agent sees none (decision 99). */
export function SellerMeasures({ seller }: { seller: DeskSellerOnWire }) {
  const [open, setOpen] = useState<Measure | null>(null);
  const offered = MEASURES.filter((measure) => seller.may[measure].allowed);
  if (offered.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {offered.map((measure) => (
        <Button
          key={measure}
          look={measure === "suspend" || measure === "freeze" ? "danger-tinted" : "tinted"}
          onClick={() => setOpen(measure)}
        >
          {copy.actions[measure]}
        </Button>
      ))}
      {open ? (
        <MeasureSheet
          name={`POST /api/desk/sellers/:id/${open}`}
          id={seller.id}
          words={copy.sheets[open]}
          confirm={copy.actions[open]}
          begins={open === "suspend" || open === "freeze"}
          done={({ write_off: asked }) => (asked ? copy.writeOffAsked : copy.done)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

const USUAL_REVIEW_DAYS = 7;

function inDays(now: string, days: number): string {
  return new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A measure that begins has a day of review; one that ends has a reason alone. */
export function MeasureSheet(props: {
  name:
    | `POST /api/desk/sellers/:id/${Measure}`
    | `POST /api/desk/products/:id/${"suspend" | "resume"}`;
  id: string;
  words: { readonly title: string; readonly text: string };
  confirm: string;
  begins: boolean;
  done?(seller: DeskSellerOnWire): string;
  onClose(): void;
}) {
  const id = useId();
  const [reason, setReason] = useState("");
  const desk = useDesk();
  const [review, setReview] = useState(() => (desk ? inDays(desk.now, USUAL_REVIEW_DAYS) : ""));
  const act = useDeskWrite(props.name, { params: { id: props.id } });
  return (
    <ActSheet
      title={props.words.title}
      text={props.words.text}
      confirm={props.confirm}
      look={props.begins ? "danger" : "filled"}
      act={act}
      body={props.begins ? { reason, review_at: review || null } : { reason }}
      onDone={({ seller }) => {
        toast(props.done?.(seller) ?? copy.done);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      <ReasonField
        label={props.begins ? copy.reason : copy.endReason}
        value={reason}
        onChange={setReason}
      />
      {props.begins ? (
        <div className={styles.date}>
          <label htmlFor={id}>{copy.review}</label>
          <input
            id={id}
            type="date"
            value={review}
            onChange={(event) => setReview(event.target.value)}
          />
        </div>
      ) : null}
    </ActSheet>
  );
}
