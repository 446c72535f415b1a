import type { SellerSignInAnswer, UserOnWire } from "@sesame/contract/identity";
import { lastPerson, readSaved } from "../../features/identity/storage.ts";
import { personIn, readLaunch, startParamIn } from "../../telegram/launch.ts";
import { HOME } from "../../lib/text.ts";
import { balanceWords, earnedLately, greetingWords } from "../../features/reports/home-words.ts";

/**
 * This seller's home from the markup of `render-picture.tsx`, which holds nobody's data. The seller's names
 * and amounts stay text, whatever they look like.
 */
function fillPicture(markup: string, user: UserOnWire): Node[] {
  const picture = document.createElement("div");
  picture.innerHTML = markup;
  const words = new Map(Object.entries({ ...greetingWords(user), ...balanceWords(user) }));
  const said = (text: string) =>
    text.replace(/\{(\w+)\}/g, (mark, name: string) => words.get(name) ?? mark);
  for (const element of picture.querySelectorAll<HTMLElement>("[data-marked]")) {
    element.removeAttribute("data-marked");
    for (const attribute of element.attributes) attribute.value = said(attribute.value);
    const text = element.firstChild;
    if (text instanceof Text) text.data = said(text.data);
  }
  for (const element of picture.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset["style"] ?? "";
    element.removeAttribute("data-style");
  }
  if (!earnedLately(user)) picture.querySelector("[data-sparkline]")?.remove();
  return [...picture.childNodes];
}

/**
 * Home painted before the application is there: from what the phone kept of this person, else from the answer
 * that is on its way. Never another person's data, a newcomer's home, or another screen. → whether it is
 * painted already.
 */
export function paintPicture(markup: string): boolean {
  const launch = readLaunch();
  const person = launch && personIn(launch.initData);
  const isHome = ["/", HOME.toLowerCase()].includes(location.pathname.toLowerCase());
  if (!launch || !person || !isHome || startParamIn(launch.initData)) return false;
  const saved = lastPerson() === person ? readSaved(person) : null;
  if (saved) return show(markup, saved.user);
  const { sesameStart } = window;
  if (sesameStart?.data !== launch.initData) return false;
  sesameStart.answer
    .then(async (answer) => {
      if (!answer.ok) return;
      // The application reads the answer itself.
      const start = (await answer.clone().json()) as SellerSignInAnswer;
      if (start.success === true) show(markup, start.user);
    })
    // The application shows the error.
    .catch(() => undefined);
  return false;
}

function show(markup: string, user: UserOnWire): boolean {
  const place = document.getElementById("picture");
  const root = document.getElementById("root");
  if (!place || !root || !user.plan) return false;
  place.replaceChildren(...fillPicture(markup, user));
  root.hidden = true;
  place.addEventListener("click", keepTap, true);
  return true;
}

/** No link works yet: the application opens the tapped one when it comes. */
function keepTap(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href");
  if (!link || !href?.startsWith("/")) return;
  event.preventDefault();
  for (const other of document.querySelectorAll("[data-tapped]")) {
    other.removeAttribute("data-tapped");
  }
  link.dataset["tapped"] = "";
}
