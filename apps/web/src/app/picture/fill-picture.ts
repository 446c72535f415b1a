import type { UserOnWire } from "@sesame/contract/identity";
import { earnedLately } from "../../features/reports/home-words.ts";
import { pictureWords } from "./picture-words.ts";

/**
 * This seller's home from the markup of `render-picture.tsx`, which holds nobody's data: what he is
 * called and has stays text, whatever it looks like.
 */
export function fillPicture(markup: string, user: UserOnWire): Node[] {
  const picture = document.createElement("div");
  picture.innerHTML = markup;
  const words = new Map(Object.entries(pictureWords(user)));
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
