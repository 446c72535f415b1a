import { readRepository } from "./architecture/modules.ts";
import { literalsOf } from "./docs/specification/literals.ts";
import { writeFileSync } from "node:fs";
const mods = readRepository("/work/trees/spec").filter(
  (m) =>
    /^(apps\/(web|server)|packages)\//.test(m.path) &&
    !/\.test\.|\/test\/|\/testing\/|fixtures|\.test-/.test(m.path),
);
writeFileSync(
  "/tmp/cat/literals.json",
  JSON.stringify(mods.flatMap((m) => literalsOf(m.path, m.text)).map((l) => [l.path, l.text])),
);
