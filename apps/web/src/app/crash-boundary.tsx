import { Component, type ReactNode } from "react";
import { FallbackDashboard } from "../features/identity/splash.tsx";
import { isOffline } from "../lib/api.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icons.tsx";
import { Stack, Text } from "../kit/layout.tsx";
import styles from "./app.module.css";
import { appCopy as copy } from "./messages.fr.ts";
import { takePicture } from "./picture/take-picture.ts";

type State = { readonly crashed: boolean };

class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { crashed: false };

  static getDerivedStateFromError(): State {
    return { crashed: true };
  }
}

/** B §2: the global boundary, with a reload button over the minimal dashboard. */
export class CrashBoundary extends Boundary {
  override componentDidCatch() {
    takePicture();
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <main className={styles.crashed}>
        <Broken text={copy.crashedText} />
        <FallbackDashboard />
      </main>
    );
  }
}

/** A screen that crashes leaves the others: an error stands in its place, the tabs stay. */
export class ScreenBoundary extends Boundary {
  override componentDidMount() {
    window.addEventListener("online", this.reloadIfCrashed);
  }

  override componentWillUnmount() {
    window.removeEventListener("online", this.reloadIfCrashed);
  }

  /** A screen whose file was not on the phone is loaded with the network. */
  private readonly reloadIfCrashed = () => {
    if (this.state.crashed) location.reload();
  };

  override render() {
    if (!this.state.crashed) return this.props.children;
    const offline = isOffline();
    return (
      <div className={styles.crashed}>
        {offline ? <Broken title={copy.notHere} text={copy.notHereText} offline /> : null}
        {offline ? null : <Broken text={copy.crashedScreen} />}
      </div>
    );
  }
}

function Broken(props: { title?: string; text: string; offline?: boolean }) {
  return (
    <Stack center role="alert">
      <Icon name={props.offline ? "offline" : "warning"} size={48} />
      <Text as="h1" size="heading" center>
        {props.title ?? copy.crashed}
      </Text>
      <Text tone="soft" center>
        {props.text}
      </Text>
      <Button onClick={() => location.reload()}>{copy.reload}</Button>
    </Stack>
  );
}
