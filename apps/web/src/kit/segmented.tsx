import { useId } from "react";
import { classes } from "./classes.ts";
import styles from "./controls.module.css";

type Segment<V extends string> = { readonly value: V; readonly label: string };

/** One of a few views of the same thing. */
export function Segmented<V extends string>(props: {
  label: string;
  segments: readonly Segment<NoInfer<V>>[];
  value: V;
  onChange(value: NoInfer<V>): void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.track}>
      {props.segments.map((segment) => {
        const chosen = segment.value === props.value;
        return (
          <label key={segment.value} className={classes(styles.segment, chosen && styles.chosen)}>
            <input
              type="radio"
              className="only-heard"
              name={name}
              value={segment.value}
              checked={chosen}
              onChange={() => props.onChange(segment.value)}
            />
            {segment.label}
          </label>
        );
      })}
    </div>
  );
}
