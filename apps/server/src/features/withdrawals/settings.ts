import { sayInstant } from "@sesame/contract";
import * as contract from "@sesame/contract/withdrawals";
import type { InstanceSettings } from "@sesame/contract/back-office";
import type { Plan } from "@sesame/contract/plans";
import {
  addDays,
  addMs,
  assert,
  type Day,
  DAY_MS,
  type Fcfa,
  fromLocalMs,
  HOUR_MS,
  midnightOf,
  ok,
  refuse,
  type Result,
  startOfDay,
  toLocalMs,
  weekdayOf,
} from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../app.ts";
import { auditSeller } from "../../audit/audit.store.ts";
import { notify } from "../../bot/message.ts";
import { changeSeller } from "../../people/people.ts";
import { type Db, finds, one } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";
import { sellerOfTelegram } from "../groups/index.ts";
import * as messages from "./messages.fr.ts";
import { sayStanding, sellerFacts, standingOf, withLockedSeller } from "./request.ts";
import type { UpdateHandler } from "../../bot/update-loop.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { raiseAlert } from "../../alerts/alerts.ts";

/** B §3's fields of the seller's profile: two forms of the same switch (decision 69). */
const FIELDS = sql`coalesce(p.automatic, false)::int AS retrait_auto,
  json_build_object('active', coalesce(p.automatic, false), 'modePaiement', p.method,
    'numeroTransfert', p.phone) AS "retraitAuto",
  coalesce(p.method, last.method) AS payment_method,
  coalesce(p.phone, last.phone) AS transfer_number`;

/** The saved settings; by default those of the newest request. */
const ofSeller = (seller: RawBuilder<unknown>) => sql`
  FROM sellers s
  LEFT JOIN payout_profiles p ON p.seller_id = s.id
  LEFT JOIN LATERAL (
    SELECT w.method, w.phone FROM withdrawals w
    WHERE w.seller_id = s.id ORDER BY w.id DESC LIMIT 1
  ) AS last ON p.method IS NULL
  WHERE s.id = ${seller}
`;

const fieldsSelect = (seller: RawBuilder<unknown>) =>
  sql<contract.PayoutFieldsOnWire>`SELECT ${FIELDS} ${ofSeller(seller)}`;

export async function payoutFieldsOf(db: Db, sellerId: bigint) {
  const [fields] = (await fieldsSelect(sql`${sellerId}`).execute(db)).rows;
  assert(fields, `no seller ${sellerId}`);
  return fields;
}

export const payoutFieldsAtStart: SellerPart<contract.PayoutFieldsOnWire> = (seller) =>
  mapPart(rowsPart(fieldsSelect(seller), {}), ([fields]) => {
    assert(fields, "a seller who signed in exists");
    return fields;
  });

/** The saved settings, or the initial ones. */
export type Profile = {
  readonly method: contract.PayoutMethodId | null;
  readonly phone: string | null;
  readonly number_given_at: Date | null;
  readonly number_changed_at: Date | null;
  readonly automatic: boolean;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  readonly next_run_at: Date | null;
  readonly last_run_at: Date | null;
  readonly last_outcome: messages.LastOutcome | null;
  readonly failures_in_row: number;
};

export const profileOf = (db: Db, sellerId: bigint) => one<Profile & contract.PayoutFieldsOnWire>(
  db,
)`
  SELECT ${FIELDS}, p.method, p.phone, p.number_given_at, p.number_changed_at,
    coalesce(p.automatic, false) AS automatic, coalesce(p.frequency, 'weekly') AS frequency,
    p.threshold, p.next_run_at, p.last_run_at, p.last_outcome,
    coalesce(p.failures_in_row, 0) AS failures_in_row
  ${ofSeller(sql`${sellerId}`)}
`;

export async function payoutSettingsOf(app: App, sellerId: bigint) {
  const [{ withdrawals }, profile, facts] = await Promise.all([
    app.settings.current(),
    profileOf(app.db, sellerId),
    sellerFacts(app.db, sellerId),
  ]);
  const { plan } = facts;
  return {
    ...profile,
    whatsapp_number: facts.whatsapp_number,
    frequence: FREQUENCY_ON_WIRE[frequencyFor(plan, profile.frequency)],
    frequences: FREQUENCIES_OF[plan].map((frequency) => FREQUENCY_ON_WIRE[frequency]),
    seuil: profile.threshold,
    seuil_min: withdrawals.min,
    seuil_max: withdrawals.max_premium,
    prochaine_execution: profile.next_run_at,
    derniere_execution: profile.last_run_at,
    dernier_resultat: messages.sayOutcome(profile.last_outcome),
    echecs: profile.failures_in_row,
    repos_jusqua: restsUntil(profile.number_given_at, app.clock.now()),
    bloque: sayStanding(standingOf(facts, app.config.timeZone)),
  };
}

type SettingsBefore = {
  readonly plan: Plan;
  readonly standing: contract.StandingRefusal | null;
  readonly profile: Profile;
};

/** The new settings. */
type SettingsChange = Pick<
  Profile,
  "automatic" | "method" | "phone" | "frequency" | "threshold"
> & {
  /** Null: unchanged. */
  readonly whatsapp: string | null;
};

type Checked<T> = Result<T, contract.WithdrawalsRefusal>;
type Terms = Pick<InstanceSettings, "methods" | "withdrawals">;

/** B §5 and §7; absent fields stay as they are. Switching off is never refused. */
function checkSettings(body: contract.PayoutSettingsBody, before: SettingsBefore, terms: Terms) {
  const asked = body.retrait_auto === undefined ? undefined : contract.readFlag(body.retrait_auto);
  if (asked === null) return refuse({ kind: "withdrawals.automatic-flag-invalid" });
  const checked = checkFields(body, before, { ...terms, required: asked === true });
  const { profile } = before;
  if (asked !== false) {
    return checked.ok ? ok({ ...checked.value, automatic: asked ?? profile.automatic }) : checked;
  }
  const { method, phone, frequency, threshold } = profile;
  const kept = { method, phone, frequency, threshold, whatsapp: null };
  return ok({ ...(checked.ok ? checked.value : kept), automatic: false });
}

const WHATSAPP_DIGITS_MAX = 18;

/** In the order of their refusals. */
function checkFields(
  body: contract.PayoutSettingsBody,
  { plan, profile, standing }: SettingsBefore,
  { methods, withdrawals, required }: Terms & { required: boolean },
): Checked<Omit<SettingsChange, "automatic">> {
  const named = body.transfer_number !== undefined;
  const written = named ? contract.readNumber(body.transfer_number) : profile.phone;
  if (written === null && (named || required)) {
    return refuse({ kind: "withdrawals.automatic-phone-invalid" });
  }
  let whatsapp: string | null = null;
  const { whatsapp_number: number = null } = body;
  if (number !== null && number !== "") {
    // In the profile's form (identity): digits, and the plus if written.
    const raw = contract.readNumber(number) ?? "";
    const digits = raw.replace(/\D/g, "");
    const { length } = digits;
    if (length < contract.NUMBER_CHARACTERS_MIN || length > WHATSAPP_DIGITS_MAX) {
      return refuse({ kind: "withdrawals.whatsapp-invalid" });
    }
    whatsapp = raw.startsWith("+") ? `+${digits}` : digits;
  }
  let { method } = profile;
  if (body.payment_method !== undefined) {
    const chosen = contract.checkMethod(body.payment_method, methods);
    if (!chosen.ok) return chosen;
    method = chosen.value;
  }
  let phone: string | null = null;
  if (written !== null) {
    method ??= contract.DEFAULT_PAYOUT_METHOD;
    const normal = contract.normalisePhone(written, method);
    if (!normal.ok) return normal;
    phone = normal.value;
  }
  let frequency: Frequency | undefined = frequencyFor(plan, profile.frequency);
  const { frequence = null } = body;
  if (frequence !== null) {
    frequency = FREQUENCIES_OF.premium.find((each) => FREQUENCY_ON_WIRE[each] === frequence);
    if (frequency === undefined) return refuse({ kind: "withdrawals.frequency-unknown" });
    if (!FREQUENCIES_OF[plan].includes(frequency)) {
      return refuse({ kind: "withdrawals.frequency-premium" });
    }
  }
  let threshold: Fcfa | null = null;
  if (frequency === "threshold") {
    threshold = body.seuil === undefined ? profile.threshold : contract.readAmount(body.seuil);
    const { min, max_premium: max } = withdrawals;
    if (threshold === null || threshold < min || threshold > max) {
      return refuse({ kind: "withdrawals.threshold-invalid", min, max });
    }
  }
  if (standing !== null) return refuse(standing);
  return ok({ method, phone, frequency, threshold, whatsapp });
}

/** The data of the button under the message of a new number. */
const FREEZE_CALLBACK = "payout:freeze";

/** Saves the number for payouts, and the automatic schedule (decisions 69 to 71). */
export async function configurePayouts(
  app: App,
  sellerId: bigint,
  body: contract.PayoutSettingsBody,
): Promise<Result<{ automatic: boolean }, contract.WithdrawalsRefusal>> {
  return withLockedSeller(app, sellerId, async ({ tx, settings, facts, limits, now }) => {
    const profile = await profileOf(tx, sellerId);
    const { standing } = limits;
    const checked = checkSettings(body, { plan: facts.plan, standing, profile }, settings);
    if (!checked.ok) return checked;
    const { whatsapp } = checked.value;
    if (whatsapp !== null && whatsapp !== facts.whatsapp_number) {
      await changeSeller(tx, sellerId, { whatsapp_number: whatsapp }, now);
    }
    await save(app, tx, { sellerId, profile, change: checked.value, now });
    return ok({ automatic: checked.value.automatic });
  });
}

async function save(
  app: App,
  tx: Db,
  saved: { sellerId: bigint; profile: Profile; change: SettingsChange; now: Date },
): Promise<void> {
  const { sellerId, profile, change, now } = saved;
  const { timeZone: zone } = app.config;
  const { automatic, method, phone, frequency, threshold } = change;
  // The very first number waits too (decision 116), although it replaces none.
  const isGiven = phone !== null && profile.phone !== phone;
  const isNewNumber = isGiven && profile.phone !== null;
  const numberGivenAt = isGiven ? now : profile.number_given_at;
  const numberChangedAt = isNewNumber ? now : profile.number_changed_at;
  const isKept = profile.automatic && profile.frequency === frequency && !isGiven;
  const from = restsUntil(numberGivenAt, now) ?? now;
  const planned = isKept ? profile.next_run_at : nextRunAfter(from, frequency, zone);
  const nextRunAt = automatic ? planned : null;
  // Switched on again after two failures: the count restarts.
  const failures = profile.automatic ? profile.failures_in_row : 0;
  await sql`
    INSERT INTO payout_profiles AS p (seller_id, method, phone, number_given_at, number_changed_at,
      automatic, frequency, threshold, next_run_at, failures_in_row, updated_at)
    VALUES (${sellerId}, ${method}, ${phone}, ${numberGivenAt}, ${numberChangedAt}, ${automatic},
      ${frequency}, ${threshold}, ${nextRunAt}, ${failures}, ${now})
    ON CONFLICT (seller_id) DO UPDATE SET method = excluded.method, phone = excluded.phone,
      number_given_at = excluded.number_given_at,
      number_changed_at = excluded.number_changed_at, automatic = excluded.automatic,
      frequency = excluded.frequency, threshold = excluded.threshold,
      next_run_at = excluded.next_run_at, failures_in_row = excluded.failures_in_row,
      updated_at = excluded.updated_at
  `.execute(tx);
  const isSwitchedOn = automatic && !profile.automatic;
  if (isGiven || isSwitchedOn) {
    // The message about a first number with automatic payouts includes its first run.
    const isNumber = isNewNumber || !isSwitchedOn;
    const until = isNumber ? addMs(now, contract.COOLING_OFF_MS) : nextRunAt;
    assert(method !== null && phone !== null && until !== null, "what is said has its number");
    const day = sayInstant(until, zone);
    const text = isNumber
      ? messages.numberGiven({ method, phone, automatic, isFirst: !isNewNumber }, day)
      : messages.automaticSwitchedOn({ method, phone }, day);
    const buttons = [{ text: messages.BUTTONS.notMe, callback: FREEZE_CALLBACK }];
    await notify(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  }
  const before = auditedOf(profile);
  const after = auditedOf(change);
  const same = JSON.stringify(before) === JSON.stringify(after);
  if (same && !isNewNumber) return;
  const actor = { personId: sellerId, role: "seller" } as const;
  await auditSeller(tx, sellerId, { actor, action: "payouts.configure", before, after }, now);
}

/** Until when a number given or changed at this instant waits; null: it waits no more. */
export function restsUntil(givenAt: Date | null, now: Date): Date | null {
  if (givenAt === null) return null;
  const until = addMs(givenAt, contract.COOLING_OFF_MS);
  return until > now ? until : null;
}

/** The number masked: it may be erased later, the log never (decision 101). */
function auditedOf({ phone, threshold, ...settings }: Omit<SettingsChange, "whatsapp">) {
  const { automatic, method, frequency } = settings;
  const masked = phone && contract.maskPhone(phone);
  return { automatic, method, phone: masked, frequency, threshold: threshold?.toString() ?? null };
}

type Freeze = {
  readonly by: "seller" | "operator";
  /** For the seller and the back office. */
  readonly reason: string;
  readonly reviewAt: Date | null;
};

/**
 * Stops requesting, approving and sending payouts until an operator ends it, automatic ones included.
 * The seller is locked. False if payouts were frozen already: the first freeze keeps its reason.
 */
export const freezePayouts = (
  tx: Db,
  sellerId: bigint,
  { by, reason, reviewAt }: Freeze,
  now: Date,
) => finds(tx)`
  INSERT INTO payout_profiles AS p
    (seller_id, frozen_at, frozen_by, frozen_reason, frozen_review_at, updated_at)
  VALUES (${sellerId}, ${now}, ${by}, ${reason}, ${reviewAt}, ${now})
  ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at,
    frozen_by = excluded.frozen_by, frozen_reason = excluded.frozen_reason,
    frozen_review_at = excluded.frozen_review_at, automatic = false, next_run_at = NULL,
    updated_at = excluded.updated_at
  WHERE p.frozen_at IS NULL
  RETURNING 1
`;

/** Ends a freeze, whoever made it. */
export const unfreezePayouts = (tx: Db, sellerId: bigint, now: Date) =>
  sql`
    UPDATE payout_profiles SET frozen_at = NULL, frozen_by = NULL, frozen_reason = NULL,
      frozen_review_at = NULL, updated_at = ${now}
    WHERE seller_id = ${sellerId}
  `.execute(tx);

export const switchOffAutomatic = (tx: Db, sellerId: bigint, now: Date) =>
  sql`
    UPDATE payout_profiles SET automatic = false, next_run_at = NULL, updated_at = ${now}
    WHERE seller_id = ${sellerId} AND automatic
  `.execute(tx);

/** Deletes the number for payouts: none of an erased person is kept. */
export const erasePayoutSettings = (tx: Db, id: bigint, now: Date) =>
  sql`
    UPDATE payout_profiles SET method = NULL, phone = NULL, number_given_at = NULL,
      number_changed_at = NULL, automatic = false, next_run_at = NULL, updated_at = ${now}
    WHERE seller_id = ${id}
  `.execute(tx);

/** How often an automatic payout runs (decision 70). `threshold`: once the available amount reaches it. */
export type Frequency = "weekly" | "daily" | "threshold";

const FREQUENCY_ON_WIRE: Readonly<Record<Frequency, contract.PayoutFrequency>> = {
  weekly: "hebdomadaire",
  daily: "quotidien",
  threshold: "seuil",
};

const FREQUENCIES_OF: Readonly<Record<Plan, readonly Frequency[]>> = {
  free: ["weekly"],
  premium: ["weekly", "daily", "threshold"],
};

/** A seller on the free plan is paid weekly, whatever was chosen before. */
const frequencyFor = (plan: Plan, chosen: Frequency): Frequency =>
  FREQUENCIES_OF[plan].includes(chosen) ? chosen : "weekly";

/** When agents are at work again. */
const RUN_HOUR = 9;
const MONDAY = 1;

/**
 * The first run after an instant, in the instance's time zone: Mondays at 9:00, each day at 9:00, or
 * each full hour for a threshold.
 */
export function nextRunAfter(at: Date, frequency: Frequency, zone: string): Date {
  const local = toLocalMs(at, zone);
  if (frequency === "threshold") return fromLocalMs(local - (local % HOUR_MS) + HOUR_MS, zone);
  let day = midnightOf(local);
  const isRun = () =>
    day + RUN_HOUR * HOUR_MS > local && (frequency === "daily" || weekdayOf(day) === MONDAY);
  while (!isRun()) day += DAY_MS;
  return fromLocalMs(day + RUN_HOUR * HOUR_MS, zone);
}

/** A date runs once: the next run is the schedule's first on a later date. */
export function nextRunAfterDate(date: Day, frequency: Frequency, zone: string): Date {
  return nextRunAfter(addMs(startOfDay(addDays(date, 1), zone), -1), frequency, zone);
}

/**
 * "Ce n'est pas moi" under the message of a new number (decision 71). It freezes the payouts of the
 * person who presses: a forwarded message freezes nobody else's.
 */
export function withdrawalsUpdates(app: App): UpdateHandler {
  return async ({ callback_query: query }) => {
    if (query?.data !== FREEZE_CALLBACK) return;
    const sellerId = await sellerOfTelegram(app.db, query.from.id);
    if (sellerId === null) return;
    const done = await withLockedSeller(app, sellerId, async ({ tx, now }) => {
      const freeze = { by: "seller", reason: messages.FROZEN_BY_SELLER, reviewAt: null } as const;
      if (!(await freezePayouts(tx, sellerId, freeze, now))) return false;
      const subject = `seller:${sellerId}`;
      const details = { seller_id: Number(sellerId) };
      await raiseAlert(tx, { kind: "payouts.frozen-by-seller", subject, details, now });
      await publish(tx, [staffChanged("seller", sellerId)]);
      const buttons = [app.appButton(messages.BUTTONS.history, "/HistoriqueRetraits")];
      const message = { text: messages.frozen(), buttons };
      await notify(tx, [{ bot: "seller", personId: sellerId, message }], now);
      const actor = { personId: sellerId, role: "seller" } as const;
      const change = { after: { frozen_by: "seller" }, reason: messages.FROZEN_BY_SELLER };
      await auditSeller(tx, sellerId, { actor, action: "payouts.freeze", ...change }, now);
      return true;
    });
    const text = done ? messages.FREEZE_ANSWERS.frozen : messages.FREEZE_ANSWERS.already;
    // Telegram rejects the answer to an old press: the bot's message contains the result too.
    await app.telegram
      .gatewayOf("seller")
      .call("answerCallbackQuery", { callback_query_id: query.id, text, show_alert: true });
  };
}
