import type { AnswerOf } from "@sesame/contract/routes";
import { useCallback, useEffect, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { sayError } from "../lib/request.ts";
import styles from "../kit/buyer.module.css";
import type { Place } from "./page.ts";
import { call, OutsideTelegram } from "./session.ts";
import { useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";

const loadAccesses = () => import("../features/memberships/my-accesses.tsx");

/** A network may answer for the server: that is no list. */
type Answer = Partial<AnswerOf<"GET /api/me/access">> & { readonly error?: unknown };

/** The buyer's accesses: the server is asked while the code of the list is fetched. */
export function AccessesView({ page, go, back }: Place) {
  useBridge(back);
  const part = usePart(true, loadAccesses);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const ask = useCallback(() => {
    setAnswer(null);
    call("GET /api/me/access").then(setAnswer, (error: unknown) => setAnswer({ error }));
  }, []);
  useEffect(ask, [ask]);
  const failed = answer !== null && !answer.accesses;
  if (answer?.error instanceof OutsideTelegram) {
    return (
      <NoticePage
        title={checkoutCopy.insideOnlyTitle}
        text={checkoutCopy.insideOnlyText}
        page={page}
      />
    );
  }
  return (
    <main className={styles.page} aria-busy={!failed && !(part && answer)}>
      <h1 className={styles.title}>{checkoutCopy.status.myAccesses}</h1>
      {failed ? (
        <div className={styles.empty} role="alert">
          <p>{sayError(answer.error, checkoutCopy.signInFailed)}</p>
          <button type="button" className={styles.action} onClick={ask}>
            {checkoutCopy.retry}
          </button>
        </div>
      ) : part && answer?.accesses ? (
        <part.MyAccesses {...answer} go={go} />
      ) : (
        <div className={styles.list} aria-hidden="true">
          <div className={styles.block} />
          <div className={styles.block} />
        </div>
      )}
    </main>
  );
}
