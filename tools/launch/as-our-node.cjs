/**
 * Loaded into npm under an older Node: npm leaves out, without a word, an optional package that
 * says it needs a newer Node than the one npm runs in. On Debian's Node 18 those are the compiled
 * parts of sharp, rolldown, oxlint and oxc-parser, and nothing starts. They will run in our Node.
 */
Object.defineProperty(process, "version", { value: `v${process.env.SESAME_INSTALLS_FOR}` });
