import { type Entry, keyOf } from "./catalogue.ts";
import type { House } from "./house.ts";
import { plain, says } from "./literals.ts";
import { shows, type Tag } from "./tags.ts";

/** Everything that would make docs/capabilities.md lie, in words a person can act on. */
export function problemsOf(house: House): string[] {
  return [
    ...house.tags.problems,
    ...unlikeTheDocuments(house),
    ...twice(house.entries.map(({ id }) => id)).map((id) => `${id}: named twice`),
    ...unknownTags(house),
    ...house.entries.flatMap((entry) => problemsWith(entry, house)),
  ];
}

function unlikeTheDocuments({ items, entries }: House): string[] {
  const said = new Set(items.map(keyOf));
  const known = new Set(entries.map(keyOf));
  return [
    ...[...said]
      .filter((key) => !known.has(key))
      .map((key) => `in no line of the catalogue: ${key}`),
    ...[...known].filter((key) => !said.has(key)).map((key) => `in no document: ${key}`),
  ];
}

function unknownTags({ tags, entries }: House): string[] {
  const known = (id: string) =>
    isDecision(Number(DECISION.exec(id)?.[1])) || entries.some((entry) => shows(id, entry.id));
  return tags.tags.flatMap(({ file, title, ids }) =>
    ids
      .filter((id) => !known(id) && !isInWords(id))
      .map((id) => `${file}: "${title}" shows ${id}, which is nothing of the specification's`),
  );
}

/** `decision 76`: of DECISIONS.md. */
export const DECISION = /^decision (\d+)$/;

function isDecision(number: number): boolean {
  return number >= 1 && number <= 101;
}

/**
 * What a tag says that is no id: words, or a proof of the quality page (`P7`, `R16`). A note beside
 * the ids, which shows nothing of the catalogue.
 */
function isInWords(id: string): boolean {
  if (/^[PR]\d+$/.test(id)) return true;
  return id.includes(" ") && !/^(?:[A-Z]+ \/|decision )/.test(id);
}

function problemsWith(entry: Entry, house: House): string[] {
  const problems = [...decisionProblems(entry), ...placeProblems(entry, house)];
  const tags = tagsFor(entry, house);
  if (entry.lives !== null && tags.length === 0) problems.push("no test shows it");
  if (entry.lives === null && tags.length > 0) problems.push("is dropped, and a test shows it");
  return problems.map((problem) => `${entry.id}: ${problem}`);
}

function decisionProblems({ decisions, lives }: Entry): string[] {
  const wrong = decisions.filter((number) => !isDecision(number));
  const problems = wrong.map((number) => `there is no decision ${number}`);
  if (lives === null && decisions.length === 0) problems.push("dropped by no decision");
  return problems;
}

function placeProblems(entry: Entry, house: House): string[] {
  if (entry.lives === null) return [];
  const module = house.modules.get(entry.lives);
  if (!module) return [`lives in ${entry.lives}, which is not there`];
  if (entry.as !== null && !module.text.includes(entry.as)) {
    return [`${entry.lives} does not say ${entry.as}`];
  }
  if (entry.kind === "sentence") return sentenceProblems(entry, house);
  if (entry.kind === "route") return routeProblems(entry, house);
  if (entry.kind === "call") return callProblems(entry, house);
  if (entry.kind === "field") return fieldProblems(entry, house);
  return [];
}

/** Letters a sentence and its template begin with alike: most literals are left at a glance. */
const ALIKE = 4;

/** A sentence that refuses or complains stands in one place; a label stands where it is told. */
function sentenceProblems(entry: Entry, house: House): string[] {
  if (entry.as !== null) return [];
  const said = plain(entry.said);
  const places = new Set(
    house.literals
      .filter(({ text }) => text.slice(0, ALIKE) === said.slice(0, ALIKE) && says(text, said))
      .map(({ path }) => path),
  );
  const problems = [];
  if (!places.has(entry.lives ?? "")) problems.push(`${entry.lives} does not say it word for word`);
  if (isOfTheErrors(entry, house) && places.size > 1) {
    problems.push(`stands in several places: ${[...places].join(", ")}`);
  }
  for (const tag of tagsFor(entry, house)) {
    if (!isHeardIn(tag, entry, house)) problems.push(`${tag.file}: "${tag.title}" does not say it`);
  }
  return problems;
}

/** Named in §5 or §8, though another section may have named it first. */
function isOfTheErrors({ section, said }: Entry, { entries }: House): boolean {
  const of = (number: number) => number === 5 || number === 8;
  return (
    of(section) || entries.some((entry) => of(entry.section) && entry.said.includes(`"${said}"`))
  );
}

/** In the test's own words, in a module made for tests, or where it takes the sentence from. */
function isHeardIn(tag: Tag, entry: Entry, house: House): boolean {
  const start = house.modules.get(tag.file);
  if (!start) return false;
  const near = [start, ...start.imports.flatMap((path) => house.modules.get(path) ?? [])];
  const paths = near.flatMap(({ imports }) => imports);
  if (paths.includes(entry.lives ?? "")) return true;
  const words = plain(entry.said)
    .split(/\{\w+\}/)
    .sort((one, other) => other.length - one.length)[0];
  return near.some(({ text }) => plain(text.replaceAll(/\\(["'])/g, "$1")).includes(words ?? ""));
}

/** Parameters by their place: `/x/{id}` is `/x/:order`. The router compares without case. */
function shapeOf(address: string): string {
  return address.replaceAll(/\{\w+\}|:\w+/g, "*").toLowerCase();
}

function routeProblems({ id, said }: Entry, { addresses, walked }: House): string[] {
  if (!id.startsWith("/")) return [];
  const problems = [];
  if (!addresses.some((address) => shapeOf(address) === shapeOf(said))) {
    problems.push("is not in the router");
  }
  if (!walked.includes(said)) problems.push("the walk does not open it");
  return problems;
}

function callProblems({ id }: Entry, { calls }: House): string[] {
  if (!/^[A-Z]+ \//.test(id)) return [];
  return calls.some((call) => shapeOf(call) === shapeOf(id)) ? [] : ["is no call of the server's"];
}

/** The file has a name for it, the document's or ours, and so has a test that shows it. */
function fieldProblems(entry: Entry, house: House): string[] {
  const name = entry.as ?? entry.said.split(": ").at(-1) ?? "";
  const word = new RegExp(`(?<!\\w)${name}(?!\\w)`);
  const isNamed = (path: string) => word.test(house.modules.get(path)?.text ?? "");
  const problems = isNamed(entry.lives ?? "") ? [] : [`${entry.lives} has no ${name}`];
  const tags = tagsFor(entry, house);
  if (entry.as === null && tags.length > 0 && !tags.some(({ file }) => isNamed(file))) {
    problems.push(`no test that shows it names ${name}`);
  }
  return problems;
}

/** The tests that show it. What is dropped is shown only where it is named in full. */
export function tagsFor(entry: Entry, { tags }: House): Tag[] {
  const names = (id: string) => (entry.lives === null ? id === entry.id : shows(id, entry.id));
  return tags.tags.filter(({ ids }) => ids.some(names));
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
