import type { Item, Kind } from "./extract.ts";

/** What the house makes of one item: where it lives, or the decision that drops or changes it. */
export type Entry = Item & {
  /** How tests name it. */
  readonly id: string;
  /** Numbers of DECISIONS.md that change it; that drop it, when it lives nowhere. */
  readonly decisions: readonly number[];
  /** Path of the one file; null when dropped. */
  readonly lives: string | null;
  /** What must stand in that file, where it is not the very words that are said. */
  readonly as: string | null;
};

const HEADING = /^# ([AB]) §(\d) (\w+)$/;

type Head = Omit<Item, "said">;

/** Reads `id | lives[#as] | decisions | said` under `# A §2 route`. Throws for another line. */
export function readCatalogue(text: string): Entry[] {
  return readUnderHeads(text, readLine);
}

/** Reads what `writeItems` wrote: under each heading, what is said there. */
export function readItems(text: string): Item[] {
  return readUnderHeads(text, (said) => ({ said }));
}

export function writeItems(items: readonly Item[]): string {
  const headOf = ({ document, section, kind }: Head) => `# ${document} §${section} ${kind}`;
  const groups = Map.groupBy(items, headOf);
  return [...groups]
    .map(([head, own]) => [head, ...own.map(({ said }) => said), ""].join("\n"))
    .join("");
}

function readUnderHeads<T>(text: string, read: (line: string) => T): (Head & T)[] {
  const found: (Head & T)[] = [];
  let head: Head | null = null;
  for (const line of text.split("\n")) {
    const [, document, section, kind] = HEADING.exec(line) ?? [];
    if (document) {
      head = { document: document as "A" | "B", section: Number(section), kind: kind as Kind };
    } else if (line !== "") {
      if (!head) throw new Error(`before any heading: ${line}`);
      found.push({ ...head, ...read(line) });
    }
  }
  return found;
}

function readLine(line: string): Pick<Entry, "id" | "decisions" | "lives" | "as" | "said"> {
  const [id, place, numbers, said, ...more] = line.split(" | ");
  if (!id || place === undefined || numbers === undefined || !said || more.length > 0) {
    throw new Error(`not a line of four parts: ${line}`);
  }
  const [lives = "", ...as] = place.trim().split("#");
  return {
    id,
    said,
    decisions: numbers.split(" ").flatMap((number) => (number ? [Number(number)] : [])),
    lives: lives === "-" ? null : lives,
    as: as.length > 0 ? as.join("#") : null,
  };
}

/** An item and its entry are the same thing when they say the same at the same place. */
export function keyOf({ document, section, kind, said }: Item): string {
  return `${document} §${section} ${kind} ${said}`;
}
