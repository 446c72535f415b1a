import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { appCopy as copy } from "./copy.fr.ts";
import styles from "./app.module.css";

/** B §2: the global boundary, with a reload button. */
export class CrashBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <main className={styles.crashed} role="alert">
        <Icon name="warning" size={48} />
        <h1>{copy.crashed}</h1>
        <p>{copy.crashedText}</p>
        <Button onClick={() => location.reload()}>{copy.reload}</Button>
      </main>
    );
  }
}
