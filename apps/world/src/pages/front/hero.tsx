import { Icon } from "../phone/parts/icon.tsx";
import type { Scheme } from "../phone/theme.ts";
import { formatLongDay, formatSeconds } from "../world/format.ts";
import { useWorld, useWorldNow } from "../world/store.ts";
import { frontCopy as copy } from "./copy.fr.ts";
import css from "./front.module.css";
import { STEP_IDS, storySteps } from "./story.ts";

type BarProps = {
  live: boolean;
  scheme: Scheme;
  onScheme: (scheme: Scheme) => void;
  panelOpen: boolean;
  onPanel: () => void;
};

export function TopBar({ live, scheme, onScheme, panelOpen, onPanel }: BarProps) {
  return (
    <header className={css.bar}>
      <Mark />
      <span className={css.brand}>{copy.brand}</span>
      <span className={css.demo}>{copy.demo}</span>
      <span className={css.space} />
      <WorldClock live={live} />
      <button
        type="button"
        className={css.round}
        aria-label={scheme === "light" ? copy.dark : copy.light}
        onClick={() => onScheme(scheme === "light" ? "dark" : "light")}
      >
        <Icon name={scheme === "light" ? "moon" : "sun"} size={19} />
      </button>
      <button
        type="button"
        className={css.panelButton}
        aria-label={copy.panel}
        aria-expanded={panelOpen}
        onClick={onPanel}
      >
        <Icon name="sliders" size={19} />
        <span>{copy.panel}</span>
      </button>
    </header>
  );
}

function Mark() {
  return (
    <svg className={css.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9.5" fill="var(--brand)" />
      <path d="M9 25V15a7 7 0 0 1 14 0v10z" fill="var(--brand-ink)" />
      <path d="M9 25V15a7 7 0 0 1 7-7l-1 0v17z" fill="var(--brand-ink)" opacity="0.55" />
      <circle cx="19.3" cy="18" r="1.4" fill="var(--brand)" />
    </svg>
  );
}

function WorldClock({ live }: { live: boolean }) {
  const now = useWorldNow(1000);
  return (
    <p className={css.clock} title={live ? copy.live : copy.offline}>
      <span className={css.dot} data-live={live} aria-hidden="true" />
      <span className={css.day}>{formatLongDay(now)}</span>
      <time className={css.time} aria-label={copy.clock}>
        {formatSeconds(now)}
      </time>
    </p>
  );
}

export function Hero() {
  const done = storySteps(useWorld());
  const next = STEP_IDS.find((id) => !done[id]);
  return (
    <section className={css.hero}>
      <div className={css.pitch}>
        <h1 className={css.title}>{copy.title}</h1>
        <p className={css.lead}>{copy.lead}</p>
      </div>
      <div className={css.story}>
        <ol className={css.steps} aria-label={copy.stepsLabel}>
          {STEP_IDS.map((id, at) => (
            <li
              key={id}
              className={css.step}
              data-state={done[id] ? "done" : id === next ? "next" : "later"}
              aria-current={id === next ? "step" : undefined}
            >
              <span className={css.stepMark}>
                {done[id] ? <Icon name="check" size={15} /> : at + 1}
              </span>
              <span className={css.stepTitle}>{copy.steps[id].title}</span>
            </li>
          ))}
        </ol>
        <p className={css.next}>
          {next === undefined ? (
            copy.allDone
          ) : (
            <>
              <b>{copy.nextLabel}</b>
              {copy.steps[next].next}
            </>
          )}
        </p>
      </div>
    </section>
  );
}
