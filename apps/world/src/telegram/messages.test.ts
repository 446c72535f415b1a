import { MINUTE_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { groupWithBot, testWorld, TOKENS, type TestWorld } from "../testing/test-world.ts";

let world: TestWorld;
let chat_id: number;

beforeEach(async () => {
  world = await testWorld();
  chat_id = world.buyer;
  world.telegram.sendMessage({ personId: world.buyer, to: { bot: "buyer" }, text: "/start" });
});

afterEach(async () => {
  await world.close();
  expect(world.complaints()).toEqual([]);
});

async function send(text: string, more: object = {}) {
  return world.call("buyer", "sendMessage", { chat_id, text, parse_mode: "HTML", ...more });
}

function keyboard(...buttons: object[]) {
  return { reply_markup: { inline_keyboard: [buttons] } };
}

describe("a text in HTML", () => {
  test("becomes plain text and entities", async () => {
    const html =
      'Payé : <b>5 000 &lt;FCFA&gt;</b>, <a href="https://t.me/x">voir <i>ici</i></a> 😀';
    const { result } = await send(`  ${html} `);
    expect(result?.text).toBe("Payé : 5 000 <FCFA>, voir ici 😀");
    expect(result?.entities).toEqual([
      { type: "bold", offset: 7, length: 12 },
      { type: "text_link", url: "https://t.me/x", offset: 21, length: 8 },
      { type: "italic", offset: 26, length: 3 },
    ]);
  });

  test.each([
    ["<p>x</p>", 'can\'t parse entities: Unsupported start tag "p" at byte offset 0'],
    ["é<b>x", "can't parse entities: Can't find end tag corresponding to start tag \"b\""],
    ["x</b>", "can't parse entities: Unexpected end tag at byte offset 1"],
    [
      "<b>x</i>",
      'can\'t parse entities: Unmatched end tag at byte offset 4, expected "</b>", found "</i>"',
    ],
    ["", "message text is empty"],
    [" <b> </b> ", "message text is empty"],
    ["x".repeat(4097), "message is too long"],
  ])("is refused when it is wrong: %s", async (text, complaint) => {
    expect((await send(text)).description).toBe(`Bad Request: ${complaint}`);
  });

  test("shows addresses, mentions and commands without markup", async () => {
    const { result } = await send("/start puis @sesame ou https://sesame.ci/a?b=1.");
    expect(result?.entities).toEqual([
      { type: "bot_command", offset: 0, length: 6 },
      { type: "mention", offset: 12, length: 7 },
      { type: "url", offset: 23, length: 23 },
    ]);
  });
});

describe("an inline button", () => {
  test.each([
    [{ text: "A", callback_data: "é".repeat(33) }, "BUTTON_DATA_INVALID"],
    [
      { text: "A", url: "nowhere" },
      "inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL",
    ],
    [
      { text: "A" },
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      { text: "A", web_app: { url: "http://sesame.ci/" } },
      "inline keyboard button Web App URL 'http://sesame.ci/' is invalid: " +
        "Only HTTPS links are allowed",
    ],
  ])("is refused when it is wrong: %o", async (button, complaint) => {
    const answer = await send("x", keyboard(button));
    expect(answer.description).toBe(`Bad Request: ${complaint}`);
  });

  test("that opens a mini app stands in private chats only", async () => {
    const chatId = groupWithBot(world);
    const web_app = { url: "https://sesame.ci/" };
    const markup = keyboard({ text: "Ouvrir", web_app });
    const refused = await world.refusal("seller", "sendMessage", {
      chat_id: chatId,
      text: "x",
      ...markup,
    });
    expect(refused).toBe("400 Bad Request: BUTTON_TYPE_INVALID");
    expect((await send("x", markup)).ok).toBe(true);
  });

  test("pressed gives a callback query, answered once in time", async () => {
    const { result } = await send("x", keyboard({ text: "Oui", callback_data: "oui:1" }));
    const messageId = Number(result?.message_id);
    const at = { personId: world.buyer, in: { bot: "buyer" as const }, messageId };
    expect(world.telegram.pressButton({ ...at, row: 0, column: 0 })).toEqual({ kind: "callback" });
    const query = world.updates("buyer").at(-1)?.callback_query;
    expect(query).toMatchObject({ data: "oui:1", message: { message_id: messageId } });
    const answer = { callback_query_id: query?.id, text: "Bien reçu" };
    expect((await world.call("buyer", "answerCallbackQuery", answer)).ok).toBe(true);
    world.clock.advance(20 * MINUTE_MS);
    expect(await world.refusal("buyer", "answerCallbackQuery", answer)).toBe(
      "400 Bad Request: query is too old and response timeout expired or query ID is invalid",
    );
  });

  test("with an address of the app opens it inside the phone", async () => {
    const { result } = await send(
      "x",
      keyboard({ text: "Mes accès", web_app: { url: "http://127.0.0.1:9/mes-acces?a=1" } }),
    );
    const pressed = world.telegram.pressButton({
      personId: world.buyer,
      in: { bot: "buyer" },
      messageId: Number(result?.message_id),
      row: 0,
      column: 0,
    });
    expect(pressed.kind).toBe("miniApp");
    if (pressed.kind !== "miniApp") return;
    const url = new URL(pressed.launch.url);
    expect(url.pathname + url.search).toBe("/mes-acces?a=1");
    expect(new URLSearchParams(url.hash.slice(1)).get("tgWebAppData")).toContain("query_id=");
  });
});

describe("a message that wants an answer", () => {
  test("keeps the answer open until the person writes, and is what it replies to", async () => {
    const reply_markup = { force_reply: true, input_field_placeholder: "PP26…" };
    const { result } = await send("Référence ?", { reply_markup });
    const messageId = Number(result?.message_id);
    const asks = () => world.state().dialogs.find((one) => one.personId === world.buyer)?.asks;
    expect(asks()).toEqual({ messageId, placeholder: "PP26…" });
    const to = { bot: "buyer" as const };
    world.telegram.sendMessage({ personId: world.buyer, to, text: "PP1", replyTo: messageId });
    expect(world.updates("buyer").at(-1)?.message).toMatchObject({
      text: "PP1",
      reply_to_message: { message_id: messageId, text: "Référence ?" },
    });
    expect(asks()).toBe(null);
  });
});

describe("a message already sent", () => {
  test("is edited, but not into the same", async () => {
    const { result } = await send("un", keyboard({ text: "A", callback_data: "a" }));
    const at = { chat_id, message_id: result?.message_id };
    const edited = await world.call("buyer", "editMessageText", { ...at, text: "deux" });
    expect(edited.result).toMatchObject({ text: "deux", edit_date: expect.any(Number) });
    expect(edited.result).not.toHaveProperty("reply_markup");
    expect(await world.refusal("buyer", "editMessageText", { ...at, text: "deux" })).toBe(
      "400 Bad Request: message is not modified: specified new message content and reply markup " +
        "are exactly the same as a current content and reply markup of the message",
    );
    const markup = keyboard({ text: "B", callback_data: "b" });
    const marked = await world.call("buyer", "editMessageReplyMarkup", { ...at, ...markup });
    expect(marked.result).toMatchObject({ text: "deux", ...markup });
  });

  test("can be deleted once", async () => {
    const { result } = await send("un");
    const at = { chat_id, message_id: result?.message_id };
    expect((await world.call("buyer", "deleteMessage", at)).ok).toBe(true);
    expect(await world.refusal("buyer", "deleteMessage", at)).toBe(
      "400 Bad Request: message to delete not found",
    );
    expect(await world.refusal("buyer", "editMessageText", { ...at, text: "x" })).toBe(
      "400 Bad Request: message to edit not found",
    );
  });
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

describe("a photo", () => {
  test("is uploaded, captioned, shown, and sent again by its id", async () => {
    const form = new FormData();
    form.set("chat_id", String(chat_id));
    form.set("photo", "attach://picture");
    form.set("caption", "<b>Offre</b>");
    form.set("parse_mode", "HTML");
    form.set("picture", new Blob([PIXEL], { type: "image/png" }), "offre.png");
    const url = `${world.apiRoot}/bot${TOKENS.buyer}/sendPhoto`;
    const answer = await fetch(url, { method: "POST", body: form });
    const { result } = (await answer.json()) as { result: { photo: { file_id: string }[] } };
    expect(result).toMatchObject({
      caption: "Offre",
      caption_entities: [{ type: "bold", offset: 0, length: 5 }],
      photo: [{ width: 1, height: 1 }],
    });
    const photo = result.photo[0]?.file_id;
    expect((await world.call("buyer", "sendPhoto", { chat_id, photo })).ok).toBe(true);
    const shown = await fetch(`${world.apiRoot}/world/files/${photo}`);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PIXEL);
    expect((await world.call("buyer", "getFile", { file_id: photo })).ok).toBe(true);
  });

  test("is refused when it is no picture", async () => {
    expect(await world.refusal("buyer", "sendPhoto", { chat_id, photo: "nothing" })).toBe(
      "400 Bad Request: wrong file identifier/HTTP URL specified",
    );
  });
});

describe("a prepared message", () => {
  test("is shared by its person with another, and expires", async () => {
    const prepare = () =>
      world.call("buyer", "savePreparedInlineMessage", {
        user_id: world.buyer,
        allow_user_chats: true,
        result: {
          type: "article",
          id: "1",
          title: "VIP",
          input_message_content: { message_text: "<b>VIP</b>", parse_mode: "HTML" },
          ...keyboard({ text: "Acheter", url: "https://t.me/SesameBot?startapp=abc123" }),
        },
      });
    const shareIt = (id: unknown) =>
      world.telegram.sendPreparedMessage({
        personId: world.buyer,
        bot: "buyer",
        id: String(id),
        to: { personId: world.stranger },
      });
    const first = await prepare();
    expect(shareIt(first.result?.id)).toEqual({ sent: true });
    expect(world.state().talks[0]?.messages[0]).toMatchObject({
      text: "VIP",
      buttons: [[{ text: "Acheter", kind: "url" }]],
    });
    world.clock.advance(120 * MINUTE_MS);
    expect(shareIt(first.result?.id)).toEqual({ error: "MESSAGE_EXPIRED" });
  });
});
