import type { UserOnWire } from "@sesame/contract/identity";
import {
  type BalanceWords,
  balanceWords,
  type GreetingWords,
  greetingWords,
} from "../../features/reports/home-words.ts";

export type PictureWords = GreetingWords & BalanceWords;

/** What stands in the picture's markup where a word of the seller will. */
export const MARKS: PictureWords = {
  hello: "{hello}",
  name: "{name}",
  letters: "{letters}",
  plan: "{plan}",
  available: "{available}",
  note: "{note}",
};

export function pictureWords(user: UserOnWire): PictureWords {
  return { ...greetingWords(user), ...balanceWords(user) };
}
