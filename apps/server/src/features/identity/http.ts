import { idInPath } from "@sesame/contract";
import {
  buyerSignInAnswer,
  type IdentityRefusal,
  INIT_DATA_HEADER,
  identityRefusals,
  SOCKET_REGISTERED,
  sellerSignInAnswer,
  socketRegistration,
  socketRegistrationAnswer,
  successAnswer,
  type UserOnWire,
  userAnswer,
  userUpdate,
} from "@sesame/contract/identity";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, perApp } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { createAttemptCounter } from "../../http/attempt-counter.ts";
import { addressKey } from "../../http/client-address.ts";
import { bearerToken, callerOf, type HttpServer } from "../../http/server.ts";
import { claimedTelegramId } from "./init-data.ts";
import { logOut } from "./sessions.ts";
import { signInBuyer, signInSeller } from "./sign-in.ts";
import { updateUser, type UserChange } from "./update-user.ts";
import { userOf } from "./user-on-wire.ts";

const sentences = { ...identityRefusals, ...plansRefusals };

export function registerIdentityHttp(app: App, http: HttpServer): void {
  registerDoors(app, http);
  registerUsers(app, http);
  http.post(
    "/api/auth/logout",
    {
      summary: "Révoquer le jeton",
      config: { access: "person" },
      schema: { response: { 200: successAnswer } },
    },
    async (request) => {
      await logOut(app, callerOf(request), bearerToken(request) ?? "");
      return { success: true } as const;
    },
  );
  http.post(
    "/api/socket/add",
    {
      summary: "Annoncer une connexion temps réel (le jeton suffit : conservé pour compatibilité)",
      config: { access: "person" },
      schema: { body: socketRegistration, response: { 200: socketRegistrationAnswer } },
    },
    // A socket proves who it is by its token; this call of A §7 is answered for its clients.
    async (request) => {
      const { idsocket, role } = request.body;
      const iduser = String(callerOf(request).personId);
      const registration = { idsocket, iduser, role };
      return { success: true, data: registration, message: SOCKET_REGISTERED } as const;
    },
  );
}

/**
 * Refused sign-ins a minute, of one address for one claimed person (WIRE §3). A good proof passes
 * whatever someone else behind the same address tries in that person's name.
 */
const REFUSED_A_MINUTE = 20;

const attemptsOf = perApp(({ clock }) =>
  createAttemptCounter({ clock, perMinute: REFUSED_A_MINUTE }),
);

function registerDoors(app: App, http: HttpServer): void {
  http.route({
    method: ["GET", "POST"],
    url: "/api/auth/vendeur",
    summary: "Ouvrir l'espace vendeur : jeton, profil, groupes, produits, dernières ventes",
    config: { access: "init-data" },
    schema: { response: { 200: sellerSignInAnswer } },
    handler: async (request, reply) => {
      const answer = await signInSeller(app, rawInitData(request));
      if (!answer.ok) return refuseSignIn(app, request, { reply, refusal: answer.refusal });
      return reply.header("cache-control", "no-store").send(answer.value);
    },
  });
  http.post(
    "/api/auth/acheteur",
    {
      summary: "Ouvrir l'espace acheteur",
      config: { access: "init-data" },
      schema: { response: { 200: buyerSignInAnswer } },
    },
    async (request, reply) => {
      const answer = await signInBuyer(app, rawInitData(request));
      if (!answer.ok) return refuseSignIn(app, request, { reply, refusal: answer.refusal });
      return reply.header("cache-control", "no-store").send(answer.value);
    },
  );
}

function refuseSignIn(
  app: App,
  request: FastifyRequest,
  refused: { reply: FastifyReply; refusal: IdentityRefusal },
): FastifyReply {
  const claimed = claimedTelegramId(rawInitData(request)) ?? "nobody";
  const waitSeconds = attemptsOf(app).count(`${addressKey(request.ip)} ${claimed}`);
  if (waitSeconds === null) return answerRefusal(refused.reply, refused.refusal, identityRefusals);
  const tooMany = { kind: "request.too-many", retryAfterSeconds: waitSeconds } as const;
  return answerCommon(refused.reply, tooMany);
}

function rawInitData(request: FastifyRequest): string {
  const header = request.headers[INIT_DATA_HEADER];
  return typeof header === "string" ? header : "";
}

const userParams = z.object({ id: idInPath });

function registerUsers(app: App, http: HttpServer): void {
  /** Another's id answers as an absent one. */
  const ownUser = async (request: FastifyRequest, id: bigint): Promise<UserOnWire | null> =>
    id === callerOf(request).personId ? userOf(app, id) : null;
  const unknown = (reply: FastifyReply) =>
    answerRefusal(reply, { kind: "identity.user-unknown" }, identityRefusals);

  http.get(
    "/api/users/:id",
    {
      summary: "Lire son profil de vendeur",
      config: { access: "seller" },
      schema: { params: userParams, response: { 200: userAnswer } },
    },
    async (request, reply) => {
      const user = await ownUser(request, request.params.id);
      return user ? { success: true as const, user } : unknown(reply);
    },
  );
  http.put(
    "/api/users/:id",
    {
      summary: "Modifier son profil, terminer l'accueil, choisir l'offre gratuite",
      config: { access: "seller" },
      schema: { params: userParams, body: userUpdate, response: { 200: userAnswer } },
    },
    async (request, reply) => {
      const before = await ownUser(request, request.params.id);
      if (!before) return unknown(reply);
      const change = readChange(request.body, before);
      const updated = await updateUser(app, request.params.id, change);
      if (!updated.ok) {
        return answerRefusal<IdentityRefusal | PlansRefusal>(reply, updated.refusal, sentences);
      }
      const user = await ownUser(request, request.params.id);
      return user ? { success: true as const, user } : unknown(reply);
    },
  );
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
