import type { Capability } from "@sesame/contract/plans";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { haptic } from "../telegram/native.ts";
import { Dialog } from "../kit/modal.tsx";
import { premiumGateCopy as copy } from "./messages.fr.ts";
import { RequestError } from "./request.ts";
import { useUser } from "./use-seller.ts";

type PremiumGate = {
  /** From the server's list; the server decides again at each call. */
  readonly allowed: boolean;
  /** Runs it, or opens the gate. */
  pass(run: () => void): void;
  /** True when the error is the server's own gate: it opens, with the server's message. */
  caught(error: Error): boolean;
  /** The gate while it is open: rendered by the screen. */
  readonly gate: ReactNode;
};

/** The gate of a premium capability (decisions 11 and 12): explains it, and leads to the plans. */
export function usePremiumGate(capability: Capability): PremiumGate {
  const user = useUser();
  const [shut, setShut] = useState<string | null>(null);
  const allowed = user?.capabilities.includes(capability) ?? false;
  const open = (words: string) => {
    haptic("warning");
    setShut(words);
  };
  return {
    allowed,
    pass: (run) => (allowed ? run() : open(copy.text[capability])),
    caught(error) {
      const ours = error instanceof RequestError && error.code === "plans.premium-required";
      if (ours) open(error.message);
      return ours;
    },
    gate: shut === null ? null : <GateDialog words={shut} onClose={() => setShut(null)} />,
  };
}

function GateDialog({ words, onClose }: { words: string; onClose(): void }) {
  const [, navigate] = useLocation();
  return (
    <Dialog
      title={copy.title}
      onClose={onClose}
      actions={[
        {
          label: copy.open,
          run: () => {
            onClose();
            navigate("/Plans");
          },
        },
        { label: copy.later, look: "plain", run: onClose },
      ]}
    >
      {words}
    </Dialog>
  );
}
