/**
 * Loaded into npm when npm runs under an older Node. npm silently leaves out an optional package
 * that needs a newer Node than npm's own: on Debian's Node 18 those are the compiled parts of
 * sharp, rolldown, oxlint and oxc-parser, and nothing starts. They will run in the packaged Node.
 */
Object.defineProperty(process, "version", { value: `v${process.env.SESAME_INSTALLS_FOR}` });
