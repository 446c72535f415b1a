import type { UserOnWire } from "@sesame/contract/identity";
import { landingOf } from "@sesame/contract/onboarding";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";

const DONE = "sesame.landed";

function isDone(): boolean {
  try {
    return sessionStorage.getItem(DONE) !== null;
  } catch {
    return false;
  }
}

function setDone(): void {
  try {
    sessionStorage.setItem(DONE, "1");
  } catch {
    // Storage refused: the rules apply again after a reload.
  }
}

/**
 * A §2 "Redirect on first load", once per session. `settled`: the server has spoken, or will
 * not, so that nobody is sent through the stories by an old cache. True once decided.
 */
export function useFirstLanding(options: {
  user: UserOnWire | undefined;
  settled: boolean;
  finishOnboarding(): void;
}): boolean {
  const { user, settled, finishOnboarding } = options;
  const [path, navigate] = useLocation();
  const [decided, setDecided] = useState(isDone);
  useEffect(() => {
    if (decided || !user || !(settled || user.plan)) return;
    const landing = landingOf(user, path);
    setDone();
    setDecided(true);
    if (landing.finishOnboarding) finishOnboarding();
    if (landing.path) navigate(landing.path, { replace: true });
  }, [decided, user, settled, path, navigate, finishOnboarding]);
  return decided;
}
