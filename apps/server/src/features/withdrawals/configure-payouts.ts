import {
  COOLING_OFF_MS,
  maskPhone,
  type PayoutSettingsBody,
  sayInstant,
  type WithdrawalsRefusal,
} from "@sesame/contract/withdrawals";
import { addMs, assert, ok, type Result } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { automaticSwitchedOn, BUTTONS, numberChanged } from "./messages.fr.ts";
import { judgeSettings, type SettingsChange } from "./judge-settings.ts";
import {
  lockSeller,
  type ProfileWrite,
  writeProfile,
  writeWhatsapp,
} from "./payout-profiles.store.ts";
import { type ProfileRow, viewProfile } from "./payout-profiles.view.ts";
import { nextRunAfter } from "./schedule.ts";
import { standingOf } from "./seller-limits.ts";
import { viewSellerFacts } from "./withdrawals.view.ts";

/** What the bot's button under a changed number sends back. */
export const FREEZE_CALLBACK = "payout:freeze";

/** Saves where the money goes, and how by itself (decisions 69 to 71). */
export async function configurePayouts(
  app: App,
  sellerId: bigint,
  body: PayoutSettingsBody,
): Promise<Result<{ automatic: boolean }, WithdrawalsRefusal>> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const facts = await viewSellerFacts(tx, sellerId);
    const profile = await viewProfile(tx, sellerId);
    assert(facts && profile, `no seller ${sellerId}`);
    const standing = standingOf(facts, app.config.timeZone);
    const judged = judgeSettings(body, { plan: facts.plan, standing, profile }, settings);
    if (!judged.ok) return judged;
    await save(app, tx, { sellerId, profile, change: judged.value, now });
    return ok({ automatic: judged.value.automatic });
  });
}

type Saving = {
  readonly sellerId: bigint;
  readonly profile: ProfileRow;
  readonly change: SettingsChange;
  readonly now: Date;
};

async function save(app: App, tx: Db, saving: Saving): Promise<void> {
  const { sellerId, profile, change, now } = saving;
  const write = profileAfter(saving, app.config.timeZone);
  if (change.whatsapp !== null)
    await writeWhatsapp(tx, sellerId, { whatsapp: change.whatsapp, now });
  await writeProfile(tx, sellerId, { ...write, now });
  if (isNewNumber(profile, change)) await tellNewNumber(app, tx, saving);
  else if (change.automatic && !profile.automatic)
    await tellSwitchedOn(app, tx, { ...saving, nextRunAt: write.nextRunAt });
  const before = auditedOf(profile);
  const after = auditedOf(change);
  const same = JSON.stringify(before) === JSON.stringify(after);
  if (same && !isNewNumber(profile, change)) return;
  const deed = { action: "payouts.configure", subject: `seller:${sellerId}`, before, after };
  await audit(tx, { actor: { personId: sellerId, role: "seller" }, ...deed }, now);
}

function profileAfter({ profile, change, now }: Saving, zone: string): ProfileWrite {
  const numberChangedAt = isNewNumber(profile, change) ? now : profile.number_changed_at;
  const { automatic, method, phone, frequency, threshold } = change;
  const same = profile.automatic && profile.frequency === frequency && numberChangedAt !== now;
  const from = restsUntil(numberChangedAt, now) ?? now;
  const nextRunAt = same ? profile.next_run_at : nextRunAfter(from, frequency, zone);
  return {
    automatic,
    method,
    phone,
    frequency,
    threshold,
    numberChangedAt,
    nextRunAt: automatic ? nextRunAt : null,
    // Switched on again after two failures: it starts anew.
    failuresInRow: profile.automatic ? profile.failures_in_row : 0,
  };
}

/** Until when a changed number gets no automatic payout; null: it may. */
export function restsUntil(numberChangedAt: Date | null, now: Date): Date | null {
  if (numberChangedAt === null) return null;
  const until = addMs(numberChangedAt, COOLING_OFF_MS);
  return until > now ? until : null;
}

/** The first number ever is no change of one. */
function isNewNumber(profile: ProfileRow, change: SettingsChange): boolean {
  return profile.phone !== null && change.phone !== null && profile.phone !== change.phone;
}

async function tellNewNumber(app: App, tx: Db, saving: Saving): Promise<void> {
  const { sellerId, change, now } = saving;
  const { method, phone, automatic } = change;
  assert(method !== null && phone !== null, "a new number has its method");
  const until = sayInstant(addMs(now, COOLING_OFF_MS), app.config.timeZone);
  const text = numberChanged({ method, phone, automatic }, until);
  const buttons = [{ text: BUTTONS.notMe, callback: FREEZE_CALLBACK }];
  await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
}

async function tellSwitchedOn(
  app: App,
  tx: Db,
  saving: Saving & { readonly nextRunAt: Date | null },
): Promise<void> {
  const { sellerId, change, nextRunAt, now } = saving;
  const { method, phone } = change;
  assert(method !== null && phone !== null && nextRunAt !== null, "what is on has its number");
  const next = sayInstant(nextRunAt, app.config.timeZone);
  const text = automaticSwitchedOn({ method, phone, next });
  const buttons = [{ text: BUTTONS.notMe, callback: FREEZE_CALLBACK }];
  await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
}

/** The number masked: it may be erased one day, the log never (decision 101). */
function auditedOf({ phone, threshold, ...settings }: Omit<SettingsChange, "whatsapp">) {
  const { automatic, method, frequency } = settings;
  const masked = phone && maskPhone(phone);
  return { automatic, method, phone: masked, frequency, threshold: threshold?.toString() ?? null };
}
