import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "./harness.ts";
import { createOwnershipScene, type OwnershipScene, type Role } from "./ownership-scene.ts";
import { publishProduct } from "./stage.ts";

/** The chat it is about; the product looked at, else the owner publishes one; whose id is right. */
export type Played = {
  readonly chatId: number;
  readonly reference?: string;
  readonly owner?: string;
};

export type Situation = {
  readonly when: string;
  play(scene: OwnershipScene, app: TestApp): Promise<Played>;
  /** Whose the group is then: played by one of the two, by whom `Played` names, or nobody's. */
  readonly owner: Role | "the last proven" | null;
  /** Words the bot has said to each, once. */
  readonly told?: Partial<Record<Role, string>>;
  /** Whether the product can be bought; absent: there is none. */
  readonly sells?: boolean;
};

/** What the bot says, by the words that no other message holds. */
export const SAID = {
  linked: "est relié. Vous pouvez maintenant",
  paused: "ses ventes sont en pause",
  sellerLost: "n'en est plus administrateur",
  notAdmin: "Seul un administrateur",
  lacking: "Il vous manque",
} as const;

/** Plays each against the emulated Telegram: whose the group is, who is told, whether it sells. */
export function playSituations(title: string, situations: readonly Situation[]): void {
  describe(title, () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startTestApp();
    });
    afterAll(() => app.close());
    for (const situation of situations) {
      const whose = situation.owner === null ? "nobody's" : `${situation.owner}'s`;
      test(`it is ${whose} when ${situation.when}`, async () => {
        const scene = await createOwnershipScene(app);
        const played = await situation.play(scene, app);
        await scene.settle();
        await look(app, scene, { situation, played });
      });
    }
  });
}

async function look(
  app: TestApp,
  scene: OwnershipScene,
  { situation, played }: { situation: Situation; played: Played },
): Promise<void> {
  const { chatId } = played;
  expect(await scene.sellerOf(chatId)).toBe(played.owner ?? situation.owner);
  for (const role of ["owner", "other"] as const) {
    const words = situation.told?.[role];
    if (words !== undefined) expect([role, scene.said(role, words)]).toEqual([role, 1]);
  }
  if (situation.owner === null) {
    expect(scene.said("owner", SAID.linked) + scene.said("other", SAID.linked)).toBe(0);
  }
  if (situation.sells === undefined) return;
  const seller = situation.owner === "other" ? scene.other : scene.owner;
  const reference =
    played.reference ??
    (await publishProduct(app, { seller, group: await scene.linked(chatId) })).reference;
  const { status, code } = await scene.order(reference);
  expect([status, code]).toEqual(
    situation.sells ? [201, undefined] : [422, "checkout.group-unhealthy"],
  );
}
