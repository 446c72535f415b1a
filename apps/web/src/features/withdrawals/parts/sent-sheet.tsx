import {
  groupPhone,
  type LimitsAnswer,
  sayInstant,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa, keepTogether } from "../../../lib/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Arch, Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";

const copy = withdrawalsCopy.sent;
const HISTORY = "/HistoriqueRetraits";

/** B §9: read for two seconds, unless a touch says that it is being read. */
const SHOWN_MS = 2_000;

/** The request was taken; its history follows it from there. */
export function SentSheet(props: {
  demande: WithdrawalOnWire;
  limits: LimitsAnswer;
  onClose(): void;
}) {
  const { demande, limits } = props;
  const [, navigate] = useLocation();
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    if (touched) return;
    const timer = setTimeout(() => navigate(HISTORY), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [touched, navigate]);
  const stay = () => setTouched(true);
  return (
    <Sheet title={copy.title} onClose={props.onClose}>
      <Stack center onPointerDown={stay} onKeyDown={stay}>
        <Arch icon="check" large />
        <Text size="heading" role="status">
          {copy.text(
            formatFcfa(demande.montant),
            keepTogether(groupPhone(demande.numero_transfert)),
          )}
        </Text>
        <Text size="small" tone="soft">
          {copy.delay(sayInstant(new Date(demande.date_limite), limits.fuseau))}
          <br />
          {copy.reference} {demande.reference_transaction}
        </Text>
        <Button onClick={() => navigate(HISTORY)}>{copy.history}</Button>
        <Button look="plain" onClick={props.onClose}>
          {withdrawalsCopy.close}
        </Button>
      </Stack>
    </Sheet>
  );
}
