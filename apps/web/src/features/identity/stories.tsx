import { type MouseEvent, useState } from "react";
import { useLocation } from "wouter";
import { useUser } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { classes, HOME } from "../../lib/text.ts";
import { Drawing } from "../../kit/drawings.tsx";
import { Line, Stack, Text } from "../../kit/layout.tsx";
import styles from "./identity.module.css";
import { welcomeCopy as copy } from "./welcome-messages.fr.ts";
import { useFinishOnboarding } from "./welcome.tsx";

/** Four cards (decision 13): a tap on the right goes on, on the left goes back. */
export function Stories() {
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const user = useUser();
  const finishOnboarding = useFinishOnboarding();
  const last = copy.stories.length - 1;
  const story = copy.stories[at] ?? copy.stories[0];
  const finish = () => {
    finishOnboarding();
    navigate(user?.plan ? HOME : "/Plans", { replace: true });
  };
  const go = (step: number) => {
    haptic("selection");
    if (step > last) finish();
    else setAt(Math.max(0, step));
  };
  const tap = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (event.clientX - left < width / 3) go(at - 1);
    else if (at < last) go(at + 1);
  };
  return (
    <div className={styles.stories}>
      <h1 className="visually-hidden">{copy.heading}</h1>
      <Stack gap={1}>
        <Line gap={1} nowrap aria-hidden="true">
          {copy.stories.map((each, index) => (
            <span key={each.title} className={classes(styles.bar, index <= at && styles.seen)} />
          ))}
        </Line>
        <button type="button" className={styles.skip} onClick={finish}>
          {copy.skip}
        </button>
      </Stack>
      {/* The tap is a convenience: the button below does the same for a keyboard. */}
      <section key={at} className={styles.card} onClick={tap} aria-live="polite">
        <span className="visually-hidden">{copy.step(at + 1, copy.stories.length)}</span>
        <Drawing name={story.drawing} size={210} />
        <Text as="h2" size="title">
          {story.title}
        </Text>
        <Text tone="soft">{story.text}</Text>
      </section>
      <Button onClick={() => go(at + 1)}>{at === last ? copy.start : copy.next}</Button>
    </div>
  );
}
