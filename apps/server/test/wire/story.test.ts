import { assert } from "@sesame/kernel";
import { expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { orderProduct, paymentIdOf } from "../sales.ts";
import {
  type FakePayment,
  type MonerooHabits,
  openOutside,
  openShop,
  type Outside,
  pay,
  seeOrder,
  signIn,
  type TelegramHabits,
  type Somebody,
  untilLink,
} from "./stranger.ts";

const NEVER_WRITTEN = new Set([
  "deleteWebhook",
  "setMyCommands",
  "setChatMenuButton",
  "setMyDescription",
  "setMyShortDescription",
  "revokeChatInviteLink",
  "getChatAdministrators",
  "answerCallbackQuery",
]);

/** Invalid answers prove nothing: the administrators of a group must be answered, or no group is linked. */
const NEVER_ANSWERED = new Set(
  [...NEVER_WRITTEN].filter((name) => name !== "getChatAdministrators"),
);

type Stranger = {
  readonly what: string;
  readonly telegram: TelegramHabits;
  readonly moneroo: MonerooHabits;
  /** The join request comes without the link, and without the chat for the answer. */
  readonly namelessRequests: boolean;
};

const STRANGERS: readonly Stranger[] = [
  { what: "like the real ones", telegram: {}, moneroo: {}, namelessRequests: false },
  {
    what: "that answer at once, forget nothing and know few methods",
    telegram: {
      longPoll: false,
      forgetsConfirmed: false,
      unknown: NEVER_WRITTEN,
      unknownBody: { ok: false, error_code: 404, description: "Not Found" },
      terse: true,
    },
    moneroo: {
      createdStatus: 200,
      shape: ({ id, status, amount, currency, metadata }: FakePayment) => ({
        id,
        status,
        amount: `${amount}.00`,
        currency,
        metadata: { ...(metadata as object), surprise: [] },
        capture: null,
        surprise: { of: ["every", "kind"] },
      }),
    },
    namelessRequests: true,
  },
  {
    what: "that answer nonsense to what they do not know, and know no member but the owner",
    telegram: { unknown: NEVER_ANSWERED, unknownBody: "<h1>404</h1>", knowsMembers: false },
    moneroo: {
      shape: ({ id, status, amount, currency, metadata }: FakePayment) => ({
        id,
        status,
        amount,
        currency,
        metadata,
      }),
    },
    namelessRequests: true,
  },
];

const CHAT = -1_001_234_567_890;

/** Waits until the first such call of the bot has these arguments. */
const untilCalled = (out: Outside, method: string, args: object) =>
  eventually(() => expect(out.telegram.called(method)[0]?.args).toMatchObject(args));

/** From the link of the group to the removal, by WIRE alone. */
async function playStory(out: Outside, stranger: Stranger): Promise<void> {
  const { seller, product } = await openShop(out, 501, CHAT);
  const buyer = await signIn(out, 502, "acheteur");
  const made = await orderProduct(out, buyer, product.reference);
  await pay(out, made);
  const link = await untilLink(out, buyer, made.id);
  await untilCalled(out, "createChatInviteLink", { chat_id: CHAT, creates_join_request: true });

  const shown = stranger.namelessRequests ? null : link;
  out.telegram.ask(CHAT, 502, shown);
  await untilCalled(out, "approveChatJoinRequest", { chat_id: CHAT, user_id: 502 });
  out.telegram.ask(CHAT, 503, shown);
  await untilCalled(out, "declineChatJoinRequest", { chat_id: CHAT, user_id: 503 });
  const notified = out.telegram.called("sendMessage").filter(({ args }) => args["chat_id"] === 503);
  expect(notified).toHaveLength(1);
  expect(out.telegram.called("approveChatJoinRequest")).toHaveLength(1);
  await eventually(async () => {
    expect((await seeOrder(out, buyer, made.id)).access?.status).toBe("inside");
  });
  expect(await balanceOf(out, seller)).toBe(4_100);
  await renew(out, { seller, buyer, reference: product.reference });
  await endTime(out, made.id, buyer);
}

async function balanceOf(out: Outside, seller: Somebody): Promise<number> {
  type Answer = { user: { soldeDisponible: number } };
  return (await out.call<Answer>("GET", `/api/users/${seller.id}`, seller)).body.user
    .soldeDisponible;
}

/**
 * An order during a membership adds its time, and creates no link for a member inside. No webhook
 * comes: the provider is called after ten seconds.
 */
async function renew(
  out: Outside,
  who: { seller: Somebody; buyer: Somebody; reference: string },
): Promise<void> {
  out.clock.advance(120_000);
  const made = await orderProduct(out, who.buyer, who.reference);
  await pay(out, made, false);
  expect(out.moneroo.called(`${paymentIdOf(made.payment_url)}/verify`)).toEqual([]);
  out.clock.advance(10_000);
  await eventually(async () => {
    expect(await balanceOf(out, who.seller)).toBe(8_200);
    const receipts = out.telegram
      .called("sendMessage")
      .filter(({ args }) => args["chat_id"] === who.buyer.telegramId);
    expect(receipts.length).toBeGreaterThanOrEqual(3);
  });
  const seen = await seeOrder(out, who.buyer, made.id);
  expect(seen.access).toMatchObject({ status: "inside", invite_link: null });
  expect(out.telegram.called("createChatInviteLink")).toHaveLength(1);
}

async function endTime(out: Outside, orderId: string, buyer: Somebody): Promise<void> {
  const ends = (await seeOrder(out, buyer, orderId)).access?.expires_at;
  assert(ends, "the access has an end");
  out.clock.advance(new Date(ends).getTime() - out.clock.now().getTime() + 1_000);
  const member = { chat_id: CHAT, user_id: 502 };
  await untilCalled(out, "banChatMember", member);
  await untilCalled(out, "unbanChatMember", { ...member, only_if_banned: true });
  await eventually(async () => {
    // A new sign-in: the token's thirty days are over with the membership.
    const again = await signIn(out, buyer.telegramId, "acheteur");
    expect((await seeOrder(out, again, orderId)).access?.status).toBe("removed");
  });
  expect(out.telegram.isInside(CHAT, 502)).toBe(false);
}

test.each(STRANGERS)(
  "the whole sale, with services written by somebody else: $what",
  async (stranger) => {
    const { telegram, moneroo } = stranger;
    const out = await openOutside({ telegram, moneroo, clock: true });
    await playStory(out, stranger);
    await out.close();
    expect(out.program.output()).not.toMatch(/"level":50/);
  },
);
