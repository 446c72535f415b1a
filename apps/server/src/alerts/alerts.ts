import { type RawBuilder, sql } from "kysely";
import { type Db, one } from "../postgres/database.ts";
import { ALERT_WORDS, type AlertKind } from "./kinds.fr.ts";

type Matter = { readonly subject: string; readonly details: Record<string, unknown> };

type When = {
  readonly now: Date | RawBuilder<Date>;
  /** What happens to an open one: it stays, or gets the current details, or is raised anew, as of now. */
  readonly whenOpen?: "stays" | "updated" | "anew";
};

/** Raises an alert (`functions.sql` here). → whether it is new, or has changed. */
export async function raiseAlert(
  db: Db,
  { kind, ...alert }: { readonly kind: AlertKind } & Matter & When,
): Promise<boolean> {
  return (await raiseAlerts(db, kind, [alert], alert)) > 0;
}

/** Raises alerts of one kind. → how many are new, or have changed. */
export async function raiseAlerts(
  db: Db,
  kind: AlertKind,
  matters: readonly Matter[],
  { now, whenOpen = "stays" }: When,
): Promise<number> {
  if (matters.length === 0) return 0;
  const subjects = matters.map(({ subject }) => subject);
  const details = matters.map((matter) => JSON.stringify(matter.details));
  const once = whenOpen !== "anew" && ALERT_WORDS[kind]?.once === true;
  const { raised } = await one<{ raised: number }>(db)`
    SELECT raise_alerts(${kind}, ${subjects}::text[], ${details}::jsonb[], ${now}, ${whenOpen},
      ${once}) AS raised
  `;
  return raised;
}

/** Resolves open alerts. `by`: the person and the note; without it the system resolves them. */
export async function resolveAlerts(
  db: Db,
  alerts: {
    readonly kinds: readonly AlertKind[];
    readonly subjects: readonly string[] | RawBuilder<string[]>;
    readonly by?: { readonly personId: bigint; readonly resolution: string };
    /** Added to their details, also to those resolved before. */
    readonly noted?: Record<string, unknown>;
    readonly now: Date | RawBuilder<Date>;
  },
): Promise<void> {
  const { kinds, subjects, by, now } = alerts;
  const noted = alerts.noted ? JSON.stringify(alerts.noted) : null;
  // Most successes have no alert: then no function is called.
  await sql`
    SELECT resolve_alerts(${kinds}::text[], array_agg(a.subject), ${now}, ${by?.personId ?? null},
      ${by?.resolution ?? null}, ${noted}::jsonb)
    FROM alerts a
    WHERE a.kind = ANY(${kinds}::text[]) AND a.subject = ANY(${subjects}::text[])
      AND (a.resolved_at IS NULL OR ${noted}::jsonb IS NOT NULL)
    HAVING count(*) > 0
  `.execute(db);
}
