import { checkoutRefusals, isKnownProvider } from "@sesame/contract/checkout";
import type { NoticeHeaders, ProviderId } from "@sesame/providers";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import type { HttpServer } from "../../http/server.ts";
import type { AggregatorDoor } from "./needs.ts";
import { type Notice, type NoticeDeps, receiveNotice } from "./receive-notice.ts";

export type NoticeDoors = NoticeDeps & {
  /** The instance's own, each with its door. */
  readonly providers: readonly ProviderId[];
  readonly accounts: Pick<AggregatorDoor, "providerFor">;
  /** Those that take no payout whose notice address refuses to be tried, by a call that is empty. */
  readonly probed?: ReadonlySet<string>;
  /** Of the instance's accounts: what is no payment's. */
  takeAside?(
    provider: ProviderId,
    notice: { headers: NoticeHeaders; body: Buffer },
  ): Promise<boolean>;
};

/** A signed notice is answered 200 whatever it says (WIRE §3): theirs are a thousandth of this. */
const NOTICE_LIMIT_BYTES = 4 * 1024 * 1024;

/** No page is ever shown from here, and the signature is what guards it. */
const GUARDED = {
  config: { access: "notice", rateLimit: false },
  helmet: false,
  bodyLimit: NOTICE_LIMIT_BYTES,
} as const;

/** In a scope of its own: whatever a notice says it is, its bytes stay as they were signed. */
export function registerNotices(app: HttpServer, doors: NoticeDoors): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    for (const id of doors.providers) {
      scope.post(`/webhooks/${id}`, GUARDED, (request, reply) =>
        doors.probed?.has(id) && bytesOf(request).length === 0
          ? reply.code(200).send()
          : take(doors, { id, keyId: null }, { request, reply }),
      );
    }
    scope.post<{ Params: { provider: string; keyId: string } }>(
      "/webhooks/:provider/:keyId",
      GUARDED,
      (request, reply) => {
        const { provider: id, keyId } = request.params;
        const known = isKnownProvider(id) && /^\d{1,18}$/.test(keyId);
        if (!known) return answerCommon(reply, { kind: "request.not-found" });
        return take(doors, { id, keyId: BigInt(keyId) }, { request, reply });
      },
    );
  });
}

type Named = { readonly id: ProviderId; readonly keyId: bigint | null };
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

async function take(
  doors: NoticeDoors,
  { id, keyId }: Named,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const provider = await doors.accounts.providerFor(id, keyId);
  if (!provider) return answerCommon(reply, { kind: "request.not-found" });
  const notice: Notice = {
    headers: request.headers,
    rawBody: bytesOf(request),
    takeAside: async (other) => keyId === null && ((await doors.takeAside?.(id, other)) ?? false),
  };
  const taken = await receiveNotice(doors, { provider, keyId }, notice);
  return taken
    ? reply.code(200).send()
    : answerRefusal(reply, { kind: "checkout.notice-not-signed" }, checkoutRefusals);
}
