export type CapabilityRow = {
  readonly name: string;
  readonly screens: readonly string[];
  /** Of a frame: its folder. */
  readonly where: readonly string[];
  readonly calls: readonly string[];
  readonly tables: readonly string[];
};

export type Capabilities = {
  readonly capabilities: readonly CapabilityRow[];
  readonly frames: readonly CapabilityRow[];
};

/** Reads the two tables of docs/capabilities.md. Throws for a row without its four cells. */
export function readCapabilities(markdown: string): Capabilities {
  const lines = markdown.split("\n");
  return { capabilities: tableOf(lines, "Capability"), frames: tableOf(lines, "Frame") };
}

function tableOf(lines: readonly string[], firstHeading: string): CapabilityRow[] {
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} |`));
  if (start === -1) return [];
  const rows: CapabilityRow[] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(rowOf(line, firstHeading));
  }
  return rows;
}

function rowOf(line: string, firstHeading: string): CapabilityRow {
  const cells = line.split("|").slice(1, -1);
  const [name, second, calls, tables] = cells;
  if (cells.length !== 4 || !name || second === undefined || !calls || !tables) {
    throw new Error(`not a row of four cells: ${line}`);
  }
  const isFrame = firstHeading === "Frame";
  return {
    name: name.trim(),
    screens: isFrame ? [] : codesIn(second),
    where: isFrame ? codesIn(second) : [],
    calls: codesIn(calls),
    tables: codesIn(tables),
  };
}

/** What stands between backticks. */
function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
