import { Drawing } from "../../kit/drawings.tsx";
import { identityCopy } from "./messages.fr.ts";
import styles from "./identity.module.css";

export function SignedOut() {
  return (
    <main className={styles.screen}>
      <Drawing name="door" size={140} />
      <div className={styles.words}>
        <h1 className={styles.title}>{identityCopy.signedOut.title}</h1>
        <p className={styles.text}>{identityCopy.signedOut.text}</p>
      </div>
    </main>
  );
}
