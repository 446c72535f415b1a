import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import type { AdvancedOnWire, StatisticsPeriod } from "@sesame/contract/reports";
import { useMutation } from "@tanstack/react-query";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { offerFile } from "../../../lib/offer-file.ts";
import { usePremiumGate } from "../../../lib/premium-gate.tsx";
import { RequestError } from "../../../lib/request.ts";
import { getSession } from "../../../lib/session.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Points, Stack } from "../../../kit/layout.tsx";
import { Section } from "../../../kit/section.tsx";
import { toast } from "../../../kit/toast.tsx";
import { advancedCopy as copy, statisticsCopy } from "../messages.fr.ts";
import styles from "../statistics.module.css";
import { Cohorts } from "./cohorts.tsx";
import { Change, Figure } from "./figures.tsx";

type Props = { readonly advanced: AdvancedOnWire | null; readonly period: StatisticsPeriod };

/** What premium adds (decision 74); on the free plan, what it would, without a made-up figure. */
export function Advanced({ advanced, period }: Props) {
  const { pass, gate } = usePremiumGate("advanced-statistics");
  return (
    <>
      {advanced ? (
        <AdvancedFigures advanced={advanced} period={period} />
      ) : (
        <Section title={copy.title} action={<Badge tone="accent">{copy.badge}</Badge>}>
          <Stack gap={4} pad>
            <p>{copy.teaser}</p>
            <Points points={copy.teaserList} />
            <Button look="tinted" icon="star" onClick={() => pass(() => undefined)}>
              {copy.open}
            </Button>
          </Stack>
        </Section>
      )}
      {gate}
    </>
  );
}

function AdvancedFigures({
  advanced,
  period,
}: { advanced: AdvancedOnWire } & Pick<Props, "period">) {
  const { mrr, taux_renouvellement: renewal, taux_attrition: churn } = advanced;
  const sayRate = (rate: number | null) =>
    rate === null ? copy.notYet : statisticsCopy.percent(formatNumber(rate));
  return (
    <>
      <Section title={copy.title}>
        <div className={styles.wide}>
          <Figure
            name={copy.mrr}
            value={formatFcfa(mrr.valeur)}
            change={<Change figure={mrr} period={period} />}
            note={copy.mrrNote(advanced.abonnes)}
          />
        </div>
        <div className={styles.pair}>
          <Figure
            name={copy.renewals}
            value={sayRate(renewal)}
            note={
              renewal === null
                ? copy.nothingEnded
                : copy.renewalsNote(advanced.renouveles, advanced.echeances)
            }
          />
          <Figure
            name={copy.churn}
            value={sayRate(churn)}
            note={copy.churnNote(advanced.perdus, advanced.servis)}
          />
        </div>
      </Section>
      <Cohorts cohorts={advanced.cohortes} />
      <Export period={period} />
    </>
  );
}

function Export({ period }: Pick<Props, "period">) {
  const exported = useMutation({
    mutationFn: async () => offerFile(copy.file(period), await readExport(period)),
    onError: (error) => toast(error.message, "bad"),
  });
  return (
    <Button
      look="tinted"
      icon="document"
      busy={exported.isPending}
      onClick={() => exported.mutate()}
    >
      {copy.export}
    </Button>
  );
}

/** The period as the server writes it: asked with the token, which an address must not carry. */
async function readExport(period: StatisticsPeriod): Promise<string> {
  const session = getSession();
  const failed = (status: number) =>
    new RequestError(copy.exportFailed, { status, code: "export" });
  if (session.at !== "live") throw failed(0);
  const answer = await fetch(`/api/statistics/export?periode=${period}`, {
    headers: { authorization: `Bearer ${session.token}` },
  }).catch(() => {
    throw failed(0);
  });
  if (!answer.ok) throw failed(answer.status);
  const text = await answer.text();
  // Reading as text drops the mark by which spreadsheets know UTF-8.
  return text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text;
}
