import { createContext, type Dispatch, useContext } from "react";
import type {
  ActorAnswer,
  ActorCalls,
  ButtonView,
  LaunchOptions,
  PersonView,
  PhoneView,
  Place,
} from "../../wire.ts";
import type { Scheme } from "./theme.ts";
import type { PhoneUi, UiEvent } from "./ui-state.ts";

/** One by one over a union, so that no member of it is lost. */
export type WithoutPerson<T> = T extends unknown ? Omit<T, "personId"> : never;

export type ButtonPlace = { messageId: number; row: number; column: number };

/** What a screen of a phone needs: who holds it, what is open, and what that person can do. */
export type PhoneHandle = {
  phone: PhoneView;
  person: PersonView;
  scheme: Scheme;
  ui: PhoneUi;
  dispatch: Dispatch<UiEvent>;
  /** Says a refusal on the phone and answers null; outages are said too. */
  act: <K extends keyof ActorCalls>(
    name: K,
    takes: WithoutPerson<ActorCalls[K]["takes"]>,
  ) => Promise<{ gives: ActorAnswer<K> } | null>;
  openUrl: (url: string) => Promise<void>;
  pressButton: (place: Place, at: ButtonPlace, button: ButtonView) => void;
  openApp: (options: Omit<LaunchOptions, "personId" | "phone" | "theme">) => Promise<void>;
  /** The same app with fresh init data, as after a jump of the clock. */
  reopenApp: () => Promise<void>;
  say: (text: string) => void;
  /** Into the clipboard, and says so; a browser may refuse without harm. */
  copy: (text: string) => void;
};

export const PhoneContext = createContext<PhoneHandle | null>(null);

export function usePhone(): PhoneHandle {
  const phone = useContext(PhoneContext);
  if (phone === null) throw new Error("no phone above this component");
  return phone;
}
