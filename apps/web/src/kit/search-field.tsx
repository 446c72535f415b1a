import { Icon } from "./icons.tsx";
import styles from "./controls.module.css";

export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange(value: string): void;
}) {
  return (
    <div className={styles.search}>
      <Icon name="search" size={20} />
      <input
        type="search"
        className={styles.input}
        aria-label={props.label}
        placeholder={props.placeholder ?? props.label}
        value={props.value}
        enterKeyHint="search"
        autoComplete="off"
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}
