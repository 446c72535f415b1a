import styles from "./content.module.css";

/** The shape of what is coming. Sizes in CSS units. */
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

/** Rows of a section being loaded. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div className={styles.skeletonCard} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className={styles.row}>
          <Skeleton width="40px" height="40px" radius="50%" />
          <span className={styles.skeletonWords}>
            <Skeleton width={`${62 - ((row * 13) % 30)}%`} height="0.9em" />
            <Skeleton width={`${40 - ((row * 7) % 18)}%`} height="0.75em" />
          </span>
        </div>
      ))}
    </div>
  );
}
