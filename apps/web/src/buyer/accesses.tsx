import type { AccessOnWire } from "@sesame/contract/memberships";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { MyAccesses } from "../features/memberships/my-accesses.tsx";
import { offerFile } from "../lib/offer-file.ts";
import { sayError } from "../lib/request.ts";
import styles from "../kit/buyer.module.css";
import { botLink, type Place, showProduct } from "./page.ts";
import { call, OutsideTelegram } from "./session.ts";
import { openInTelegram } from "./use-bridge.ts";

/** A network may answer for the server: that is no list. */
export type AccessesAnswer = {
  readonly accesses?: readonly AccessOnWire[];
  readonly error?: unknown;
};

type AccessesProps = Omit<Place, "back"> & {
  readonly answer: AccessesAnswer;
  again(): void;
};

export function Accesses({ page, go, answer: { accesses, error }, again }: AccessesProps) {
  if (error instanceof OutsideTelegram) {
    return (
      <NoticePage
        title={checkoutCopy.insideOnlyTitle}
        text={checkoutCopy.insideOnlyText}
        botLink={botLink(page)}
      />
    );
  }
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{checkoutCopy.status.myAccesses}</h1>
      {accesses ? (
        <MyAccesses
          accesses={accesses}
          onJoin={(link) => void openInTelegram(link)}
          onRenew={(reference, renewal) => showProduct(go, reference, renewal)}
          onOrder={(orderId) => go({ at: "order", orderId })}
          onExport={exportMyData}
          onErase={() => call("POST /api/me/delete", { body: { confirm: true } })}
        />
      ) : (
        <div className={styles.empty} role="alert">
          <p>{sayError(error, checkoutCopy.signInFailed)}</p>
          <button type="button" className={styles.action} onClick={again}>
            {checkoutCopy.retry}
          </button>
        </div>
      )}
    </main>
  );
}

async function exportMyData(): Promise<void> {
  const data = await call("GET /api/me/export", { timeoutMs: 20_000 });
  await offerFile("sesame-mes-donnees.json", JSON.stringify(data, null, 2), "application/json");
}
