import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
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
        <EmptyState
          drawing="broken"
          title={copy.crashed}
          text={copy.crashedText}
          action={<Button onClick={() => location.reload()}>{copy.reload}</Button>}
        />
      </main>
    );
  }
}
