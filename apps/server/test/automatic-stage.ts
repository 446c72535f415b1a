import type { AnswerOf } from "@sesame/contract/routes";
import type { PayoutSettingsOnWire, WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { requestAutomatic } from "../src/features/withdrawals/automatic.ts";
import { withLockedSeller } from "../src/features/withdrawals/request.ts";
import { profileOf } from "../src/features/withdrawals/settings.ts";
import { createDeskScene, DESK_ENV, type DeskScene } from "./desk-scene.ts";
import { fundSeller } from "./funds.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "./harness.ts";
import { createSellerScene } from "./seller-scene.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Sellers with automatic payouts, on a clock that is moved from date to date. */
export type AutomaticStage = {
  readonly app: TestApp;
  readonly desk: DeskScene;
  /** Goes to a Monday at 9:00 on which nothing has happened yet, and nothing else runs. */
  freshWeek(): Promise<void>;
  /** So many days after that Monday. */
  at(days: number, hours?: number, minutes?: number): string;
  dateAt(days: number): string;
  /** Moves the clock to an instant, and lets what is due happen. */
  goTo(instant: string): Promise<void>;
  /** A seller in touch with the bot, with funds, whose automatic payout is on. */
  automatic(plan: "free" | "premium", funds: number, fields?: Fields): Promise<SignedInSeller>;
  configure(seller: SignedInSeller, body: Fields): Promise<PayoutSettingsOnWire>;
  settingsOf(seller: SignedInSeller): Promise<PayoutSettingsOnWire>;
  requestsOf(seller: SignedInSeller): Promise<WithdrawalOnWire[]>;
  /** The dates he was run for, in order. */
  datesOf(seller: SignedInSeller): Promise<string[]>;
};

/** What the engine does when a seller's automatic payout is due, without planning the next one. */
export const askForDate = (app: App, { sellerId, on }: { sellerId: bigint; on: string }) =>
  withLockedSeller(app, sellerId, async (seller) => {
    const profile = await profileOf(seller.tx, sellerId);
    return requestAutomatic(app, seller, { profile, on });
  });

const NUMBER = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };
const FIRST_MONDAY = Date.parse("2026-11-16T09:00:00Z");
const WEEK_MS = 7 * DAY_MS;

export async function openAutomaticStage(): Promise<AutomaticStage> {
  const app = await startTestApp({ env: DESK_ENV });
  const scene = createSellerScene(app);
  let monday = FIRST_MONDAY;
  const at = (days: number, hours = 9, minutes = 0): string =>
    new Date(monday + days * DAY_MS + (hours - 9) * HOUR_MS + minutes * MINUTE_MS).toISOString();
  const goTo = async (instant: string): Promise<void> => {
    app.clock.advance(Date.parse(instant) - app.clock.now().getTime());
    await app.drain();
  };
  const configure = async (seller: SignedInSeller, body: Fields) => {
    const path = "/api/users/paiement/update";
    const answer = await app.call<AnswerOf<"GET /api/users/paiement">>("PUT", path, {
      token: seller.token,
      body,
    });
    assert(answer.status === 200, `the settings answered ${JSON.stringify(answer.body)}`);
    return answer.body.paiement;
  };
  return {
    app,
    desk: createDeskScene(app),
    at,
    goTo,
    configure,
    dateAt: (days) => at(days).slice(0, 10),
    async freshWeek() {
      await sql`UPDATE payout_profiles SET automatic = false, next_run_at = NULL`.execute(app.db);
      const weeks = Math.ceil((app.clock.now().getTime() - FIRST_MONDAY) / WEEK_MS);
      monday = FIRST_MONDAY + weeks * WEEK_MS;
      app.clock.advance(monday - app.clock.now().getTime());
    },
    async automatic(plan, funds, fields = {}) {
      const seller = await scene.sellerInTouch();
      await fundSeller(app, seller, funds, plan);
      await configure(seller, { retrait_auto: 1, ...NUMBER, ...fields });
      await app.drain();
      return seller;
    },
    async settingsOf(seller) {
      const path = "/api/users/paiement";
      return (await app.call<AnswerOf<"GET /api/users/paiement">>("GET", path, seller)).body
        .paiement;
    },
    async requestsOf(seller) {
      const path = "/api/users/retrait/mes-demandes";
      return (await app.call<AnswerOf<"GET /api/users/retrait/mes-demandes">>("GET", path, seller))
        .body.demandes;
    },
    async datesOf(seller) {
      const { rows } = await sql<{ on: string }>`
        SELECT to_char(automatic_on, 'YYYY-MM-DD') AS on FROM withdrawals
        WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`.execute(app.db);
      return rows.map(({ on }) => on);
    },
  };
}
