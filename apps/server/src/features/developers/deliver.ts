import {
  ANSWER_BYTES_MAX,
  DELIVERY_TIMEOUT_MS,
  FAILING_MAX_MS,
  FAILURES_BEFORE_REST,
  REST_MS,
  retryPauseMs,
} from "@sesame/contract/developers";
import { addMs } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { post, type Posted } from "../../outgoing/post.ts";
import type { Db } from "../../postgres/database.ts";
import { BUTTONS, endpointFailing, endpointGone } from "./messages.fr.ts";
import {
  type Attempt,
  type ClaimedDelivery,
  markDelivered,
  markTried,
  recordAttempt,
} from "./deliveries.store.ts";
import { giveTurnBack, noteFailing, noteHealthy, switchOff } from "./endpoints.store.ts";
import { openSecrets } from "./secrets.ts";
import { signatureHeaders } from "./sign.ts";

const GONE = 410;

export function webhookId(uid: string): string {
  return `msg_${uid.replaceAll("-", "")}`;
}

/** One attempt, and what it means for the delivery and its endpoint. */
export async function deliver(
  app: App,
  claimed: ClaimedDelivery,
  stop: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const at = app.clock.now();
  const posted = await attempt(app, claimed, { at, stop });
  // Cut off by our own end: nothing is known of it, it is sent again under the same id.
  if (stop.aborted && posted.kind === "failed") {
    await giveTurnBack(app.db, claimed.id, at);
    return;
  }
  const durationMs = Math.round(performance.now() - began);
  const answered = posted.kind === "answered";
  const tried: Attempt = {
    at,
    durationMs,
    statusCode: answered ? posted.status : null,
    failure: answered ? null : posted.failure,
    answer: answered && posted.answer !== "" ? posted.answer : null,
  };
  const accepted = answered && posted.status >= 200 && posted.status < 300;
  await app.db.transaction().execute(async (tx) => {
    if (!accepted) return noteFailure(app, tx, { claimed, tried });
    await noteHealthy(tx, claimed.id, at);
    await markDelivered(tx, claimed.delivery_id, at);
    await recordAttempt(tx, claimed.delivery_id, tried);
  });
}

type NotSent = { readonly kind: "failed"; readonly failure: "secret" };

async function attempt(
  { vault, resolve, config }: App,
  claimed: ClaimedDelivery,
  { at, stop }: { at: Date; stop: AbortSignal },
): Promise<Posted | NotSent> {
  const secrets = openSecrets(vault, { row: claimed, now: at });
  if (!secrets) return { kind: "failed", failure: "secret" };
  const { body, url, uid } = claimed;
  const headers = {
    "content-type": "application/json",
    "user-agent": "Sesame-Webhooks/1",
    ...signatureHeaders({ id: webhookId(uid), at, body }, secrets),
  };
  const timeoutMs = DELIVERY_TIMEOUT_MS;
  const limits = { timeoutMs, answerBytes: ANSWER_BYTES_MAX };
  const options = { resolve, loopback: config.demo, ...limits };
  return post(options, { url, headers, body }, stop);
}

async function noteFailure(
  app: App,
  tx: Db,
  { claimed, tried }: { claimed: ClaimedDelivery; tried: Attempt },
): Promise<void> {
  const { at: now } = tried;
  const restUntil = addMs(now, REST_MS);
  // The endpoint first, then its deliveries: as whoever switches it off.
  const failing = await noteFailing(tx, claimed.id, {
    now,
    restUntil,
    restAfter: FAILURES_BEFORE_REST,
  });
  const draw = (app.chance.bytes(1)[0] ?? 0) / 255;
  const pause = retryPauseMs(claimed.step, draw);
  const dueAt = pause === null ? null : addMs(now, pause);
  await markTried(tx, claimed.delivery_id, { dueAt, now });
  await recordAttempt(tx, claimed.delivery_id, tried);
  if (!failing) return;
  const gone = tried.statusCode === GONE;
  const tooLong = now.getTime() - failing.failing_since.getTime() >= FAILING_MAX_MS;
  if (!gone && !tooLong) return;
  await switchOff(tx, { id: claimed.id, reason: gone ? "gone" : "failing", now });
  const text = gone ? endpointGone(failing.url) : endpointFailing(failing.url);
  const buttons = [app.appButton(BUTTONS.page, "/Developpeurs")];
  await tell(tx, [{ bot: "seller", personId: failing.seller_id, message: { text, buttons } }], now);
}
