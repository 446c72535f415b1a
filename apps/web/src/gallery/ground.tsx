import styles from "./gallery.module.css";
import { Part } from "./part.tsx";
import { words } from "./messages.fr.ts";

const COLOURS = [
  "paper",
  "card",
  "hollow",
  "line",
  "ink",
  "ink-soft",
  "green",
  "tint",
  "amber",
  "amber-soft",
  "brick",
  "brick-soft",
  "fill",
  "fill-brick",
  "big-card",
  "raised",
];
const SPACES = ["space-1", "space-2", "space-3", "space-4", "space-5", "space-6"];
const SIZES = ["hero", "title", "heading", "body", "small", "tiny"] as const;
const RADII = ["radius-large", "radius", "radius-small", "pill"];
const LIFTS = ["lift", "lift-high"];

/** What all the rest stands on: letters, colours, corners, relief. */
export function GroundParts() {
  return (
    <>
      <Part name="type" title={words.parts.type}>
        {SIZES.map((size) => (
          <p key={size} className={styles.size} style={{ fontSize: `var(--size-${size})` }}>
            {words.sizes[size]}
          </p>
        ))}
        <p className={styles.faded}>{words.long}</p>
      </Part>
      <Part name="colours" title={words.parts.colours}>
        <div className={styles.swatches}>
          {COLOURS.map((colour) => (
            <div key={colour}>
              <div className={styles.swatch} style={{ background: `var(--${colour})` }} />
              {colour}
            </div>
          ))}
        </div>
      </Part>
      <Part name="shapes" title={words.parts.shapes}>
        <div className={styles.line}>
          {SPACES.map((space) => (
            <div key={space} className={styles.swatch} style={{ width: `var(--${space})` }} />
          ))}
          {RADII.map((radius) => (
            <div key={radius} className={styles.shape} style={{ borderRadius: `var(--${radius})` }}>
              {radius}
            </div>
          ))}
          {LIFTS.map((lift) => (
            <div
              key={lift}
              className={styles.shape}
              style={{ borderRadius: "var(--radius)", boxShadow: `var(--${lift})` }}
            >
              {lift}
            </div>
          ))}
        </div>
      </Part>
    </>
  );
}
