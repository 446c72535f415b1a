import { createContext, useContext, useReducer } from "react";
import type {
  ActorCalls,
  BotRole,
  ButtonPlace,
  ChatKind,
  InlineKeyboardButton,
  InvitePreview,
  InvoiceOutcome,
  InvoiceView,
  Launch,
  LaunchOptions,
  OpenedLink,
  PersonView,
  PhoneView,
  Place,
  PressedButton,
} from "../../wire.ts";
import { act, EmulatorRefusal } from "../emulators.ts";
import { phoneCopy } from "./messages.fr.ts";

export type Screen =
  | { at: "chats" }
  | { at: "dialog"; bot: BotRole; startPayload: string | null }
  | { at: "chat"; chatId: number }
  | { at: "info"; chatId: number }
  | { at: "admin"; chatId: number; bot: BotRole }
  | { at: "person"; personId: number }
  | { at: "create"; kind: ChatKind };

export type AddLink = Extract<OpenedLink, { kind: "addToGroup" | "addToChannel" }>;

export type Sheet =
  | { kind: "invite"; invite: InvitePreview }
  /** `url`: asked again after a group was created from the chooser. */
  | { kind: "addBot"; link: AddLink; url: string }
  | { kind: "share"; text: string }
  | { kind: "invoice"; invoice: InvoiceView; onClosed: ((status: ClosedInvoice) => void) | null }
  | { kind: "compose" };

/** As the mini app receives it; `pending`: closed before the bot had answered. */
export type ClosedInvoice = InvoiceOutcome | "pending";

export type OpenApp = {
  launch: Launch;
  minimised: boolean;
  /** Grows when the app must be loaded anew. */
  generation: number;
};

export type PhoneUi = typeof FIRST_UI;

/** What changes, or how it follows from what is shown. */
export type UiChange = Partial<PhoneUi> | ((ui: PhoneUi) => Partial<PhoneUi>);

export const FIRST_UI = {
  stack: [{ at: "chats" }] as Screen[],
  sheet: null as Sheet | null,
  app: null as OpenApp | null,
  browserUrl: null as string | null,
  notice: null as { kind: "toast" | "alert"; text: string } | null,
};

export const nextUi = (ui: PhoneUi, change: UiChange): PhoneUi => ({
  ...ui,
  ...(typeof change === "function" ? change(ui) : change),
});

/** Showing a chat puts the mini app and the browser behind it: since 7.0 the app stays open. */
const show = (stackFrom: (stack: Screen[]) => Screen[]) => (ui: PhoneUi) => {
  const app = ui.app && { ...ui.app, minimised: true };
  return { stack: stackFrom(ui.stack), app, sheet: null, browserUrl: null };
};
export const push = (screen: Screen) => show((stack) => [...stack, screen]);
/** From the list: what was open before is left. */
export const goTo = (screen: Screen) => show(() => [{ at: "chats" }, screen]);
export const replace = (screen: Screen) => show((stack) => [...stack.slice(0, -1), screen]);
export const goBack = ({ stack }: PhoneUi) => ({
  stack: stack.length > 1 ? stack.slice(0, -1) : stack,
});

export const openApp = (launch: Launch) => (ui: PhoneUi) => {
  const generation = (ui.app?.generation ?? 0) + 1;
  return { app: { launch, minimised: false, generation }, sheet: null, browserUrl: null };
};
/** The same app anew, where it stands: in sight or put aside. */
export const reopenApp =
  (launch: Launch) =>
  ({ app }: PhoneUi) => ({ app: app && { ...app, launch, generation: app.generation + 1 } });
export const minimise =
  (minimised: boolean) =>
  ({ app }: PhoneUi) => ({ app: app && { ...app, minimised } });

/** Applied to each member of a union by itself, so that none is lost. */
type WithoutPerson<T> = T extends unknown ? Omit<T, "personId"> : never;

/** What a screen of a phone needs: who holds it, what is open, and what that person can do. */
export type PhoneHandle = ReturnType<typeof usePhoneHandle>;

export const PhoneContext = createContext<PhoneHandle | null>(null);

export function usePhone(): PhoneHandle {
  const phone = useContext(PhoneContext);
  if (phone === null) throw new Error("no phone above this component");
  return phone;
}

function follow(link: PressedButton, url: string): UiChange {
  switch (link.kind) {
    case "dialog": {
      const { bot, startPayload } = link;
      return goTo({ at: "dialog", bot, startPayload });
    }
    case "addToGroup":
    case "addToChannel":
      return { sheet: { kind: "addBot", link, url } };
    case "invite":
      return { sheet: { kind: "invite", invite: link.invite } };
    case "chat":
      return goTo({ at: "chat", chatId: link.chatId });
    case "invoice":
      return { sheet: { kind: "invoice", invoice: link.invoice, onClosed: null } };
    case "share": {
      const text = [link.text, link.url].filter((part) => part !== "").join("\n");
      return { sheet: { kind: "share", text } };
    }
    case "browser":
      return { browserUrl: link.url };
    case "unknown":
      return { notice: { kind: "toast", text: phoneCopy.unknownLink } };
    case "miniApp":
      return openApp(link.launch);
    case "callback":
    case "none":
      return {};
  }
}

export function usePhoneHandle(phone: PhoneView, person: PersonView) {
  const [ui, dispatch] = useReducer(nextUi, FIRST_UI);
  const say = (text: string) => dispatch({ notice: { kind: "toast", text } });
  /** Copies to the clipboard and shows it; a browser may refuse without harm. */
  const copy = (text: string) => {
    void navigator.clipboard?.writeText(text).catch(() => undefined);
    say(phoneCopy.copied);
  };
  /** Shows a refusal or an outage on the phone. → null then */
  const doAct = async <K extends keyof ActorCalls>(
    name: K,
    takes: WithoutPerson<ActorCalls[K]["takes"]>,
  ) => {
    try {
      const full = { ...takes, personId: person.id } as unknown as ActorCalls[K]["takes"];
      return { gives: await act(name, full) };
    } catch (reason) {
      say(reason instanceof EmulatorRefusal ? phoneCopy.refused : phoneCopy.noNetwork);
      return null;
    }
  };
  const launch = async (options: Omit<LaunchOptions, "personId">) => {
    const answer = await doAct("openMiniApp", { ...options, phone: phone.id });
    return answer?.gives ?? null;
  };
  return {
    phone,
    person,
    ui,
    dispatch,
    act: doAct,
    say,
    copy,
    openUrl: async (url: string) => {
      const answer = await doAct("openLink", { url, phone: phone.id });
      if (answer) dispatch(follow(answer.gives, url));
    },
    pressButton: async (place: Place, at: ButtonPlace, button: InlineKeyboardButton) => {
      const answer = await doAct("pressButton", { in: place, ...at, phone: phone.id });
      if (answer) dispatch(follow(answer.gives, "url" in button ? button.url : ""));
    },
    openApp: async (options: Omit<LaunchOptions, "personId" | "phone">) => {
      const launched = await launch(options);
      if (launched !== null) dispatch(openApp(launched));
    },
    /** The same app from its start, with fresh init data. */
    reopenApp: async () => {
      if (ui.app === null) return;
      const launched = await launch(ui.app.launch.options);
      if (launched !== null) dispatch(reopenApp(launched));
    },
  };
}
