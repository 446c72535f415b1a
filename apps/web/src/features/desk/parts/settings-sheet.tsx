import type { SettingsOnWire } from "@sesame/contract/settings";
import { type ReactNode, useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";

/** A change of settings, with its reason. `changes` null: something typed cannot be read. */
export function SettingsSheet(props: {
  title: string;
  version: string;
  changes: Partial<SettingsOnWire> | null;
  children: ReactNode;
  onClose(): void;
}) {
  const [reason, setReason] = useState("");
  const act = useDeskWrite("PUT /api/desk/settings", {});
  const { changes } = props;
  return (
    <ActSheet
      title={props.title}
      confirm={copy.save}
      act={act}
      disabled={changes === null || Object.keys(changes).length === 0}
      body={{
        changes: changes ?? {},
        ...(reason.trim() ? { reason: reason.trim() } : {}),
        version: props.version,
      }}
      onDone={() => {
        toast(copy.saved);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      {props.children}
      <TextField label={copy.reason} value={reason} maxLength={500} onChange={setReason} />
    </ActSheet>
  );
}
