import { staffChanged, publish } from "../../realtime/events.store.ts";
import * as texts from "./messages.fr.ts";
import { isDay } from "@sesame/contract";
import { readReason } from "@sesame/contract/treasury";
import { type suspendSeller } from "@sesame/contract/back-office";
import { assert, fcfa, ok, refuse, addDays, dayOf, startOfDay } from "@sesame/kernel";
import type { z } from "zod";
import { resolveAlerts } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { type Html, notify, toPerson } from "../../bot/message.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { forgetPublicProducts, suspendProduct } from "../catalogue/index.ts";
import * as sellers from "./sellers.ts";
import { changeSeller } from "../../people/people.ts";
import { askWriteOff } from "../refunds/index.ts";
import { freezePayouts, unfreezePayouts } from "../withdrawals/index.ts";

type MeasureRequest = {
  readonly caller: Principal;
  /** The seller's id, or the product's. */
  readonly id: bigint;
  readonly body: NonNullable<z.output<typeof suspendSeller.body>>;
};

type Restriction = { readonly reason: string; readonly reviewAt: Date };

/** The audit action, the message and the new state of a measure. */
type Done = { readonly action: string; readonly message: Html | null; readonly after: unknown };
type Words = { readonly reason: string; readonly restriction: Restriction | null; review: string };

const REVIEW_DAYS_MAX = 366;

/** Suspends, freezes or ends it (decision 99): the seller reads the reason. */
export async function takeMeasure(app: App, measure: sellers.Measure, request: MeasureRequest) {
  const { caller, id } = request;
  const sheet = await app.db.transaction().execute(async (tx) => {
    const now = app.clock.now();
    const seller = await sellers.lockStanding(tx, id, now);
    if (!seller) return refuse({ kind: "desk.seller-not-found" });
    const forbidden = sellers.checkMeasure(measure, seller, caller, now);
    if (forbidden) return refuse(forbidden);
    const limits = measure === "suspend" || measure === "freeze";
    const words = readWords(app, request, limits);
    if (!words.ok) return words;
    const done = await write(tx, measure, { caller, seller, words: words.value, now });
    const { closed_at, suspended_at, frozen_at, owed } = seller;
    const subject = { sellerId: id, name: `seller:${id}`, words: words.value };
    const before = { closed_at, suspended_at, frozen_at, owed };
    return finish(app, tx, { ...done, ...subject, caller, before, now });
  });
  forgetPublicProducts(app);
  return sheet;
}

export async function takeProductMeasure(
  app: App,
  measure: "suspend" | "resume",
  request: MeasureRequest,
) {
  const { caller, id } = request;
  const sheet = await app.db.transaction().execute(async (tx) => {
    const product = await maybe<sellers.ProductStanding & { title: string }>(tx)`
      SELECT seller_id, title, suspended_at FROM products WHERE id = ${id} FOR NO KEY UPDATE
    `;
    if (!product) return refuse({ kind: "desk.product-not-found" });
    const forbidden = sellers.checkProductMeasure(measure, product, caller);
    if (forbidden) return refuse(forbidden);
    const now = app.clock.now();
    const words = readWords(app, request, measure === "suspend");
    if (!words.ok) return words;
    const { reason, restriction, review } = words.value;
    await suspendProduct(tx, id, suspension(restriction, now), now);
    const message =
      measure === "suspend"
        ? texts.productSuspended(product.title, reason, review)
        : texts.productResumed(product.title);
    const after = { suspended_at: restriction && now, review_at: restriction?.reviewAt ?? null };
    const subject = { sellerId: product.seller_id, name: `product:${id}`, words: words.value };
    const before = { suspended_at: product.suspended_at };
    const done = { action: `product.${measure}`, message, after };
    return finish(app, tx, { ...done, ...subject, caller, before, now });
  });
  forgetPublicProducts(app);
  return sheet;
}

async function write(
  tx: Db,
  measure: sellers.Measure,
  at: { caller: Principal; seller: sellers.SellerStanding; words: Words; now: Date },
): Promise<Done> {
  const { caller, seller, words, now } = at;
  const { id } = seller;
  const { reason, restriction, review } = words;
  const after = { at: restriction && now, review_at: restriction?.reviewAt ?? null };
  switch (measure) {
    case "suspend":
      await changeSeller(tx, id, suspension(restriction, now), now);
      return { action: "seller.suspend", message: texts.sellerSuspended(reason, review), after };
    case "resume":
      await changeSeller(tx, id, suspension(null, now), now);
      return { action: "seller.resume", message: texts.sellerResumed(), after };
    case "freeze":
      assert(restriction, "a freeze has a reason and a review");
      await freezePayouts(tx, id, { by: "operator", ...restriction }, now);
      return { action: "payouts.freeze", message: texts.payoutsFrozen(reason, review), after };
    case "unfreeze":
      await unfreezePayouts(tx, id, now);
      // The alert of a seller's own freeze is resolved with it.
      await resolveAlerts(tx, {
        kinds: ["payouts.frozen-by-seller"],
        subjects: [`seller:${id}`],
        by: { personId: caller.personId, resolution: reason },
        now,
      });
      return { action: "payouts.unfreeze", message: texts.payoutsUnfrozen(), after };
    case "reopen":
      await changeSeller(tx, id, { closed_at: null }, now);
      return { action: "seller.reopen", message: texts.accountReopened(), after };
    case "write-off": {
      const owed = fcfa(seller.owed);
      const done = await askWriteOff(tx, { sellerId: id, owed, by: caller.personId }, now);
      if (!done) return { action: "seller.ask-write-off", message: null, after: { amount: owed } };
      return { action: "seller.write-off", message: texts.writtenOff(done.amount), after: done };
    }
  }
}

/** Null ends the suspension. */
const suspension = (restriction: Restriction | null, now: Date) => ({
  suspended_at: restriction && now,
  suspended_reason: restriction && restriction.reason,
  suspended_review_at: restriction && restriction.reviewAt,
});

type Finish = Done & {
  readonly sellerId: bigint;
  readonly name: string;
  readonly words: Words;
  readonly caller: Principal;
  readonly before: unknown;
  readonly now: Date;
};

async function finish(app: App, tx: Db, done: Finish) {
  const { sellerId, caller, now } = done;
  if (done.message) {
    const said = { text: done.message, button: texts.BUTTONS.home, path: "/IndexEspace" };
    await notify(tx, [toPerson(app, sellerId, said)], now);
  }
  await publish(tx, [
    { room: `person:${sellerId}`, name: "seller:standing", body: { id: String(sellerId) } },
    staffChanged("seller", sellerId),
  ]);
  const auditEntry = { action: done.action, subject: done.name, reason: done.words.reason };
  const { before, after } = done;
  await audit(tx, { ...auditEntry, actor: actorOf(caller), before, after }, now);
  const seller = await sellers.viewSeller(tx, sellerId, caller, now);
  assert(seller, "the seller is there");
  return ok(seller);
}

function readWords(app: App, { body }: MeasureRequest, limits: boolean) {
  const reason = readReason(body.reason);
  if (!reason.ok) return reason;
  if (!limits) return ok({ reason: reason.value, restriction: null, review: "" });
  const { review_at: day } = body;
  const { timeZone } = app.config;
  if (!isDay(day)) return refuse({ kind: "desk.review-missing" });
  const today = dayOf(app.clock.now(), timeZone);
  if (day <= today || day > addDays(today, REVIEW_DAYS_MAX)) {
    return refuse({ kind: "desk.review-out-of-range" });
  }
  const restriction = { reason: reason.value, reviewAt: startOfDay(day, timeZone) };
  return ok({ reason: reason.value, restriction, review: texts.sayDay(day) });
}
