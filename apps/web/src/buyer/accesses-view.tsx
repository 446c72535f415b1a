import type { AnswerOf } from "@sesame/contract/routes";
import { useCallback, useEffect, useState } from "react";
import { type AccessesState, MyAccesses } from "../features/memberships/my-accesses.tsx";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { offerFile } from "../lib/offer-file.ts";
import { sayError } from "../lib/request.ts";
import { openProduct } from "./page.ts";
import { type BuyerPage, type BuyerView, botLink } from "./page.ts";
import { useBack } from "./use-bridge.ts";
import { openInTelegram, useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";
import { call, OutsideTelegram } from "./session.ts";

export type AccessesViewProps = {
  readonly page: BuyerPage;
  readonly back: (() => void) | null;
  go(view: BuyerView): void;
};

const loadData = () => import("../features/memberships/my-data.tsx");

export function AccessesView({ page, go, back }: AccessesViewProps) {
  const bridge = useBridge();
  useBack(bridge, back);
  const [state, setState] = useState<AccessesState | { at: "outside" }>({ at: "loading" });
  const load = useCallback(() => {
    call("GET /api/me/access").then(
      (answer) =>
        setState({ at: "list", accesses: (answer as AnswerOf<"GET /api/me/access">).accesses }),
      (error: unknown) => setState(afterFailure(error)),
    );
  }, []);
  useEffect(load, [load]);
  const data = usePart(state.at === "list", loadData);
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
    <MyAccesses
      below={
        data && state.at === "list" ? (
          <data.MyData onExport={exportMyData} onErase={eraseMyData} />
        ) : null
      }
      state={state}
      onJoin={(link) => void openInTelegram(link)}
      onRenew={openProduct}
      onOrder={(orderId) => go({ at: "order", orderId })}
      onRetry={() => {
        setState({ at: "loading" });
        load();
      }}
    />
  );
}

async function exportMyData(): Promise<void> {
  const data = await call("GET /api/me/export", { timeoutMs: 20_000 });
  await offerFile("sesame-mes-donnees.json", JSON.stringify(data, null, 2), "application/json");
}

function eraseMyData() {
  return call("POST /api/me/delete", { body: { confirm: true } });
}

function afterFailure(error: unknown): AccessesState | { at: "outside" } {
  if (error instanceof OutsideTelegram) return { at: "outside" };
  return { at: "error", message: sayError(error, checkoutCopy.signInFailed) };
}
