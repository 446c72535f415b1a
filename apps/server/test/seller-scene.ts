import type { AnswerOf } from "@sesame/contract/routes";
import type { ChannelOnWire } from "@sesame/contract/groups";
import { assert } from "@sesame/kernel";
import type { SignedInSeller, TestApp } from "./harness.ts";

export const RIGHTS = ["manage_chat", "restrict_members", "invite_users"] as const;

/** What a seller does and sees around his groups. */
export function createSellerScene(app: TestApp) {
  const say = (personId: number, text: string): void => {
    app.emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text });
  };
  return {
    say,
    async channelsOf(token: string): Promise<ChannelOnWire[]> {
      const answer = await app.call<AnswerOf<"GET /api/channels">>("GET", "/api/channels", {
        token,
      });
      assert(answer.status === 200, `the groups answered ${answer.status}`);
      return answer.body.channels;
    },
    /** Time enough for several changes to settle before the seller is told. */
    async settle(): Promise<void> {
      await app.drain();
      app.clock.advance(2_000);
      await app.drain();
    },
    /** A seller the bot may write to: it hears so at the next drain, before it has anything to say. */
    async sellerInTouch(): Promise<SignedInSeller> {
      const seller = await app.signInSeller();
      say(seller.person.id, "/start");
      return seller;
    },
  };
}

export type SellerScene = ReturnType<typeof createSellerScene>;
