import { useState } from "react";
import { TabBar } from "../app/tab-bar.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Button } from "../kit/button.tsx";
import { Drawing, type DrawingName } from "../kit/drawings.tsx";
import { Icon, ICON_NAMES } from "../kit/icons.tsx";
import { Dialog, Sheet } from "../kit/modal.tsx";
import { OperatorMark } from "../kit/operator-mark.tsx";
import { Cell, Section } from "../kit/section.tsx";
import { toast } from "../kit/toast.tsx";
import styles from "./gallery.module.css";
import { Part } from "./part.tsx";
import { words } from "./messages.fr.ts";

const DRAWINGS: readonly DrawingName[] = [
  "door",
  "product",
  "group",
  "receipt",
  "search",
  "phone",
  "link",
  "coins",
  "broken",
];
const OPERATORS = ["ORANGE", "MTN", "MOOV", "WAVE", "FREE", "EXPRESSO", "TMONEY", ""];
const NAMES = ["Awa Koné", "Moussa", "Fatou Diallo", "Ibrahim Sow", "Koffi", "Zénab Touré"];

export function OverParts() {
  return (
    <>
      <Part name="drawings" title={words.parts.drawings}>
        <div className={styles.line}>
          {DRAWINGS.map((name) => (
            <Drawing key={name} name={name} size={92} />
          ))}
        </div>
      </Part>
      <Part name="icons" title={words.parts.icons}>
        <div className={styles.line}>
          {ICON_NAMES.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
      </Part>
      <Part name="people" title={words.parts.people}>
        <div className={styles.line}>
          {NAMES.map((name) => (
            <Avatar key={name} name={name} />
          ))}
        </div>
        <div className={styles.line}>
          {OPERATORS.map((name) => (
            <OperatorMark key={name} operator={name} />
          ))}
        </div>
      </Part>
      <Part name="tab-bar" title={words.parts.bar}>
        <div className={styles.barPlace}>
          <TabBar />
        </div>
      </Part>
      <Over />
    </>
  );
}

function Over() {
  const copy = words.over;
  const [open, setOpen] = useState<"nothing" | "sheet" | "dialog">("nothing");
  const close = () => setOpen("nothing");
  return (
    <Part name="over" title={words.parts.over}>
      <Button look="tinted" onClick={() => setOpen("sheet")}>
        {copy.sheet}
      </Button>
      <Button look="tinted" onClick={() => setOpen("dialog")}>
        {copy.dialog}
      </Button>
      <Button look="tinted" onClick={() => toast(copy.goodText)}>
        {copy.good}
      </Button>
      <Button look="tinted" onClick={() => toast(copy.badText, "bad")}>
        {copy.bad}
      </Button>
      {open === "sheet" ? (
        <Sheet title={copy.sheetTitle} onClose={close}>
          <Section>
            <Cell before={<Avatar name="Awa" />} title={words.long} chevron onClick={close} />
            <Cell icon="plus" title={words.button.long} onClick={close} />
          </Section>
        </Sheet>
      ) : null}
      {open === "dialog" ? (
        <Dialog
          title={copy.dialogTitle}
          onClose={close}
          actions={[
            { label: copy.confirm, look: "danger", run: close },
            { label: copy.cancel, look: "plain", run: close },
          ]}
        >
          {copy.dialogText}
        </Dialog>
      ) : null}
    </Part>
  );
}
