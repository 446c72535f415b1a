import * as contract from "@sesame/contract/identity";
import { refuse } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import { type App, perApp } from "../../app.ts";
import { createAttemptCounter, addressKey } from "../../http/callers.ts";
import { on } from "../../http/on.ts";
import { type Principal, bearerToken, type HttpServer } from "../../http/server.ts";
import { eraseAtRequest } from "./erase-person.ts";
import { EXPORT_MAX, exportBuyer, exportPerson, exportSeller } from "./export-person.ts";
import { statedTelegramId } from "./init-data.ts";
import { registerLegalPages } from "./legal-pages.ts";
import { openBuyerSession, openSellerSession } from "./sessions.ts";
import { updateUser, userOf } from "./users.ts";
import { logOut } from "../../people/people.ts";

const UNKNOWN = refuse({ kind: "identity.user-unknown" });

export function registerIdentityHttp(app: App, http: HttpServer): void {
  for (const route of [contract.signInSellerByGet, contract.signInSeller]) {
    on(http, route, async ({ request }) => {
      const opened = await openSellerSession(app, rawInitData(request));
      return opened.ok ? opened.value : refuseSignIn(app, request, opened.refusal);
    });
  }
  on(http, contract.signInBuyer, async ({ request }) => {
    const opened = await openBuyerSession(app, rawInitData(request));
    return opened.ok ? opened.value : refuseSignIn(app, request, opened.refusal);
  });
  on(http, contract.readUser, async ({ params, caller }) => {
    const user = await ownUser(app, caller, params.id);
    return user ? { user } : UNKNOWN;
  });
  on(http, contract.changeUser, async ({ params: { id }, body, caller }) => {
    const before = await ownUser(app, caller, id);
    if (!before) return UNKNOWN;
    const updated = await updateUser(app, id, body, before);
    if (!updated.ok) return updated;
    const user = await ownUser(app, caller, id);
    return user ? { user } : UNKNOWN;
  });
  on(http, contract.signOut, async ({ caller, request }) => {
    await logOut(app, caller, bearerToken(request) ?? "");
    return {};
  });
  on(http, contract.addSocket, ({ body: { idsocket, role }, caller }) => ({
    data: { idsocket, iduser: caller.personId, role },
    message: contract.SOCKET_REGISTERED,
  }));
}

/** Routes of personal data: the pages about it, the export, the erasure (decision 101). */
export function registerPersonalDataHttp(app: App, http: HttpServer): void {
  const { db, clock } = app;
  registerLegalPages(app, http);
  on(http, contract.exportPersonalData, async ({ caller: { personId: id }, reply }) => {
    reply.header("content-disposition", 'attachment; filename="sesame-mes-donnees.json"');
    return {
      made_at: clock.now(),
      limit: EXPORT_MAX,
      person: await exportPerson(db, id),
      as_buyer: await exportBuyer(db, id),
      as_seller: await exportSeller(db, id),
    };
  });
  on(http, contract.erasePersonalData, async ({ body, caller }) => {
    // A call without a body must not erase a person.
    if (body?.confirm !== true) return refuse({ kind: "personal.confirm-missing" });
    const erased = await eraseAtRequest(app, caller);
    return erased.ok ? { message: contract.DATA_ERASED } : erased;
  });
}

/**
 * Refused sign-ins a minute, from one address in the name of one person (WIRE §3). A valid proof
 * passes whatever another person behind the same address tries in that person's name.
 */
const REFUSED_A_MINUTE = 20;

const attemptsOf = perApp(({ clock }) => createAttemptCounter(clock, REFUSED_A_MINUTE));

function refuseSignIn(app: App, request: FastifyRequest, refusal: contract.IdentityRefusal) {
  const stated = statedTelegramId(rawInitData(request)) ?? "nobody";
  const retryAfterSeconds = attemptsOf(app).count(`${addressKey(request.ip)} ${stated}`);
  if (retryAfterSeconds === null) return refuse(refusal);
  return refuse({ kind: "request.too-many", retryAfterSeconds });
}

/** The web view's proof of who opened it, exactly as Telegram gave it. */
const INIT_DATA_HEADER = "x-telegram-init-data";

function rawInitData(request: FastifyRequest): string {
  const header = request.headers[INIT_DATA_HEADER];
  return typeof header === "string" ? header : "";
}

/** Another's id gets the answer of an absent one. */
async function ownUser(app: App, caller: Principal, id: bigint) {
  return id === caller.personId ? userOf(app, id) : null;
}
