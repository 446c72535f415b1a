import styles from "./content.module.css";
import { Card, Stack } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";

/** The shape of content that loads. Sizes in CSS units. */
export function Skeleton(props: { width?: string; height?: string; radius?: string }) {
  const { width = "100%", height = "1em", radius = "8px" } = props;
  return (
    <span
      className={styles.skeleton}
      style={{ width, height, borderRadius: radius }}
      aria-hidden="true"
    />
  );
}

/** The same picture as the page's first paint: nothing jumps when React takes over. */
export function FirstPaint({ words }: { words?: string }) {
  return (
    <div className="first-paint" role={words ? "status" : undefined}>
      <span className="first-paint-mark" aria-hidden="true" />
      {words ? <span className="first-paint-text">{words}</span> : null}
    </div>
  );
}

/** A screen that loads. */
export function Waiting() {
  return (
    <Stack gap={5} page>
      <Skeleton width="55%" height="1.75rem" />
      <SkeletonRows count={5} label={kitCopy.loading} />
    </Stack>
  );
}

/** Rows of a section that loads. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <Card flush gap={0} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className={styles.row}>
          <Skeleton width="38px" height="42px" radius="19px 19px 7px 7px" />
          <Stack as="span" gap={2}>
            <Skeleton width={`${62 - ((row * 13) % 30)}%`} height="0.9em" />
            <Skeleton width={`${40 - ((row * 7) % 18)}%`} height="0.75em" />
          </Stack>
        </div>
      ))}
    </Card>
  );
}
