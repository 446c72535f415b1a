import type { Entry } from "./catalogue.ts";
import { DECISION, tagsFor } from "./check.ts";
import type { House } from "./house.ts";

const START =
  "<!-- From here on written by `npm run capabilities`: change the tags, not the text. -->";

const DOCUMENTS = { A: "The seller's app (A)", B: "Payments and money (B)" } as const;
const KINDS: Readonly<Record<Entry["kind"], string>> = {
  sentence: "sentences",
  route: "routes",
  screen: "screens",
  call: "calls",
  field: "fields",
  transition: "states and transitions",
  rule: "rules",
  constant: "constants",
};

/** docs/capabilities.md with its generated half written anew; the hand-kept half stays. */
export function renderCapabilities(markdown: string, house: House): string {
  const [kept = ""] = markdown.split(START);
  return `${kept.trimEnd()}\n\n${START}\n\n${renderSpecification(house)}`;
}

function renderSpecification(house: House): string {
  const dropped = house.entries.filter(({ lives }) => lives === null).length;
  const parts = [
    "# The specification, item by item",
    "Every route, call, sentence, field, state, rule and constant of the two documents, and what " +
      "they say of their screens: where it lives, which decision changes it, and which test shows it. " +
      `${house.entries.length} items, ${dropped} of them dropped by a decision.`,
  ];
  for (const document of ["A", "B"] as const) {
    parts.push(`## ${DOCUMENTS[document]}`);
    const own = house.entries.filter((entry) => entry.document === document);
    for (const head of new Set(own.map(headOf))) {
      parts.push(
        `### ${head}`,
        tableOf(
          own.filter((entry) => headOf(entry) === head),
          house,
        ),
      );
    }
  }
  parts.push("## Decisions that tests name", decisionsOf(house));
  return `${parts.join("\n\n")}\n`;
}

function decisionsOf({ tags }: House): string {
  const shown = new Map<number, Set<string>>();
  for (const { file, title, ids } of tags.tags) {
    for (const id of ids) {
      const number = Number(DECISION.exec(id)?.[1] ?? 0);
      if (number === 0) continue;
      const tests = shown.get(number) ?? new Set();
      shown.set(number, tests.add(`\`${file}\` ${title.replaceAll("|", "\\|")}`));
    }
  }
  const numbers = [...shown.keys()].sort((one, other) => one - other);
  const rows = numbers.map(
    (number) => `| ${number} | ${[...(shown.get(number) ?? [])].sort().join("<br>")} |`,
  );
  return ["| Decision | Shown by |", "|---|---|", ...rows].join("\n");
}

function headOf({ document, section, kind }: Entry): string {
  return `${document} §${section}, ${KINDS[kind]}`;
}

function tableOf(entries: readonly Entry[], house: House): string {
  const rows = entries.map((entry) => rowOf(entry, house));
  return ["| Item | Lives in | Decision | Shown by |", "|---|---|---|---|", ...rows].join("\n");
}

function rowOf(entry: Entry, house: House): string {
  const { said, lives, decisions } = entry;
  const shown = tagsFor(entry, house).map(({ file, title }) => `\`${file}\` ${title}`);
  const cells = [
    said.replaceAll("**", ""),
    lives === null ? "dropped" : `\`${lives}\``,
    decisions.join(", "),
    [...new Set(shown)].sort().join("<br>"),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
