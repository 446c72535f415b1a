import {
  addSocket,
  changeUser,
  type IdentityRefusal,
  INIT_DATA_HEADER,
  readUser,
  SOCKET_REGISTERED,
  signInBuyer,
  signInSeller,
  signInSellerByGet,
  signOut,
  type UserOnWire,
  type userUpdate,
} from "@sesame/contract/identity";
import { refuse } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { type App, perApp } from "../../app.ts";
import { createAttemptCounter } from "../../http/attempt-counter.ts";
import { addressKey } from "../../http/client-address.ts";
import { on } from "../../http/on.ts";
import type { Principal } from "../../http/principal.ts";
import { bearerToken, type HttpServer } from "../../http/server.ts";
import { claimedTelegramId } from "./init-data.ts";
import { logOut } from "./sessions.ts";
import { openBuyerSession, openSellerSession } from "./sign-in.ts";
import { updateUser, type UserChange } from "./update-user.ts";
import { userOf } from "./user-on-wire.ts";

const UNKNOWN = refuse({ kind: "identity.user-unknown" } as const);

export function registerIdentityHttp(app: App, http: HttpServer): void {
  for (const route of [signInSellerByGet, signInSeller]) {
    on(http, route, async ({ request }) => {
      const opened = await openSellerSession(app, rawInitData(request));
      return opened.ok ? opened.value : refuseSignIn(app, request, opened.refusal);
    });
  }
  on(http, signInBuyer, async ({ request }) => {
    const opened = await openBuyerSession(app, rawInitData(request));
    return opened.ok ? opened.value : refuseSignIn(app, request, opened.refusal);
  });
  on(http, readUser, async ({ params, caller }) => {
    const user = await ownUser(app, caller, params.id);
    return user ? { user } : UNKNOWN;
  });
  on(http, changeUser, async ({ params: { id }, body, caller }) => {
    const before = await ownUser(app, caller, id);
    if (!before) return UNKNOWN;
    const updated = await updateUser(app, id, readChange(body, before));
    if (!updated.ok) return updated;
    const user = await ownUser(app, caller, id);
    return user ? { user } : UNKNOWN;
  });
  on(http, signOut, async ({ caller, request }) => {
    await logOut(app, caller, bearerToken(request) ?? "");
    return {};
  });
  on(http, addSocket, ({ body: { idsocket, role }, caller }) => ({
    data: { idsocket, iduser: String(caller.personId), role },
    message: SOCKET_REGISTERED,
  }));
}

/**
 * Refused sign-ins a minute, of one address for one claimed person (WIRE §3). A good proof passes
 * whatever someone else behind the same address tries in that person's name.
 */
const REFUSED_A_MINUTE = 20;

const attemptsOf = perApp(({ clock }) =>
  createAttemptCounter({ clock, perMinute: REFUSED_A_MINUTE }),
);

function refuseSignIn(app: App, request: FastifyRequest, refusal: IdentityRefusal) {
  const claimed = claimedTelegramId(rawInitData(request)) ?? "nobody";
  const retryAfterSeconds = attemptsOf(app).count(`${addressKey(request.ip)} ${claimed}`);
  if (retryAfterSeconds === null) return refuse(refusal);
  return refuse({ kind: "request.too-many", retryAfterSeconds } as const);
}

function rawInitData(request: FastifyRequest): string {
  const header = request.headers[INIT_DATA_HEADER];
  return typeof header === "string" ? header : "";
}

/** Another's id answers as an absent one. */
async function ownUser(app: App, caller: Principal, id: bigint): Promise<UserOnWire | null> {
  return id === caller.personId ? userOf(app, id) : null;
}

function readChange(body: z.output<typeof userUpdate>, before: UserOnWire): UserChange {
  // A client that sends a whole user back must not freeze the name Telegram gives.
  const renamed = body.nom === before.nom ? undefined : body.nom;
  const displayName = body.display_name === undefined ? renamed : body.display_name;
  return {
    displayName: blankToNull(displayName),
    country: blankToNull(body.country),
    whatsappNumber: blankToNull(body.whatsapp_number?.replaceAll(" ", "") ?? body.whatsapp_number),
    onboarded: body.deja === true,
    plan: body.type_plan,
  };
}

function blankToNull(text: string | null | undefined): string | null | undefined {
  return text === "" ? null : text;
}
