import { useState } from "react";
import { useLocation } from "wouter";
import { paymentPath } from "../../../lib/payment-path.ts";
import { usePremiumGate } from "../../../lib/premium-gate.tsx";
import { sayError } from "../../../lib/request.ts";
import { useUserId } from "../../../lib/session.ts";
import { useSend } from "../../../lib/use-write.ts";
import { haptic } from "../../../telegram/native.ts";
import { openPayment } from "../../../telegram/open-payment.ts";
import { Button } from "../../../kit/button.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { aggregatorsCopy } from "../messages.fr.ts";
import { VERIFIED } from "../own-aggregators.ts";

const copy = aggregatorsCopy.keys;

/** A payment of 100 francs to oneself: it proves that the keys collect (decision 95). */
export function TrialSection({ provider, disabled }: { provider: string; disabled: boolean }) {
  const [, navigate] = useLocation();
  const userId = useUserId();
  const trial = useSend("POST /api/user-aggregators/:userId/:key/trial", {
    params: { userId, key: provider },
    ...VERIFIED,
  });
  const [complaint, setComplaint] = useState<string | null>(null);
  const { pass, caught, gate } = usePremiumGate("own-aggregators");
  const refuse = (words: string) => {
    haptic("error");
    setComplaint(words);
  };
  const begin = () => {
    setComplaint(null);
    trial.mutate(
      {},
      {
        onSuccess: ({ id, payment_url: url, opens }) => {
          if (!url) return refuse(copy.noUrl);
          openPayment(url, opens);
          navigate(paymentPath(id));
        },
        onError: (error) => {
          if (!caught(error)) refuse(sayError(error, aggregatorsCopy.updateFailed));
        },
      },
    );
  };
  return (
    <Stack as="section" gap={4}>
      <Button
        look="tinted"
        icon="wallet"
        busy={trial.isPending}
        disabled={disabled}
        onClick={() => pass(begin)}
      >
        {copy.trial}
      </Button>
      <Text size="small" tone="soft" center>
        {copy.trialText}
      </Text>
      <Text size="small" tone="brick" strong role="alert">
        {complaint}
      </Text>
      {gate}
    </Stack>
  );
}
