import { copyText } from "../../../lib/copy-text.ts";
import { Icon } from "../../../ui/icons.tsx";
import { Cell } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import styles from "../aggregators.module.css";
import { aggregatorsCopy } from "../messages.fr.ts";

const copy = aggregatorsCopy.keys;

/** A value that one tap copies. `bare`: the value is its own title. */
export function CopyCell(props: { title: string; value: string; bare?: boolean }) {
  const take = async () => {
    const done = await copyText(props.value);
    toast(done ? copy.copied : copy.copyFailed, done ? "good" : "bad");
  };
  return (
    <Cell
      title={props.bare ? <span className={styles.address}>{props.value}</span> : props.title}
      {...(props.bare ? {} : { subtitle: <code className={styles.masked}>{props.value}</code> })}
      after={
        <span className={styles.copy}>
          <Icon name="copy" size={20} />
          <span className="only-heard">
            {props.bare ? copy.copy : copy.copyMasked(props.title.toLowerCase())}
          </span>
        </span>
      }
      onClick={() => void take()}
    />
  );
}
