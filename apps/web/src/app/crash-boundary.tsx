import { Component, type ReactNode, useEffect } from "react";
import { FallbackDashboard } from "../features/identity/splash.tsx";
import { isOffline } from "../lib/api.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icons.tsx";
import { Stack, Text } from "../kit/layout.tsx";
import styles from "./app.module.css";
import { appCopy as copy } from "./messages.fr.ts";
import { takePicture } from "./picture/take-picture.ts";

type Props = { readonly broken: ReactNode; onCrash?(): void; readonly children: ReactNode };

class Boundary extends Component<Props, { readonly crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError = () => ({ crashed: true });

  override componentDidCatch() {
    this.props.onCrash?.();
  }

  override render() {
    return this.state.crashed ? this.props.broken : this.props.children;
  }
}

/** B §2: the global boundary, with a reload button over the minimal dashboard. */
export function CrashBoundary({ children }: { children: ReactNode }) {
  const broken = (
    <main className={styles.crashed}>
      <Broken text={copy.crashedText} />
      <FallbackDashboard />
    </main>
  );
  return (
    <Boundary broken={broken} onCrash={takePicture}>
      {children}
    </Boundary>
  );
}

/** A screen that crashes leaves the others: an error stands in its place, the tabs stay. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  return <Boundary broken={<BrokenScreen />}>{children}</Boundary>;
}

/** A screen whose file was not on the phone is loaded with the network. */
function BrokenScreen() {
  useEffect(() => {
    const reload = () => location.reload();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  return (
    <div className={styles.crashed}>
      {isOffline() ? (
        <Broken title={copy.notHere} text={copy.notHereText} offline />
      ) : (
        <Broken text={copy.crashedScreen} />
      )}
    </div>
  );
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
