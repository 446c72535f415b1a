import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { deskCopy } from "../features/desk/copy.fr.ts";
import { DeskNav } from "../features/desk/frame.tsx";
import styles from "../features/desk/frame.module.css";
import { DeskGate } from "../features/desk/gate.tsx";
import { useDeskSession } from "../features/desk/session.ts";
import { useDeskLive } from "../features/desk/use-desk-live.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { startNative } from "../telegram/native.ts";
import { ToastPlace } from "../ui/toast.tsx";
import { DeskRoutes } from "./desk-routes.tsx";
import { useDeskNavigation } from "./use-desk-navigation.ts";

/** The agents' desk: same page, loaded apart. */
export function DeskApp() {
  const [client] = useState(createQueryClient);
  const { gate, retry } = useDeskSession();
  useEffect(startNative, []);
  return (
    <QueryClientProvider client={client}>
      {gate.at === "ready" ? <Frame /> : <DeskGate state={gate} onRetry={retry} />}
      <ToastPlace />
    </QueryClientProvider>
  );
}

function Frame() {
  useDeskNavigation();
  useDeskLive();
  return (
    <>
      <a href="#content" className={styles.skip}>
        {deskCopy.skip}
      </a>
      <main id="content" tabIndex={-1} className={styles.content}>
        <DeskRoutes />
      </main>
      <DeskNav />
    </>
  );
}
