import type { AccessOnWire } from "@sesame/contract/memberships";
import { useCallback, useEffect, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { offerFile } from "../lib/offer-file.ts";
import { sayError } from "../lib/request.ts";
import styles from "../kit/buyer.module.css";
import { botLink, openProduct, type Place } from "./page.ts";
import { openInTelegram, useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";
import { call, OutsideTelegram } from "./session.ts";

const loadAccesses = () => import("../features/memberships/my-accesses.tsx");

type State =
  | { readonly at: "loading" | "outside" }
  | { readonly at: "error"; readonly message: string }
  | { readonly at: "list"; readonly accesses: readonly AccessOnWire[] };

export function AccessesView({ page, go, back }: Place) {
  useBridge(back);
  const [state, setState] = useState<State>({ at: "loading" });
  const load = useCallback(() => {
    call("GET /api/me/access").then(
      // A network may answer for the server: that is no list.
      ({ accesses }) => setState(accesses ? { at: "list", accesses } : afterFailure(null)),
      (error: unknown) => setState(afterFailure(error)),
    );
  }, []);
  useEffect(load, [load]);
  const part = usePart(state.at !== "outside", loadAccesses);
  const list = part && state.at === "list" ? { part, accesses: state.accesses } : null;
  if (state.at === "outside") {
    return (
      <NoticePage
        title={checkoutCopy.insideOnlyTitle}
        text={checkoutCopy.insideOnlyText}
        botLink={botLink(page)}
      />
    );
  }
  return (
    <main className={styles.page} aria-busy={state.at !== "error" && !list}>
      <h1 className={styles.title}>{checkoutCopy.status.myAccesses}</h1>
      {state.at === "error" ? (
        <div className={styles.empty} role="alert">
          <p>{state.message}</p>
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              setState({ at: "loading" });
              load();
            }}
          >
            {checkoutCopy.retry}
          </button>
        </div>
      ) : list ? (
        <list.part.MyAccesses
          accesses={list.accesses}
          onJoin={(link) => void openInTelegram(link)}
          onRenew={openProduct}
          onOrder={(orderId) => go({ at: "order", orderId })}
          onExport={exportMyData}
          onErase={eraseMyData}
        />
      ) : (
        <div className={styles.list} aria-hidden="true">
          <div className={styles.block} />
          <div className={styles.block} />
        </div>
      )}
    </main>
  );
}

async function exportMyData(): Promise<void> {
  const data = await call("GET /api/me/export", { timeoutMs: 20_000 });
  await offerFile("sesame-mes-donnees.json", JSON.stringify(data, null, 2), "application/json");
}

function eraseMyData() {
  return call("POST /api/me/delete", { body: { confirm: true } });
}

function afterFailure(error: unknown): State {
  if (error instanceof OutsideTelegram) return { at: "outside" };
  return { at: "error", message: sayError(error, checkoutCopy.signInFailed) };
}
