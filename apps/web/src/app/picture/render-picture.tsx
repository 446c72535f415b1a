import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { HomeOutline } from "../../features/reports/home.tsx";
import { Ground } from "../ground.tsx";
import { HOME } from "../../lib/text.ts";
import { TabBar } from "../tab-bar.tsx";
import type { BalanceWords, GreetingWords } from "../../features/reports/home-words.ts";

/** Marks in the picture's markup, where words of the seller will stand. */
const MARKS: GreetingWords & BalanceWords = {
  hello: "{hello}",
  name: "{name}",
  letters: "{letters}",
  plan: "{plan}",
  available: "{available}",
  note: "{note}",
};

/** Elements with a mark in an attribute, or in the text they begin with. */
const MARKED = /<([a-z]\w*)(?=[^>]*\{\w+\}|[^>]*>[^<]*\{\w+\})/g;

/**
 * Home as static markup, made by its own components while the pages are built, with marks in the
 * place of the seller's words. Styles are moved aside: the policy forbids those a page writes.
 */
export function renderPicture(): string {
  const markup = renderToStaticMarkup(
    <Router ssrPath={HOME}>
      <Ground>
        <HomeOutline words={MARKS} />
      </Ground>
      <TabBar />
    </Router>,
  );
  return markup.replaceAll(' style="', ' data-style="').replaceAll(MARKED, "<$1 data-marked");
}
