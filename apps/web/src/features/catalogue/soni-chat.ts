import type { OfferAnswers, OfferGoal } from "@sesame/contract/catalogue";
import { offerOf, soniCopy as copy } from "./messages.fr.ts";
export type Message = { readonly from: "soni" | "seller"; readonly text: string };
export type Question = "greeting" | "name" | "goal" | "motivation" | "ready";

/** What was said, what is asked now, and whether Soni is about to answer. */
export type Chat = {
  readonly messages: readonly Message[];
  readonly asks: Question;
  readonly answers: OfferAnswers;
  readonly writing: boolean;
};

export type Told =
  | { readonly what: "begin" }
  | { readonly what: "learn" }
  | { readonly what: "name"; readonly name: string }
  | { readonly what: "goal"; readonly goal: OfferGoal }
  | { readonly what: "motivation"; readonly motivation: number };

const NOTHING: OfferAnswers = { name: null, goal: null, motivation: null };
export const MOTIVATIONS = [1, 2, 3, 4, 5] as const;

/** The chat as it stands with what was answered before, on whatever device. */
export function openChat(answers: OfferAnswers, sellerName: string): Chat {
  const hello: Message = { from: "soni", text: copy.hello(sellerName) };
  let chat: Chat = { messages: [hello], asks: "greeting", answers: NOTHING, writing: false };
  for (const told of retold(answers)) chat = reply(say(chat, told));
  return chat;
}

function retold({ name, goal, motivation }: OfferAnswers): Told[] {
  if (name === null) return [];
  const told: Told[] = [{ what: "begin" }, { what: "name", name }];
  if (goal === null) return told;
  told.push({ what: "goal", goal });
  return motivation === null ? told : [...told, { what: "motivation", motivation }];
}

/** The seller's words stand at once; Soni's come by `reply`. Blank ones are ignored (B §2). */
export function say(chat: Chat, told: Told): Chat {
  const text = wordsOf(told);
  if (chat.writing || text === "") return chat;
  const messages = [...chat.messages, { from: "seller" as const, text }];
  return { messages, writing: true, ...next(chat, told) };
}

function wordsOf(told: Told): string {
  switch (told.what) {
    case "begin":
      return copy.begin;
    case "learn":
      return copy.learn;
    case "name":
      return told.name.trim();
    case "goal":
      return copy.goals[told.goal];
    case "motivation":
      return copy.motivation(told.motivation);
  }
}

function next({ answers }: Chat, told: Told): Pick<Chat, "asks" | "answers"> {
  switch (told.what) {
    case "begin":
      return { asks: "name", answers };
    case "learn":
      return { asks: "greeting", answers };
    case "name":
      return { asks: "goal", answers: { ...answers, name: told.name.trim() } };
    case "goal":
      return { asks: "motivation", answers: { ...answers, goal: told.goal } };
    case "motivation":
      return { asks: "ready", answers: { ...answers, motivation: told.motivation } };
  }
}

/** Soni's turn: her next question. */
export function reply(chat: Chat): Chat {
  if (!chat.writing) return chat;
  const message: Message = { from: "soni", text: questionOf(chat) };
  return { ...chat, messages: [...chat.messages, message], writing: false };
}

const MINUTES_A_DAY = 1_440;

function questionOf({ asks, answers }: Chat): string {
  switch (asks) {
    case "greeting":
      return copy.learnt;
    case "name":
      return copy.askName;
    case "goal":
      return copy.askGoal(answers.name ?? "");
    case "motivation":
      return copy.askMotivation;
    case "ready":
      return copy.ready((offerIn(answers)?.minutes ?? 0) / MINUTES_A_DAY);
  }
}

/** The offer all three answers make; null while one is missing. */
export function offerIn({ name, goal, motivation }: OfferAnswers) {
  if (name === null || goal === null || motivation === null) return null;
  return offerOf({ name, goal, motivation });
}
