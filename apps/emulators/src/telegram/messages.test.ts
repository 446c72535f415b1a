import { MINUTE_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { emulatorsEach, groupWithBot } from "../testing/test-emulators.ts";

const { emulators, receiver } = emulatorsEach();
let chat_id: number;

beforeEach(() => {
  chat_id = emulators.buyer;
  const { buyer: personId } = emulators;
  emulators.telegram.sendMessage({ personId, to: { bot: "buyer" }, text: "/start" });
});

async function send(text: string, more: object = {}) {
  return emulators.call("buyer", "sendMessage", { chat_id, text, parse_mode: "HTML", ...more });
}

/** The buyer presses the only button. */
function press(messageId: number) {
  const at = { messageId, row: 0, column: 0 };
  return emulators.telegram.pressButton({ personId: chat_id, in: { bot: "buyer" }, ...at });
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
    const chatId = groupWithBot(emulators);
    const web_app = { url: "https://sesame.ci/" };
    const markup = keyboard({ text: "Ouvrir", web_app });
    const message = { chat_id: chatId, text: "x", ...markup };
    expect(await emulators.refusal("seller", "sendMessage", message)).toBe(
      "400 Bad Request: BUTTON_TYPE_INVALID",
    );
    expect((await send("x", markup)).ok).toBe(true);
  });

  test("pressed gives a callback query, answered once in time", async () => {
    const { result } = await send("x", keyboard({ text: "Oui", callback_data: "oui:1" }));
    const messageId = Number(result?.message_id);
    expect(press(messageId)).toEqual({ kind: "callback" });
    const query = emulators.updates("buyer").at(-1)?.callback_query;
    expect(query).toMatchObject({ data: "oui:1", message: { message_id: messageId } });
    const answer = { callback_query_id: query?.id, text: "Bien reçu" };
    expect((await emulators.call("buyer", "answerCallbackQuery", answer)).ok).toBe(true);
    emulators.clock.advance(20 * MINUTE_MS);
    expect(await emulators.refusal("buyer", "answerCallbackQuery", answer)).toBe(
      "400 Bad Request: query is too old and response timeout expired or query ID is invalid",
    );
  });

  test("with an address of the app opens it inside the phone", async () => {
    const { result } = await send(
      "x",
      keyboard({ text: "Mes accès", web_app: { url: `${receiver.url}/mes-acces?a=1` } }),
    );
    const pressed = press(Number(result?.message_id));
    expect(pressed.kind).toBe("miniApp");
    if (pressed.kind !== "miniApp") return;
    const url = new URL(pressed.launch.url);
    expect(url.pathname + url.search).toBe("/mes-acces?a=1");
    expect(new URLSearchParams(url.hash.slice(1)).get("tgWebAppData")).toContain("query_id=");
  });
});

test("a message already sent is edited, but not into the same", async () => {
  const { result } = await send("un", keyboard({ text: "A", callback_data: "a" }));
  const at = { chat_id, message_id: result?.message_id };
  const edited = await emulators.call("buyer", "editMessageText", { ...at, text: "deux" });
  expect(edited.result).toMatchObject({ text: "deux", edit_date: expect.any(Number) });
  expect(edited.result).not.toHaveProperty("reply_markup");
  expect(await emulators.refusal("buyer", "editMessageText", { ...at, text: "deux" })).toBe(
    "400 Bad Request: message is not modified: specified new message content and reply markup " +
      "are exactly the same as a current content and reply markup of the message",
  );
  expect(
    await emulators.refusal("buyer", "editMessageText", { chat_id, message_id: 77, text: "x" }),
  ).toBe("400 Bad Request: message to edit not found");
});
