import { useReducer } from "react";
import type {
  ActorAnswer,
  ActorCalls,
  Launch,
  LaunchOptions,
  OpenedLink,
  PersonView,
  PhoneView,
  PressedButton,
} from "../../wire.ts";
import { act, WorldRefusal } from "../world/api.ts";
import { phoneCopy } from "./copy.fr.ts";
import type { PhoneHandle, WithoutPerson } from "./phone-context.ts";
import type { Scheme } from "./theme.ts";
import { FIRST_UI, nextUi, type UiEvent } from "./ui-state.ts";

type Dispatch = (event: UiEvent) => void;
type Holder = { phone: PhoneView; person: PersonView; scheme: Scheme };

function showLink(link: OpenedLink, url: string, dispatch: Dispatch): void {
  switch (link.kind) {
    case "dialog": {
      const screen = { at: "dialog", bot: link.bot, startPayload: link.startPayload } as const;
      return dispatch({ type: "goTo", screen });
    }
    case "addToGroup":
    case "addToChannel":
      return dispatch({ type: "sheet", sheet: { kind: "addBot", link, url } });
    case "invite":
      return dispatch({ type: "sheet", sheet: { kind: "invite", invite: link.invite } });
    case "chat":
      return dispatch({ type: "goTo", screen: { at: "chat", chatId: link.chatId } });
    case "invoice": {
      const sheet = { kind: "invoice", invoice: link.invoice, onClosed: null } as const;
      return dispatch({ type: "sheet", sheet });
    }
    case "share": {
      const text = [link.text, link.url].filter((part) => part !== "").join("\n");
      return dispatch({ type: "sheet", sheet: { kind: "share", text } });
    }
    case "browser":
      return dispatch({ type: "browser", url: link.url });
    case "unknown":
      return dispatch({ type: "notice", notice: { kind: "toast", text: phoneCopy.unknownLink } });
    case "miniApp":
      return;
  }
}

/** How to open the same app again: what its address told at the first launch. */
function optionsOfLink(link: Extract<OpenedLink, { kind: "miniApp" }>, url: string) {
  const { bot, personId } = link.launch;
  const startParam = new URL(link.launch.url).searchParams.get("tgWebAppStartParam");
  const mode = /^\/[^/]+\/[^/]+/.test(new URL(url, "https://t.me").pathname) ? "direct" : "main";
  const options: LaunchOptions = { personId, bot, mode };
  return startParam === null ? options : { ...options, startParam };
}

function makeAct({ person }: Holder, say: (text: string) => void): PhoneHandle["act"] {
  return async <K extends keyof ActorCalls>(
    name: K,
    takes: WithoutPerson<ActorCalls[K]["takes"]>,
  ) => {
    try {
      const full = { ...takes, personId: person.id } as unknown as ActorCalls[K]["takes"];
      return { gives: (await act(name, full)) as ActorAnswer<K> };
    } catch (reason) {
      say(reason instanceof WorldRefusal ? phoneCopy.refused : phoneCopy.noNetwork);
      return null;
    }
  };
}

function optionsOfButton(launch: Launch, personId: number): LaunchOptions {
  const { pathname, search } = new URL(launch.url);
  return { personId, bot: launch.bot, mode: "inline", path: pathname + search };
}

/** What an address or a button of a message leads to, on this phone. */
function makeFollow({ person }: Holder, dispatch: Dispatch, copy: PhoneHandle["copy"]) {
  const follow = (link: OpenedLink, url: string) => {
    if (link.kind !== "miniApp") return showLink(link, url, dispatch);
    dispatch({ type: "openApp", launch: link.launch, options: optionsOfLink(link, url) });
  };
  const followButton = (pressed: PressedButton, url: string) => {
    switch (pressed.kind) {
      case "link":
        return follow(pressed.opened, url);
      case "copy":
        return copy(pressed.text);
      case "miniApp": {
        const options = optionsOfButton(pressed.launch, person.id);
        return dispatch({ type: "openApp", launch: pressed.launch, options });
      }
      case "invoice":
        return follow(pressed, url);
      case "callback":
      case "none":
        return;
    }
  };
  return { follow, followButton };
}

export function usePhoneHandle(holder: Holder): PhoneHandle {
  const { phone, person, scheme } = holder;
  const [ui, dispatch] = useReducer(nextUi, FIRST_UI);
  const say = (text: string) => dispatch({ type: "notice", notice: { kind: "toast", text } });
  const copy = (text: string) => {
    void navigator.clipboard?.writeText(text).catch(() => undefined);
    say(phoneCopy.copied);
  };
  const doAct = makeAct(holder, say);
  const { follow, followButton } = makeFollow(holder, dispatch, copy);
  const launch = async (options: LaunchOptions) => {
    const answer = await doAct("openMiniApp", { ...options, phone: phone.id, theme: scheme });
    return answer?.gives ?? null;
  };
  return {
    ...holder,
    ui,
    dispatch,
    act: doAct,
    say,
    copy,
    openUrl: async (url) => {
      const answer = await doAct("openLink", { url, phone: phone.id });
      if (answer) follow(answer.gives, url);
    },
    pressButton: (place, at, button) => {
      void doAct("pressButton", { in: place, ...at, phone: phone.id }).then((answer) => {
        if (answer) followButton(answer.gives, button.url ?? "");
      });
    },
    openApp: async (asked) => {
      const options = { ...asked, personId: person.id };
      const launched = await launch(options);
      if (launched !== null) dispatch({ type: "openApp", launch: launched, options });
    },
    reopenApp: async () => {
      if (ui.app === null) return;
      const launched = await launch(ui.app.options);
      if (launched !== null) dispatch({ type: "reopenApp", launch: launched });
    },
  };
}
