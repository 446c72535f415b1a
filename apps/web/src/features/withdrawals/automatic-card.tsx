import {
  FREQUENCY_NAMES,
  groupPhone,
  isPayoutMethod,
  type LimitsAnswer,
  PAYOUT_METHODS,
  type PayoutSettingsOnWire,
  SWITCH_OFF_BROKE,
  SWITCH_OFF_FAILED,
} from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../lib/format.ts";
import { isRefusal, sayError } from "../../lib/request.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Badge, TintedButton } from "../../kit/button.tsx";
import { NotYet } from "../../kit/screen.tsx";
import { Arch, Card, Grid, Line, Stack, Text } from "../../kit/layout.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { type Act, act, Acts } from "../../kit/use-action.tsx";
import { nextRunOf, payoutSettingsQuery } from "./fields.tsx";
import { configurationCopy, withdrawalsCopy } from "./messages.fr.ts";

const { auto } = withdrawalsCopy;

/** The automatic payout in a few words, and its three actions (B §2). */
export function AutomaticCard({ live, limits }: { live: boolean; limits: LimitsAnswer }) {
  const settings = useQuery(payoutSettingsQuery);
  if (settings.isPending) return <Skeleton height="104px" radius="14px" />;
  if (!settings.data) return <NotYet query={settings} copy={configurationCopy} />;
  const { active, modePaiement, numeroTransfert } = settings.data.retraitAuto;
  const method = isPayoutMethod(modePaiement) ? PAYOUT_METHODS[modePaiement] : null;
  return (
    <Card as="section" aria-label={auto.title}>
      <Line gap={3} nowrap>
        {active && method ? (
          <OperatorMark operator={method.operator} size={40} />
        ) : (
          <Arch icon="refresh" />
        )}
        <Stack gap={1}>
          <Text as="h2" size="body" strong>
            {auto.title}{" "}
            <Badge tone={active ? "positive" : "neutral"}>{active ? auto.on : auto.off}</Badge>
          </Text>
          {active ? (
            <p>
              {frequencyOf(settings.data)}
              {method && numeroTransfert ? (
                <>
                  <br />
                  {method.label} ·{" "}
                  <Text as="span" whole>
                    {groupPhone(numeroTransfert)}
                  </Text>
                </>
              ) : null}
            </p>
          ) : (
            <p>{auto.offText}</p>
          )}
          {newsOf(settings.data, nextRunOf(settings.data, limits)).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Stack>
      </Line>
      <Grid least="7rem">
        <TintedButton size="small" href="/ConfigurationRetrait">
          {active ? auto.edit : auto.activate}
        </TintedButton>
        <Acts of={active && switchOff(live)} size="small" />
      </Grid>
    </Card>
  );
}

function frequencyOf({ frequence, seuil }: PayoutSettingsOnWire): string {
  return frequence === "seuil" && seuil !== null
    ? auto.threshold(formatFcfa(seuil))
    : FREQUENCY_NAMES[frequence];
}

/** The next run, why it is paused, and the last result. */
function newsOf(settings: PayoutSettingsOnWire, runs: string | null): string[] {
  const { repos_jusqua, derniere_execution, dernier_resultat } = settings;
  const { active } = settings.retraitAuto;
  const next = repos_jusqua
    ? auto.resting(sayShortInstant(repos_jusqua))
    : runs && auto.next(sayShortInstant(runs));
  const last =
    derniere_execution &&
    dernier_resultat &&
    auto.last(sayShortInstant(derniere_execution), dernier_resultat);
  return [active && next, last].filter((line): line is string => Boolean(line));
}

/** Switches the automatic payout off after a question: sets retrait_auto to 0 (B §4). */
export function switchOff(live: boolean): Act {
  return act("PUT /api/users/paiement/update", {
    button: auto.deactivate,
    look: "danger-tinted",
    may: { allowed: live, reason: null, shown: true },
    title: auto.askTitle,
    text: auto.askText,
    body: () => ({ retrait_auto: 0 }),
    done: () => auto.switchedOff,
    // B §8: the server's own word, or one of two sentences.
    failed: (error) => (isRefusal(error) ? sayError(error, SWITCH_OFF_FAILED) : SWITCH_OFF_BROKE),
  });
}
