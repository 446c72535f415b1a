import { useEffect, useState } from "react";
import { expectTokenSource, setTokenSource } from "../../lib/api.ts";
import { ask, isProofRefused, RequestError, shareOne } from "../../lib/request.ts";
import { readLaunch } from "../../telegram/launch.ts";

/** The state of the sign-in to the back office. */
export type StaffGateState =
  | { readonly at: "loading" }
  | { readonly at: "outside" }
  | { readonly at: "failed"; readonly message: string }
  /** Signed in, and neither agent nor operator. */
  | { readonly at: "stranger"; readonly telegramId: number }
  | { readonly at: "ready" };

let token: string | null = null;

export function staffToken(): string | null {
  return token;
}

/**
 * Signs in as buyers do: an agent is no seller, and no seller account is created. The token lives in memory
 * alone; a reload signs in again with the same init data.
 */
async function enter(setGate: (gate: StaffGateState) => void): Promise<void> {
  const initData = readLaunch()?.initData;
  if (!initData) return setGate({ at: "outside" });
  const signIn = shareOne(async () => {
    const answer = await ask("POST /api/auth/acheteur", {
      headers: { "x-telegram-init-data": initData },
      body: {},
    });
    token = answer.token;
    return answer;
  });
  setTokenSource({
    current: staffToken,
    renew: () =>
      signIn().then(
        (answer) => answer.token,
        (error: unknown) => {
          if (isProofRefused(error)) setGate({ at: "failed", message: error.message });
          return null;
        },
      ),
  });
  try {
    const { user } = await signIn();
    const known = user.agent || user.operator;
    setGate(known ? { at: "ready" } : { at: "stranger", telegramId: user.telegram_id });
  } catch (error) {
    setGate({ at: "failed", message: error instanceof RequestError ? error.message : "" });
  }
}

export function useStaffSession(): { readonly gate: StaffGateState; retry(): void } {
  const [gate, setGate] = useState<StaffGateState>(firstState);
  useEffect(() => void enter(setGate), []);
  const retry = () => {
    setGate({ at: "loading" });
    void enter(setGate);
  };
  return { gate, retry };
}

function firstState(): StaffGateState {
  expectTokenSource();
  return readLaunch() ? { at: "loading" } : { at: "outside" };
}
