import type { Page } from "@playwright/test";
import { settled } from "./settled.ts";

/** The narrowest phone still sold, and the text twice as large as the phone's owner may ask. */
const NARROW = { width: 320, height: 640 };
const LARGE_TEXT = "32px";

/** What does not fit on the page shown, at 320 px and at 200 % text; then as it was before. */
export async function misfits(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? NARROW;
  await page.setViewportSize({ width: NARROW.width, height: before.height });
  await settled(page);
  const narrow = await page.evaluate(findMisfits);
  await page.setViewportSize({ width: Math.min(before.width, 360), height: before.height });
  await sizeText(page, LARGE_TEXT);
  await settled(page);
  const large = await page.evaluate(findMisfits);
  await sizeText(page, "");
  await page.setViewportSize(before);
  return [
    ...narrow.map((what) => `320 px: ${what}`),
    ...large.map((what) => `200 % text: ${what}`),
  ];
}

/** As a phone's own setting does: what is said in rem follows. */
export async function sizeText(page: Page, size: string): Promise<void> {
  await page.evaluate((wanted) => {
    document.documentElement.style.fontSize = wanted;
  }, size);
}

/** Runs in the page: nothing from outside of it may be named here. */
function findMisfits(): string[] {
  /** WCAG 2.2, 2.5.8. */
  const TARGET_PX = 24;
  const found: string[] = [];
  const root = document.documentElement;
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const say = (element: Element) => {
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 60);
    const place = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
    return `${place} « ${text} »`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden") === null &&
    getComputedStyle(element).clipPath === "none";
  /** The nearest box that cuts what leaves it sideways, unless it says « … » or is a line that scrolls. */
  const cutterOf = (element: Element): Element | null => {
    for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(box);
      if (textOverflow === "ellipsis" || box.matches("textarea")) return null;
      if (overflowX === "hidden" || overflowX === "clip" || box.matches("dialog")) return box;
      // What scrolls down is not meant to scroll sideways too.
      if (overflowX !== "visible") return box.scrollHeight > box.clientHeight + 1 ? box : null;
    }
    return null;
  };

  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll("body *")]
      .filter((each) => isShown(each) && each.getBoundingClientRect().right > root.clientWidth + 1)
      .at(-1);
    found.push(`wider than the screen: ${wide ? say(wide) : root.scrollWidth}`);
  }
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent || !text.textContent?.trim() || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    const cutter = cutterOf(parent)?.getBoundingClientRect();
    if (cutter && (right > cutter.right + 1 || left < cutter.left - 1)) {
      found.push(`cut: ${say(parent)}`);
    }
    // A telephone number may break between its groups alone.
    for (const { index, 0: digits } of text.textContent.matchAll(/(?<=\+[\d ]*)\d+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + digits.length);
      if (range.getClientRects().length > 1) found.push(`broken: ${say(parent)}`);
    }
  }
  for (const target of top.querySelectorAll("button, a[href], summary, select, input, label")) {
    const { width, height } = target.getBoundingClientRect();
    const inSentence = getComputedStyle(target).display === "inline";
    if (!isShown(target) || inSentence || width === 0) continue;
    // What a label holds is touched with it.
    if (target.matches("label:not(:has(input)), label input, input[type=hidden]")) continue;
    if (Math.min(width, height) < TARGET_PX) {
      found.push(`target of ${Math.round(width)} × ${Math.round(height)}: ${say(target)}`);
    }
  }
  found.push(...behindTheBar());
  return [...new Set(found)];

  /** What stands last, once scrolled to the end, is above the tab bar. */
  function behindTheBar(): string[] {
    const bar = document.querySelector("nav[data-tab-bar]");
    if (!bar || getComputedStyle(bar).position !== "fixed" || top !== document.body) return [];
    const here = scrollY;
    scrollTo(0, root.scrollHeight);
    const edge = bar.getBoundingClientRect().top;
    const last = [...document.querySelectorAll("main button, main a, main p, main span, main dd")]
      .filter((each) => isShown(each) && !bar.contains(each))
      .filter((each) => each.getBoundingClientRect().bottom > edge + 1)
      .filter((each) => each.closest("dialog") === null)
      .at(-1);
    scrollTo(0, here);
    return last ? [`behind the tab bar: ${say(last)}`] : [];
  }
}
