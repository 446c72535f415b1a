import { control } from "../world/api.ts";
import { formatLongDay, formatSeconds } from "../world/format.ts";
import { useWorld, useWorldNow } from "../world/store.ts";
import { panelCopy, spanWords } from "./copy.fr.ts";
import css from "./panel.module.css";

const copy = panelCopy.clock;
const MINUTE = 60_000;
const STEPS = [
  { text: copy.steps.minute, ms: MINUTE },
  { text: copy.steps.hour, ms: 60 * MINUTE },
  { text: copy.steps.day, ms: 1440 * MINUTE },
  { text: copy.steps.month, ms: 30 * 1440 * MINUTE },
];

export function ClockSection() {
  const { offsetMs } = useWorld();
  const now = useWorldNow(1000);
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <p className={css.now}>
        <time>{formatSeconds(now)}</time>
        <span>{formatLongDay(now)}</span>
      </p>
      <div className={css.row}>
        {STEPS.map((step) => (
          <button
            type="button"
            key={step.text}
            className={css.button}
            onClick={() => void control("advanceClock", { ms: step.ms })}
          >
            {step.text}
          </button>
        ))}
      </div>
      <div className={css.between}>
        <span className={css.quiet}>
          {offsetMs >= 1000 ? copy.ahead(spanWords(offsetMs)) : copy.onTime}
        </span>
        {offsetMs >= 1000 && (
          <button
            type="button"
            className={css.link}
            onClick={() => void control("setClockOffset", { offsetMs: 0 })}
          >
            {copy.real}
          </button>
        )}
      </div>
    </section>
  );
}
