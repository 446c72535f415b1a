import type { UserOnWire } from "@sesame/contract/identity";
import { earnedLately } from "../../features/reports/home-words.ts";
import { MARKS, type PictureWords, pictureWords } from "./picture-words.ts";

const WORDS = new Map(Object.entries(MARKS).map(([name, mark]) => [mark, name]));

/** The picture of this seller's home. What he is called and has stays text, whatever it looks like. */
export function fillPicture(template: HTMLTemplateElement, user: UserOnWire): DocumentFragment {
  const picture = document.importNode(template.content, true);
  const words: PictureWords & Readonly<Partial<Record<string, string>>> = pictureWords(user);
  const said = (text: string) =>
    text.replace(/\{\w+\}/g, (mark) => words[WORDS.get(mark) ?? ""] ?? mark);
  for (const element of picture.querySelectorAll<HTMLElement>("*")) {
    for (const attribute of element.attributes) {
      if (attribute.value.includes("{")) attribute.value = said(attribute.value);
    }
    for (const node of element.childNodes) {
      if (node instanceof Text) node.data = said(node.data);
    }
    const { style } = element.dataset;
    if (style !== undefined) element.style.cssText = style;
  }
  if (!earnedLately(user)) picture.querySelector("[data-sparkline]")?.remove();
  return picture;
}
