import { copyText } from "../../../lib/copy-text.ts";
import { haptic } from "../../../telegram/native.ts";
import { IconButton } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toast.tsx";
import { deskCopy } from "../messages.fr.ts";
import styles from "./sheet.module.css";

/** What is carried to the operator's phone: read grouped, copied bare. */
export function CopyLine(props: { label: string; shown: string; copied: string; button: string }) {
  const copy = async () => {
    const done = await copyText(props.copied);
    haptic(done ? "success" : "error");
    toast(done ? deskCopy.copied : deskCopy.copyFailed, done ? "good" : "bad");
  };
  return (
    <div className={styles.copied}>
      <dl>
        <dt>{props.label}</dt>
        <dd>{props.shown}</dd>
      </dl>
      <IconButton icon="copy" label={props.button} onClick={() => void copy()} />
    </div>
  );
}
