import { onboardingCopy as copy } from "./messages.fr.ts";
import styles from "./onboarding.module.css";

/** Shown to a newcomer while the redirect rules decide where he starts (decision 14). */
export function Welcome() {
  return (
    <div className={styles.welcome}>
      <span className="first-paint-mark" aria-hidden="true" />
      <h1 className={styles.title}>{copy.welcomeTitle}</h1>
      <p className={styles.text}>{copy.welcomeText}</p>
    </div>
  );
}
