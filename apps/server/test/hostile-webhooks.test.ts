import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED } from "../../../tools/testing/seeded.ts";
import { ALLOWED_UPDATES, createPoller } from "../src/bot/incoming.ts";
import { addLinks } from "../src/features/groups/waiting.ts";
import type { Loop } from "../src/jobs/loop.ts";
import { createGroupFixtures } from "./groups.ts";
import { openTestApp, type TestApp } from "./harness.ts";
import {
  createPicker,
  forEach,
  HOSTILE_JSON,
  LONG_AND_UNPATTERNED,
  OWN_TO_STRING,
  pathsOf,
  plant,
  STRANGE_IDS,
} from "./hostile.ts";
import type { TestPerson } from "./http.ts";
import { sellByAll, WEBHOOKS } from "./payments.ts";
import { openOrder, openShopIn, readOrder, type Shop } from "./sales.ts";

const LONG = process.env["LONG"] === "1";
/** For each place of a body, besides the value that is never omitted. */
const DRAWN = LONG ? HOSTILE_JSON.length : 1;
const CERTAIN = [OWN_TO_STRING, LONG_AND_UNPATTERNED];
const some = createPicker();

/** The sample unchanged, the whole body replaced, and each of its values: texts to send. */
function hostileBodies(sample: unknown): string[] {
  const hostile = pathsOf(sample).flatMap((path) =>
    [...CERTAIN, ...some(HOSTILE_JSON, DRAWN)].map((each) => plant(sample, path, each)),
  );
  return [JSON.stringify(sample), ...hostile];
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** → what was answered with an error of ours */
async function post(app: TestApp, path: string, sent: Sent): Promise<string[]> {
  const { status } = await app.call("POST", path, sent);
  return status < 500 ? [] : [`${path} ${sent.body.slice(0, 300)} → ${status}`];
}

describe("hostile JSON in every field of every provider's signed webhook", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app?.close());

  test("exists for each provider that sends webhooks", () => {
    const routes = app.app.http.routeTable.flatMap(({ url }) =>
      url.startsWith("/webhooks/") && !url.includes(":") ? [url.slice("/webhooks/".length)] : [],
    );
    expect(new Set(routes)).toEqual(new Set(Object.keys(WEBHOOKS)));
  });

  test.each(Object.entries(WEBHOOKS))("%s", { timeout: 600_000 }, async (provider, source) => {
    const shop = await openShopIn(app);
    const unpaid = source.sampleOf(await orderBy(shop, provider));
    const failures = await forEach(hostileBodies(unpaid), (body) =>
      post(app, `/webhooks/${provider}`, source.sign(body, app.clock.now())),
    );
    expect(failures.flat(), `SESAME_SEED=${SEED}`).toEqual([]);
    const order = await openOrder(shop);
    await app.pay("moneroo", order.paymentId);
    expect(await readOrder(shop, order.id)).toMatchObject({ status: "paid" });
    expect(app.takeErrors()).toEqual([]);
  });
});

/** → the provider's id of an unpaid payment. */
async function orderBy({ app, seller, buyer, reference }: Shop, provider: string): Promise<string> {
  await sellByAll(app, seller);
  const order = await app.done("POST /api/orders", buyer, { reference, provider });
  return app.lastPaymentOf(order.id);
}

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));

/** The data of buttons in the server's code, with `*` for variable parts. */
function buttonsInCode(): string[] {
  const texts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(SOURCE, name), "utf8"));
  const written = texts.flatMap((text) =>
    [...text.matchAll(/\bcallback(?::| =) (?:`([^`]*)`|"([^"]*)"|([A-Z_]+))/g)].map(
      ([, template, literal, name]) =>
        template ??
        literal ??
        new RegExp(`const ${name} = "([^"]*)"`).exec(text)?.[1] ??
        `${name}?`,
    ),
  );
  return [...new Set(written.map((each) => numberless(each.replaceAll(/\$\{[^}]*\}/g, "*"))))];
}

const numberless = (data: string): string => data.replaceAll(/\d+/g, "*");

/** Each number in it replaced by one that no button of the bot has. */
function withStrangeIds(data: string): string[] {
  return [...data.matchAll(/\d+/g)].flatMap(({ index, 0: id }) =>
    some(STRANGE_IDS, LONG ? STRANGE_IDS.length : 2).map(
      (strange) => data.slice(0, index) + strange + data.slice(index + id.length),
    ),
  );
}

const SECRET = "a-webhook-secret";
const SELLERS = ["seller"] as const;
const BUYERS = ["buyer"] as const;
const BOTS = ["seller", "buyer"] as const;
type UpdateType = (typeof ALLOWED_UPDATES)[number];
/** The update about the bot's own rights comes last: without them nobody can join the group. */
const TYPES = ALLOWED_UPDATES.toSorted((a, b) =>
  a === "my_chat_member" ? 1 : b === "my_chat_member" ? -1 : 0,
);

describe("hostile JSON in every field of every update of Telegram's", () => {
  let app: TestApp;
  let club: Club;
  /** The data of the buttons that the bots have sent. */
  const sent = new Set<string>();
  beforeAll(async () => {
    app = await openTestApp({
      env: { TELEGRAM_WEBHOOK_SECRET: SECRET, PUBLIC_URL: "https://sesame.example" },
    });
    // The emulated Telegram sends updates to a poller only: its webhooks need https.
    const gateway = app.core.telegram.gatewayOf("seller");
    (app.app.loops as Loop[]).unshift(createPoller(app.core, gateway));
    app.emulators.telegram.onExchange(({ params }) => {
      const data = JSON.stringify(params).matchAll(/"callback_data":"([^"]*)"/g);
      for (const [, each = ""] of data) sent.add(numberless(each));
    });
    club = await openClub(app);
  });
  afterAll(() => app?.close());

  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET };
  let updateId = 1_000_000_000;

  const waitingUpdates = () => app.value<bigint>`
    SELECT count(*) AS count FROM telegram_updates WHERE handled_at IS NULL`;

  /** Handles the updates. What Telegram refuses is tried a few times, then closed. */
  async function handleAll(): Promise<void> {
    const loops = app.app.loops.filter(({ name }) => name.startsWith("updates "));
    for (let round = 0; round < 60 && (await waitingUpdates()) > 0n; round++) {
      for (const loop of loops) await loop.drain();
      app.clock.advance(MINUTE_MS);
    }
  }

  function hostileUpdates(type: UpdateType): string[] {
    const samples = sampleUpdates(club)[type];
    if (type !== "callback_query") return samples.flatMap(hostileBodies);
    const [first, ...others] = samples;
    const pressed = others.flatMap((press) =>
      [press["data"], ...withStrangeIds(String(press["data"]))].map((data) => ({ ...press, data })),
    );
    return [...hostileBodies(first), ...pressed.map((press) => JSON.stringify(press))];
  }

  test.each(TYPES)("%s", { timeout: 1_200_000 }, async (type) => {
    const bodies = hostileUpdates(type).map(
      (inner) => `{"update_id":${++updateId},"${type}":${inner}}`,
    );
    const sample = JSON.stringify(sampleUpdates(club)[type][0]);
    const misnumbered = HOSTILE_JSON.map((each) => `{"update_id":${each},"${type}":${sample}}`);
    const failures = await forEach([...bodies, ...misnumbered], async (body) => {
      const bots = type === "message" ? BOTS : type === "pre_checkout_query" ? BUYERS : SELLERS;
      const answers = bots.map((bot) => post(app, `/webhooks/telegram/${bot}`, { headers, body }));
      return (await Promise.all(answers)).flat();
    });
    expect(failures.flat(), `SESAME_SEED=${SEED}`).toEqual([]);
    await handleAll();
    expect(await waitingUpdates()).toBe(0n);
    // Nor did a handler fail: "update failed" is an error.
    expect(app.takeErrors(), `SESAME_SEED=${SEED}`).toEqual([]);
    expect(Object.fromEntries(app.app.guard.counts())).toEqual({});
    const { channels } = await app.read("GET /api/channels", await app.signInSeller(club.seller));
    expect(channels.map(({ id }) => id)).toContain(club.groupId);
  });

  test("includes honest updates that work: people are admitted, and entries are decided", async () => {
    const decided = await app.values<string>`
      SELECT status FROM unpaid_entries WHERE group_id = ${club.groupId} ORDER BY id`;
    expect(decided.slice(1, 5)).toEqual(["removing", "allowed", "granted", "new"]);
    const { accesses } = await app.read("GET /api/me/access", await app.signInBuyer(club.buyer));
    expect(accesses).toMatchObject([{ status: "inside" }]);
  });

  test("presses every button that the bots send, and no other is sent", () => {
    const pressed = [...new Set(buttonsOf(club).map(numberless))];
    const matches = (pattern: string) => {
      const form = new RegExp(`^${pattern.replaceAll("*", "[^:]+")}$`);
      return pressed.filter((each) => form.test(each));
    };
    const inCode = buttonsInCode();
    expect(inCode.filter((pattern) => matches(pattern).length === 0)).toEqual([]);
    expect(pressed.filter((each) => !inCode.flatMap(matches).includes(each))).toEqual([]);
    expect([...sent].filter((each) => !pressed.includes(each))).toEqual([]);
    // These two are complete in the code; of the others the code has a verb elsewhere.
    expect(pressed.filter((each) => !sent.has(each))).toEqual(["group:check:*", "payout:freeze"]);
  });
});

/** People and things of honest updates: a group that the bot serves, with buyers and newcomers. */
type Club = Awaited<ReturnType<typeof openClub>>;

const ENTRIES = 4;

async function openClub(app: TestApp) {
  const fixture = createGroupFixtures(app);
  const shop = await fixture.openShop();
  // The message that the group is linked has buttons too.
  await fixture.settle();
  const { seller, group, reference } = shop;
  const { buyer: member } = await fixture.buyerInside(shop);
  const { buyer, link } = await fixture.buyerWaiting(shop);
  for (let nth = 0; nth < ENTRIES; nth++) {
    await fixture.add(shop, member.person.id, (await app.person({ first_name: `Ami ${nth}` })).id);
  }
  const inStars = await app.done("POST /api/orders", member, { reference, provider: "stars" });
  return {
    seller: seller.person,
    member: member.person,
    /** Has paid, and has not asked to join. */
    buyer: buyer.person,
    stranger: await app.person(),
    chatId: group.chatId,
    groupId: group.id,
    reference,
    /** Of the link by which the seller adds the bot to a group. */
    addPayload:
      new URL(addLinks(app.core, "bot", BigInt(seller.id)).group).searchParams.get("startgroup") ??
      "",
    inviteLink: link,
    /** People who came in without paid time; each waits for the seller's decision. */
    entries: await app.values<string>`
      SELECT id::text FROM unpaid_entries WHERE group_id = ${group.id} ORDER BY unpaid_entries.id`,
    invoice: await app.lastPaymentOf(inStars.id),
    /** The group that migrates. */
    otherChatId: (await app.linkGroup(seller)).chatId,
  };
}

/** The data of every button that the bot sends, pressed by the seller of the club. */
function buttonsOf({ groupId, entries }: Pick<Club, "groupId" | "entries">): string[] {
  const [shown, removed, allowed, given] = entries;
  return [
    `entry:card:${shown}`,
    `entry:time:${shown}`,
    `entry:remove:${removed}`,
    `entry:allow:${allowed}`,
    `entry:give:${given}:43200`,
    `entry:list:${groupId}:0`,
    `entry:list:${groupId}:${shown}`,
    `group:check:${groupId}`,
    `group:close-adds:${groupId}`,
    `group:remove-added:${groupId}:on`,
    `group:remove-added:${groupId}:off`,
    "payout:freeze",
  ];
}

type Samples = Readonly<
  Record<(typeof ALLOWED_UPDATES)[number], readonly Readonly<Record<string, unknown>>[]>
>;

/** Honest updates of each requested type, in the form of Telegram's documentation. */
function sampleUpdates(club: Club): Samples {
  const user = ({ id, first_name }: TestPerson) => ({
    id,
    is_bot: false,
    first_name,
    language_code: "fr",
  });
  const seller = user(club.seller);
  const buyer = user(club.buyer);
  const member = user(club.member);
  const stranger = user(club.stranger);
  const date = 1_700_000_000;
  const inPrivate = { ...member, type: "private" };
  const group = { id: club.chatId, type: "supergroup", title: "Club VIP" };
  const bot = { id: 7_000_000_001, is_bot: true, first_name: "Sésame", username: "sesame_bot" };
  const rights = { can_be_edited: false, can_manage_chat: true, can_invite_users: true };
  const admin = { status: "administrator", ...rights, can_restrict_members: true };
  const link = { invite_link: club.inviteLink, creator: bot, creates_join_request: true };
  const privately = { date, from: member, chat: inPrivate };
  const inGroup = { date, from: seller, chat: group };
  const invoice = { currency: "XTR", total_amount: 100, invoice_payload: club.invoice };
  const charge = { telegram_payment_charge_id: "c1", provider_payment_charge_id: "p1" };
  return {
    message: [
      { message_id: 1, ...privately, text: `/start ${club.reference}` },
      { message_id: 2, ...privately, text: "/mesacces" },
      { message_id: 3, ...inGroup, new_chat_title: "Club" },
      { message_id: 4, ...inGroup, text: `/start@sesame_bot ${club.addPayload}` },
      { message_id: 5, ...privately, successful_payment: { ...invoice, ...charge } },
      { message_id: 6, ...privately, refunded_payment: { ...invoice, ...charge } },
      {
        message_id: 7,
        ...inGroup,
        chat: { ...group, id: club.otherChatId },
        migrate_to_chat_id: club.otherChatId - 1_000_000,
      },
    ],
    callback_query: buttonsOf(club).map((data, nth) => ({
      id: String(nth),
      from: seller,
      message: { message_id: 1, date, chat: { ...seller, type: "private" }, text: "x" },
      chat_instance: "1",
      data,
    })),
    my_chat_member: [
      {
        ...inGroup,
        old_chat_member: { user: bot, status: "member" },
        new_chat_member: { user: bot, ...admin },
      },
    ],
    chat_member: [
      {
        ...inGroup,
        from: buyer,
        old_chat_member: { user: buyer, status: "left" },
        new_chat_member: { user: buyer, status: "member" },
        invite_link: link,
      },
      {
        ...inGroup,
        from: member,
        old_chat_member: { user: stranger, status: "left" },
        new_chat_member: { user: stranger, status: "member" },
      },
      {
        ...inGroup,
        old_chat_member: { user: member, status: "member" },
        new_chat_member: { user: member, ...admin },
      },
    ],
    chat_join_request: [buyer, stranger].map((from) => ({
      ...inGroup,
      from,
      user_chat_id: from.id,
      invite_link: link,
    })),
    pre_checkout_query: [{ id: "1", from: member, ...invoice }],
  };
}
