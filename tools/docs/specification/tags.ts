/** A test that says what of the specification it shows: `// @shows A8.x, /retrait` above it. */
export type Tag = {
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
};

export type Tags = { readonly tags: readonly Tag[]; readonly problems: readonly string[] };

const TAG = /^\s*\/\/ @shows (.+)$/;
const TEST = /^\s*(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*(?:<.*>?)?\(/;

/** The tags of a test file, and those that stand above no test. */
export function tagsOf(file: string, text: string): Tags {
  const lines = text.split("\n");
  const tags: Tag[] = [];
  const problems: string[] = [];
  lines.forEach((line, at) => {
    const said = TAG.exec(line)?.[1];
    if (said === undefined) return;
    const test = lines.findIndex((next, later) => later > at && !/^\s*\/\//.test(next));
    if (!TEST.test(lines[test] ?? "")) {
      problems.push(`${file}:${at + 1}: a tag that stands above no test`);
      return;
    }
    tags.push({ file, title: titleOf(lines, test), ids: said.split(",").map(bare) });
  });
  return { tags, problems };
}

/** `decision 76: open or closed` names the decision; the words are for who reads the test. */
function bare(id: string): string {
  return id.trim().replace(/^(decision \d+):.*/, "$1");
}

/** Its first literal, or the one of the call that follows a table of cases. */
function titleOf(lines: readonly string[], at: number): string {
  const [line = "", next = ""] = [lines[at], lines[at + 1]];
  const direct = /(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])(.+?)\1/.exec(
    `${line}\n${next.trim()}`,
  );
  if (direct?.[2]) return direct[2];
  const rest = lines.slice(at).join("\n");
  return /\)\(\s*(["'`])(.+?)\1/.exec(rest)?.[2] ?? "";
}

/** An id, or all that begin alike: `A3.user.*`. */
export function shows(named: string, id: string): boolean {
  return named.endsWith("*") ? id.startsWith(named.slice(0, -1)) : named === id;
}
