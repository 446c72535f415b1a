/** What kind of thing of the specification an item is. */
export type Kind =
  | "sentence"
  | "route"
  | "call"
  | "field"
  | "screen"
  | "transition"
  | "rule"
  | "constant";

/** One thing the specification says, in its own words. */
export type Item = {
  readonly document: "A" | "B";
  readonly section: number;
  readonly kind: Kind;
  readonly said: string;
};

/** A quotation mark inside a word is an apostrophe. */
const QUOTED = { A: /(?<=^|[\s(])'(.+?)'(?=[\s.,;:)|]|$)/gm, B: /"([^"\n]+)"/g };

const LINES_OF_BOTH: Readonly<Record<number, Kind>> = {
  4: "transition",
  5: "rule",
  6: "rule",
  9: "constant",
};

/** The sections whose every line counts, and as what. */
const LINES: Readonly<Record<"A" | "B", Readonly<Record<number, Kind>>>> = {
  A: { 1: "rule", ...LINES_OF_BOTH },
  B: { 1: "screen", 2: "screen", ...LINES_OF_BOTH },
};

/** Everything the two documents ask for, found mechanically, each thing once. */
export function itemsOf(documents: Readonly<Record<"A" | "B", string>>): Item[] {
  const items = new Map<string, Item>();
  for (const document of ["A", "B"] as const) {
    for (const item of itemsIn(document, documents[document])) {
      const { section, kind, said } = item;
      const once = kind === "route" || kind === "sentence";
      const key = once ? `${kind} ${said}` : `${document} ${section} ${said}`;
      if (!items.has(key)) items.set(key, item);
    }
  }
  return [...items.values()];
}

function itemsIn(document: "A" | "B", markdown: string): Item[] {
  const items: Item[] = [];
  for (const { section, text } of sectionsOf(markdown)) {
    const add = (kind: Kind, said: string): void =>
      void items.push({ document, section, kind, said });
    for (const [, said = ""] of text.matchAll(QUOTED[document])) add("sentence", said.trim());
    if (section <= 2) for (const route of routesIn(text)) add("route", route);
    if (section === 3) for (const field of fieldsIn(text)) add("field", field);
    if (section === 3) for (const method of valuesIn(text)) add("constant", method);
    if (section === 7) for (const call of callsIn(text)) add("call", call);
    if (document === "A" && section === 2) for (const line of proseOf(text)) add("screen", line);
    const kind = LINES[document][section];
    if (kind) for (const line of linesOf(text)) add(kind, line);
    if (section === 8) for (const situation of situationsIn(text)) add("rule", situation);
  }
  return items;
}

function sectionsOf(markdown: string): { section: number; text: string }[] {
  return markdown
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((text) => ({
      section: Number.parseInt(text, 10),
      text: text.slice(text.indexOf("\n") + 1),
    }));
}

/** `/`, `/GroupeDetail/{idGroup}/{type}/{nom}`: an address at a word's start, its query dropped. */
function routesIn(text: string): string[] {
  const found = text.matchAll(
    /(?<=^|[\s(])\/(?:[A-Za-z][\w-]*(?:\/(?:\w+|\{\w+\}))*)?(?=[\s,.;:?)]|$)/gm,
  );
  return [...found].map(([route]) => route);
}

/** What the screens are and do; their table of routes is told by `routesIn`. */
function proseOf(text: string): string[] {
  return linesOf(text.replaceAll(/^\|.*$/gm, ""));
}

/** Names of fields: of `**Entity**: a, b (words) and c. More words with d`. */
function fieldsIn(text: string): string[] {
  const entities = text.matchAll(/^(?:\*\*(.+?):?\*\*|(Also held)):?\s*(.*)$/gm);
  return [...entities].flatMap(([, bold, plain, list = ""]) => {
    const entity = (bold ?? plain ?? "").replace(/\s*\(.*/, "");
    const names = bare(list.replaceAll(/\(or (\w+)\)/g, ", $1"))
      .split(/,|;|\.\s|\.$| and | or | plus | with |[{}:]/)
      .map((part) => part.trim().replace(/ (?:flag|pending)$/, ""));
    return [...new Set(names.filter((name) => /^[a-z]+(?:[A-Z_][A-Za-z_]*)?$/.test(name)))].map(
      (name) => `${entity}: ${name}`,
    );
  });
}

/** Without what stands between parentheses. */
function bare(text: string): string {
  return text.replaceAll(/\([^()]*\)/g, "");
}

/** Ids in the tables of an entity, and the codes in capitals. */
function valuesIn(text: string): string[] {
  const ids = text.matchAll(/^\|[^|]+\| ([a-z]+-[a-z-, ]+)\|$/gm);
  const codes = text.matchAll(
    /^(?:Operator|Country) codes? are .*$|(?<=\. )Country codes are [^.]+/gm,
  );
  const lists = [...ids].flatMap(([, cell = ""]) => cell.split(",").map((id) => id.trim()));
  const lines = [...codes].flatMap(([line]) => [...line.matchAll(/\b[A-Z]{2,}\b/g)].map(String));
  return [...lists, ...lines];
}

/** Rows of the table by method and path, then what the list below it says, a line each. */
function callsIn(text: string): string[] {
  return [...rowsIn(text).map(([call = ""]) => call), ...linesOf(text, /^\s*- /)];
}

function situationsIn(text: string): string[] {
  const bullets = [...text.matchAll(/^- (.+)$/gm)].map(([, line = ""]) => line);
  const situations = bullets.filter((line) => !/^"[^"]+"\.?$/.test(line) && !SILENCE.test(line));
  return [...rowsIn(text).map(([situation = ""]) => situation), ...situations];
}

function rowsIn(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  const heads = rows.flatMap((row, at) => (/^[|\s-]+$/.test(row) ? [at - 1, at] : []));
  return rows
    .filter((_, at) => !heads.includes(at))
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Where the document says that it does not say. */
const SILENCE = /^[^;:(]* (?:(?:is|are) not shown(?: in detail)?|are in the second document)\.?$/;
const HEAD_OF_A_LIST = /^[^.]{0,60}:(?:\*\*)?$/;
const FULL_STOP_INSIDE = "\u0000";

/** Every sentence of the lists and paragraphs, and every row of the tables. */
function linesOf(text: string, only?: RegExp): string[] {
  const prose = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^[|#]/.test(line) && (only?.test(line) ?? true))
    .map((line) => line.replace(/^\s*(?:-|\d+\.)\s+/, "").trim())
    .flatMap(sentencesOf);
  const rows = only ? [] : rowsIn(text).map((cells) => cells.join(": "));
  return [...prose, ...rows].filter((line) => !HEAD_OF_A_LIST.test(line) && !SILENCE.test(line));
}

/** Cut where a sentence ends, not within a quotation. */
function sentencesOf(line: string): string[] {
  const whole = line.replaceAll(/(?<=[\s("])'.+?'(?=[\s.,;:)]|$)|"[^"]+"/g, (quoted) =>
    quoted.replaceAll(". ", `.${FULL_STOP_INSIDE}`),
  );
  const cut = whole.split(/(?<=[.;])\s+(?=[A-Z*])/);
  return cut.map((sentence) => sentence.replaceAll(FULL_STOP_INSIDE, " "));
}
