import { useCallback, useEffect, useState } from "react";
import { type AccessesState, MyAccesses } from "../features/access/my-accesses.tsx";
import { readMyAccesses } from "../features/access/queries.ts";
import { checkoutCopy } from "../features/checkout/copy.fr.ts";
import { RequestError } from "../lib/request.ts";
import type { BuyerPage } from "./page.ts";
import { useBack } from "./use-back.ts";
import { openInTelegram, useBridge } from "./use-bridge.ts";
import { withToken } from "./with-token.ts";

export type AccessesViewProps = {
  readonly page: BuyerPage;
  readonly back: (() => void) | null;
};

export function AccessesView({ back }: AccessesViewProps) {
  const bridge = useBridge();
  useBack(bridge, back);
  const [state, setState] = useState<AccessesState>({ at: "loading" });
  const load = useCallback(() => {
    withToken(readMyAccesses).then(
      (accesses) => setState({ at: "list", accesses }),
      (error: unknown) =>
        setState({
          at: "error",
          message: error instanceof RequestError ? error.message : checkoutCopy.signInFailed,
        }),
    );
  }, []);
  useEffect(load, [load]);
  return (
    <MyAccesses
      state={state}
      onJoin={(link) => openInTelegram(bridge, link)}
      onRenew={(reference) => openProduct(reference)}
      onRetry={() => {
        setState({ at: "loading" });
        load();
      }}
    />
  );
}

/** The product's page is server-rendered: a plain navigation, keeping Telegram's fragment. */
function openProduct(reference: string): void {
  const query = new URLSearchParams({ tgWebAppStartParam: reference });
  window.location.assign(`/?${query}${window.location.hash}`);
}
