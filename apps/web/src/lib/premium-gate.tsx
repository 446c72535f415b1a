import type { Capability } from "@sesame/contract/plans";
import { useState } from "react";
import { useLocation } from "wouter";
import { haptic } from "../telegram/native.ts";
import { Dialog } from "../kit/modal.tsx";
import { premiumGateCopy as copy } from "./messages.fr.ts";
import { RequestError } from "./request.ts";
import { useUser } from "./use-seller.ts";

/** The gate of a premium capability (decisions 11 and 12): explains it, and leads to the plans. */
export function usePremiumGate(capability: Capability) {
  const user = useUser();
  const [, navigate] = useLocation();
  const [shut, setShut] = useState<string | null>(null);
  const allowed = user?.capabilities.includes(capability) ?? false;
  const open = (words: string) => {
    haptic("warning");
    setShut(words);
  };
  return {
    /** From the server's list; the server decides again at each call. */
    allowed,
    /** Runs it, or opens the gate. */
    pass: (run: () => void) => (allowed ? run() : open(copy.text[capability])),
    /** True when the error is the server's own gate: it opens, with the server's message. */
    caught(error: Error) {
      const ours = error instanceof RequestError && error.code === "plans.premium-required";
      if (ours) open(error.message);
      return ours;
    },
    /** The gate while it is open: rendered by the screen. */
    gate:
      shut === null ? null : (
        <Dialog
          title={copy.title}
          onClose={() => setShut(null)}
          actions={[
            {
              label: copy.open,
              run: () => {
                setShut(null);
                navigate("/Plans");
              },
            },
            { label: copy.later, look: "plain", run: () => setShut(null) },
          ]}
        >
          {shut}
        </Dialog>
      ),
  };
}
