import type * as contract from "@sesame/contract/identity";
import * as plans from "@sesame/contract/plans";
import type { PayoutFieldsOnWire } from "@sesame/contract/withdrawals";
import { assert, ok } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { auditSeller } from "../../audit/audit.store.ts";
import { maybe } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart, sideBySide } from "../../postgres/parts.ts";
import { productsAtStart } from "../catalogue/index.ts";
import { complaintsWaitingPart } from "../cases/index.ts";
import { channelsPart } from "../groups/index.ts";
import { choosePlan } from "../plans/index.ts";
import { subscriptionsAtStart, transactionsAtStart } from "../reports/index.ts";
import { payoutFieldsAtStart, payoutFieldsOf, requestsAtStart } from "../withdrawals/index.ts";
import type { ProvenPerson } from "./init-data.ts";
import { changeSeller } from "../../people/people.ts";

const WEEK = 7;

type SellerStart = Omit<z.output<typeof contract.signInSeller.answer>, "success" | "token">;
type User = SellerStart["user"];

/** Fields derived from the row. */
type WorkedOut = "nom" | "plan" | "type_plan" | "premium_state" | "capabilities" | "groups_max";
type Roles = ReturnType<typeof roles>;
type SellerRow = Omit<User, WorkedOut | "premium_until" | keyof Roles | keyof PayoutFieldsOnWire> &
  Named & { readonly plan: plans.Plan | null; readonly premium_until: Date | null };

/**
 * The seller with the balances of both accounts, which are in their rows. Advances for refunds are
 * recovered from the next sales, so they cannot be spent.
 */
function sellerSelect(seller: RawBuilder<unknown>, { zone, now }: { zone: string; now: Date }) {
  return sql<SellerRow>`
    SELECT s.id, p.telegram_id, p.first_name, p.last_name, p.username, p.photo_url,
      s.plan, s.premium_until, s.onboarded AS deja, s.display_name, s.country, s.whatsapp_number,
      s.created_at, s.updated_at,
      free.posted AS "balanceGratuit", premium.posted AS "balancePayant",
      greatest(0, CASE WHEN s.plan = 'premium' THEN premium.posted - premium.held
        ELSE free.posted - free.held END - coalesce(advance.owed, 0)::bigint) AS "soldeDisponible",
      coalesce(advance.owed, 0)::bigint AS owed,
      array_to_json(seller_sparkline(s.id, ${zone}, ${now}::timestamptz, ${WEEK}))
        AS revenus_semaine
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN seller_advances advance ON advance.seller_id = s.id
    WHERE s.id = ${seller}
  `;
}

/** A §3 and B §3. */
function userShown(app: App, row: SellerRow, payouts: PayoutFieldsOnWire, now: Date): User {
  const terms = plans.PLAN_TERMS[row.plan ?? "free"];
  return {
    ...row,
    ...roles(app, row),
    nom: row.display_name ?? fullName(row),
    plan: row.plan !== null,
    type_plan: plans.planToWire(row.plan),
    premium_state: plans.premiumStateOf({ plan: row.plan, premiumUntil: row.premium_until }, now),
    capabilities: [...terms.capabilities],
    groups_max: terms.groupsMax,
    ...payouts,
  };
}

/** Null when there is no such seller. */
export async function userOf(app: App, sellerId: bigint): Promise<User | null> {
  const now = app.clock.now();
  const select = sellerSelect(sql`${sellerId}`, { zone: app.config.timeZone, now });
  const [seller] = (await select.execute(app.db)).rows;
  if (!seller) return null;
  return userShown(app, seller, await payoutFieldsOf(app.db, sellerId), now);
}

/**
 * The parts of the seller's start, each from the feature that owns it: all one expression of one
 * statement (decision 0026).
 */
export function sellerStart(app: App, person: ProvenPerson): SellerPart<SellerStart> {
  return (seller) =>
    mapPart(
      sideBySide({
        user: userPart(app, person)(seller),
        channels: channelsPart(seller),
        products: productsAtStart(app, seller),
        vendorSubscriptions: subscriptionsAtStart(seller),
        withdrawalRequests: requestsAtStart(app, seller),
        transactions: transactionsAtStart(seller),
        complaints_waiting: complaintsWaitingPart(seller),
      }),
      ({ transactions, complaints_waiting, ...start }) => ({
        ...start,
        accueil: { transactions, complaints_waiting },
      }),
    );
}

function userPart(app: App, person: ProvenPerson): SellerPart<User> {
  const now = app.clock.now();
  const at = { zone: app.config.timeZone, now };
  return (seller) =>
    mapPart(
      sideBySide({
        rows: rowsPart<SellerRow>(sellerSelect(seller, at), {
          id: "bigint",
          telegram_id: "bigint",
          premium_until: "instant",
          created_at: "instant",
          updated_at: "instant",
          balanceGratuit: "bigint",
          balancePayant: "bigint",
          soldeDisponible: "bigint",
          owed: "bigint",
        }),
        payouts: payoutFieldsAtStart(seller),
      }),
      ({ rows: [row], payouts }) => {
        assert(row, "a seller who signed in exists");
        // The statement that signs in writes these columns, and reads their earlier values.
        const asProved = {
          ...row,
          first_name: person.firstName,
          last_name: person.lastName,
          username: person.username,
          photo_url: person.photoUrl ?? row.photo_url,
        };
        return userShown(app, asProved, payouts, now);
      },
    );
}

type Named = {
  readonly telegram_id: bigint;
  readonly first_name: string;
  readonly last_name: string | null;
};

type Buyer = z.output<typeof contract.signInBuyer.answer>["user"];
type BuyerRow = Named & Pick<Buyer, "id" | "username" | "photo_url" | "can_be_written_to">;

export async function buyerOf(app: App, personId: bigint) {
  const row = await maybe<BuyerRow>(app.db)`
    SELECT p.id, p.telegram_id, p.first_name, p.last_name, p.username, p.photo_url,
      coalesce(b.reachable, false) AS can_be_written_to
    FROM people p LEFT JOIN bot_chats b ON b.person_id = p.id AND b.bot = 'buyer'
    WHERE p.id = ${personId}
  `;
  assert(row, "a buyer who signed in exists");
  return { ...row, ...roles(app, row), nom: fullName(row) };
}

function roles({ config }: App, { telegram_id }: Named) {
  return {
    telegram_id: Number(telegram_id),
    agent: config.agentTelegramIds.has(telegram_id),
    operator: config.operatorTelegramIds.has(telegram_id),
  };
}

function fullName({ first_name, last_name }: Named): string {
  return last_name ? `${first_name} ${last_name}` : first_name;
}

const cleared = (said: string | null | undefined) => (said === undefined ? said : said || null);

/**
 * Profile, onboarding and the choice of the free plan, all or none (decision 5). Absent fields are
 * unchanged; null and an empty text clear them.
 */
export async function updateUser(
  app: App,
  sellerId: bigint,
  body: z.output<typeof contract.changeUser.body>,
  before: User,
) {
  const now = app.clock.now();
  // A client that sends the whole user back must not fix the name from Telegram.
  const renamed = body.nom === before.nom ? undefined : body.nom;
  const displayName = body.display_name === undefined ? renamed : body.display_name;
  const whatsapp = body.whatsapp_number?.replaceAll(" ", "") ?? body.whatsapp_number;
  return app.db.transaction().execute(async (tx) => {
    const named = body.type_plan ?? null;
    const chosen = named === null ? null : await choosePlan(tx, { sellerId, named, now });
    if (chosen && !chosen.ok) return chosen;
    const change = {
      // The onboarding was seen: it is not displayed again (decision 13).
      onboarded: body.deja || undefined,
      display_name: cleared(displayName),
      country: cleared(body.country),
      whatsapp_number: cleared(whatsapp),
    };
    await changeSeller(tx, sellerId, change, now);
    if (chosen?.value.changed) {
      const actor = { personId: sellerId, role: "seller" } as const;
      const entry = { actor, before: { plan: null }, after: { plan: "free" } };
      await auditSeller(tx, sellerId, { ...entry, action: "plan.change" }, now);
    }
    return ok(null);
  });
}
