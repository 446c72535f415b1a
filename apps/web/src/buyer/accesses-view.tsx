import { useCallback, useEffect, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import styles from "../kit/buyer.module.css";
import type { AccessesAnswer } from "./accesses.tsx";
import type { Place } from "./page.ts";
import { call } from "./session.ts";
import { useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";

const loadAccesses = () => import("./accesses.tsx");

/** The buyer's accesses: the server is asked while the code of the list is fetched. */
export function AccessesView({ page, go, back }: Place) {
  useBridge(back);
  const part = usePart(true, loadAccesses);
  const [answer, setAnswer] = useState<AccessesAnswer | null>(null);
  const again = useCallback(() => {
    setAnswer(null);
    call("GET /api/me/access").then(setAnswer, (error: unknown) => setAnswer({ error }));
  }, []);
  useEffect(again, [again]);
  if (part && answer) return <part.Accesses page={page} go={go} answer={answer} again={again} />;
  return (
    <main className={styles.page} aria-busy="true">
      <h1 className={styles.title}>{checkoutCopy.status.myAccesses}</h1>
      <div className={styles.list} aria-hidden="true">
        <div className={styles.block} />
        <div className={styles.block} />
      </div>
    </main>
  );
}
