import {
  FREQUENCY_NAMES,
  groupPhone,
  isPayoutMethod,
  PAYOUT_METHODS,
  type PayoutSettingsOnWire,
} from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa, keepTogether } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Arch, Card, Grid, Line, Stack, Text } from "../../../kit/layout.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { Skeleton } from "../../../kit/skeleton.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";
import { payoutSettingsQuery } from "../money.ts";
import { SwitchOff } from "./switch-off.tsx";

const copy = withdrawalsCopy.auto;

/** The automatic payout in a few words, and its three actions (B §2). */
export function AutomaticCard({ live }: { live: boolean }) {
  const settings = useQuery(payoutSettingsQuery);
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  if (settings.isPending) return <Skeleton height="104px" radius="14px" />;
  if (!settings.data) return null;
  const { active } = settings.data.retraitAuto;
  const configure = () => navigate("/ConfigurationRetrait");
  return (
    <Card as="section" aria-label={copy.title}>
      <AutomaticState settings={settings.data} />
      <Grid least="7rem">
        {active ? (
          <>
            <Button size="small" look="tinted" onClick={configure}>
              {copy.edit}
            </Button>
            <Button
              size="small"
              look="danger-tinted"
              disabled={!live}
              onClick={() => setAsking(true)}
            >
              {copy.deactivate}
            </Button>
          </>
        ) : (
          <Button size="small" look="tinted" onClick={configure}>
            {copy.activate}
          </Button>
        )}
      </Grid>
      {asking ? <SwitchOff onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

function AutomaticState({ settings }: { settings: PayoutSettingsOnWire }) {
  const { active, modePaiement, numeroTransfert } = settings.retraitAuto;
  const method = isPayoutMethod(modePaiement) ? PAYOUT_METHODS[modePaiement] : null;
  return (
    <Line gap={3} nowrap>
      {active && method ? (
        <OperatorMark operator={method.operator} size={40} />
      ) : (
        <Arch icon="refresh" />
      )}
      <Stack gap={1}>
        <Text as="h2" size="body" strong>
          {copy.title}{" "}
          <Badge tone={active ? "positive" : "neutral"}>{active ? copy.on : copy.off}</Badge>
        </Text>
        {active ? (
          <p>
            {frequencyOf(settings)}
            {method && numeroTransfert ? (
              <>
                <br />
                {method.label} · {keepTogether(groupPhone(numeroTransfert))}
              </>
            ) : null}
          </p>
        ) : (
          <p>{copy.offText}</p>
        )}
        {newsOf(settings).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Stack>
    </Line>
  );
}

function frequencyOf({ frequence, seuil }: PayoutSettingsOnWire): string {
  return frequence === "seuil" && seuil !== null
    ? copy.threshold(formatFcfa(seuil))
    : FREQUENCY_NAMES[frequence];
}

/** When it runs next, why it rests, how it last went. */
function newsOf(settings: PayoutSettingsOnWire): string[] {
  const { repos_jusqua, prochaine_execution, derniere_execution, dernier_resultat } = settings;
  const { active } = settings.retraitAuto;
  const next =
    active && repos_jusqua
      ? copy.resting(sayShortInstant(repos_jusqua))
      : active && prochaine_execution
        ? copy.next(sayShortInstant(prochaine_execution))
        : null;
  const last =
    derniere_execution && dernier_resultat
      ? copy.last(sayShortInstant(derniere_execution), dernier_resultat)
      : null;
  return [next, last].filter((line) => line !== null);
}
