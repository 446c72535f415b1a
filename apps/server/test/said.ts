import type { BotRole, ButtonView, MessageView, Emulators } from "../../emulators/src/index.ts";

/** What a bot has said to a person, oldest first. */
export function messagesTo(emulators: Emulators, personId: number, bot: BotRole): MessageView[] {
  const dialog = emulators
    .state()
    .dialogs.find((each) => each.personId === personId && each.bot === bot);
  return (dialog?.messages ?? []).filter((message) => message.from.isBot);
}

export function lastTo(emulators: Emulators, personId: number, bot: BotRole): MessageView {
  const message = messagesTo(emulators, personId, bot).at(-1);
  if (!message) throw new Error(`the ${bot} bot said nothing to ${personId}`);
  return message;
}

/** What a bot has said in a group. */
export function messagesIn(emulators: Emulators, chatId: number): MessageView[] {
  const chat = emulators.state().chats.find((each) => each.id === chatId);
  return (chat?.messages ?? []).filter((message) => message.from.isBot && message.service === null);
}

export function buttonOf(message: MessageView, text: string): ButtonView {
  const button = message.buttons.flat().find((each) => each.text === text);
  if (!button) throw new Error(`no button "${text}" under "${message.text}"`);
  return button;
}

/** Taps a button of the last message of a bot to a person. */
export function tap(
  emulators: Emulators,
  press: { personId: number; bot: BotRole; text: string },
): void {
  const { personId, bot, text } = press;
  const message = lastTo(emulators, personId, bot);
  const row = message.buttons.findIndex((each) => each.some((button) => button.text === text));
  const column = message.buttons[row]?.findIndex((button) => button.text === text) ?? -1;
  const { messageId } = message;
  emulators.telegram.pressButton({ personId, in: { bot }, messageId, row, column });
}
