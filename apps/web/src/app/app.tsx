import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { OfflineBanner, Splash, SplashError } from "../features/identity/splash.tsx";
import { type BootControl, useBoot } from "../features/identity/use-boot.ts";
import { useFinishOnboarding, Welcome } from "../features/identity/welcome.tsx";
import { later } from "../lib/later.ts";
import { createQueryClient } from "../lib/read.ts";
import { whenIdle } from "../lib/realtime.ts";
import { useSession } from "../lib/session.ts";
import { useUser } from "../lib/use-seller.ts";
import { registerWorker } from "../lib/worker.ts";
import { isInsideTelegram, startNative } from "../telegram/native.ts";
import { Icon } from "../kit/icons.tsx";
import { ToastPlace } from "../kit/toast.tsx";
import styles from "./app.module.css";
import { appCopy as copy } from "./messages.fr.ts";
import { CrashBoundary, ScreenBoundary } from "./crash-boundary.tsx";
import { Ground } from "./ground.tsx";
import { backFrom, hidesTabBar, isMainRoute, landingOf } from "./navigation.ts";
import { useTakePicture } from "./picture/take-picture.ts";
import { Routes } from "./routes.tsx";
import { TabBar } from "./tab-bar.tsx";
import { keep, readKept } from "../lib/storage.ts";
import { useNavigation } from "./use-navigation.ts";
import { useRealtime } from "./use-realtime.ts";
import type { UserOnWire } from "@sesame/contract/identity";

const DONE = "sesame.landed";

/**
 * A §2 "Redirect on first load", once per session. `settled`: the server has answered, or will not, so that
 * an old cache sends nobody through the stories. → true once decided.
 */
function useFirstLanding(user: UserOnWire | undefined, settled: boolean): boolean {
  const finishOnboarding = useFinishOnboarding();
  const [path, navigate] = useLocation();
  const [decided, setDecided] = useState(() => readKept("session", DONE) !== null);
  useEffect(() => {
    if (decided || !user || !(settled || user.plan)) return;
    const landing = landingOf(user, path);
    // Where storage is refused, the rules apply again after a reload.
    keep("session", DONE, true);
    setDecided(true);
    if (landing.finishOnboarding) finishOnboarding();
    if (landing.path) navigate(landing.path, { replace: true });
  }, [decided, user, settled, path, navigate, finishOnboarding]);
  return decided;
}

const loadOutside = () => import("../features/identity/telegram-required.tsx");
const TelegramRequired = later(loadOutside, "TelegramRequired");
const SignedOut = later(loadOutside, "SignedOut");

export function App() {
  const [client] = useState(createQueryClient);
  const control = useBoot(client);
  useEffect(startNative, []);
  return (
    <CrashBoundary>
      <QueryClientProvider client={client}>
        <Gate control={control} />
        <ToastPlace />
      </QueryClientProvider>
    </CrashBoundary>
  );
}

function Gate({ control }: { control: BootControl }) {
  const { boot } = control;
  useTakePicture(boot.at);
  switch (boot.at) {
    case "loading":
      return <Splash />;
    case "failed":
      return <SplashError message={boot.message} />;
    case "checking":
    case "entering":
    case "outside":
      return (
        <Suspense fallback={<Splash />}>
          <TelegramRequired state={boot.at} onEnter={control.retry} />
        </Suspense>
      );
    case "signed-out":
      return (
        <Suspense fallback={<Splash />}>
          <SignedOut />
        </Suspense>
      );
    case "ready":
      return <Frame control={control} />;
  }
}

const NAVIGATION = { key: "sesame.history", isMain: isMainRoute, backFrom };

function Frame({ control }: { control: BootControl }) {
  const [path] = useLocation();
  const user = useUser();
  const settled = useSession().at !== "cached";
  const landed = useFirstLanding(user, settled);
  const back = useNavigation(NAVIGATION);
  useRealtime();
  // After the server's answer: on a slow network the answer comes before any file for later.
  useEffect(() => (settled ? whenIdle(registerWorker) : undefined), [settled]);
  // A newcomer sees the welcome while the rules decide; a seller who has a plan sees home at once.
  if (!landed && !user?.plan) return <Welcome />;
  const full = hidesTabBar(path);
  return (
    <>
      <Ground full={full} over={<OfflineBanner onRetry={control.retry} />}>
        {/* Outside Telegram there is no native back button. */}
        {isInsideTelegram() || isMainRoute(path) ? null : (
          <div className={styles.backPlace}>
            <button type="button" className={styles.back} onClick={back}>
              <Icon name="back" size={20} />
              {copy.back}
            </button>
          </div>
        )}
        <ScreenBoundary key={path}>
          <Routes onLogout={control.logout} />
        </ScreenBoundary>
      </Ground>
      <TabBar />
    </>
  );
}
