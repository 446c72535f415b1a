import { formatFcfa } from "../../../lib/format.ts";
import { sparklineCopy as copy } from "../home-messages.fr.ts";
import styles from "../reports.module.css";

const WIDTH = 280;
const HEIGHT = 34;
const EDGE = 3;

/** Net francs of the last days as a line, today at its end. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const points = values.map((value, index): [number, number] => [
    EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (Math.max(0, value) / highest) * (HEIGHT - 2 * EDGE),
  ]);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <div className={styles.curve}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={copy.heard(formatFcfa(total))}>
        <polygon points={`${EDGE},${HEIGHT} ${line} ${WIDTH - EDGE},${HEIGHT}`} />
        <polyline points={line} />
        {/* A line without length: its round ends make a dot that keeps its shape. */}
        <path d={`M${lastX} ${lastY}h0`} />
      </svg>
      <span aria-hidden="true">{copy.seen(formatFcfa(total))}</span>
    </div>
  );
}
