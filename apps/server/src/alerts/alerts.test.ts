import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { startTestApp } from "../../test/harness.ts";
import { listenTo } from "../../test/wire/sockets.ts";
import { createStaffFixtures, STAFF_ENV } from "../../test/withdrawals.ts";
import { one } from "../postgres/database.ts";
import { raiseAlert, raiseAlerts, resolveAlerts } from "./alerts.ts";
import { ALERT_WORDS, type AlertKind } from "./kinds.fr.ts";

const app = await startTestApp({ env: STAFF_ENV });
const agent = await createStaffFixtures(app).agent(0);

type Given = Parameters<typeof raiseAlert>[1];

const raise = (alert: Pick<Given, "kind" | "subject"> & Partial<Given>) =>
  raiseAlert(app.db, { details: {}, now: app.clock.now(), ...alert });

const resolve = (kind: AlertKind, subject: string, more: object = {}) =>
  resolveAlerts(app.db, { kinds: [kind], subjects: [subject], now: app.clock.now(), ...more });

const read = (subject: string) => one<{ id: bigint; created_at: Date }>(app.db)`
  SELECT id, details, created_at, resolved_at, resolved_by, resolution FROM alerts
  WHERE subject = ${subject}`;

const later = () => {
  app.clock.advance(MINUTE_MS);
  return app.clock.now();
};

describe("an alert of the back office", () => {
  test("that is open keeps its first details", async () => {
    const alert = { kind: "access.cannot-open", subject: "open:1" } as const;
    expect(await raise({ ...alert, details: { said: "first" } })).toBe(true);
    const before = await read(alert.subject);
    later();
    expect(await raise({ ...alert, details: { said: "second" } })).toBe(false);
    expect(await read(alert.subject)).toEqual(before);
  });

  test("that is open is updated and keeps its time, or is raised anew as of now", async () => {
    const alert = { kind: "float.overdrawn", subject: "open:2" } as const;
    await raise({ ...alert, details: { amount: 1 } });
    const { created_at: since } = await read(alert.subject);
    const now = later();
    const changed = { ...alert, details: { amount: 2 } };
    expect(await raise({ ...changed, whenOpen: "updated" })).toBe(true);
    expect(await raise({ ...changed, whenOpen: "updated" })).toBe(false);
    expect(await read(alert.subject)).toMatchObject({ details: { amount: 2 }, created_at: since });
    expect(await raise({ ...changed, whenOpen: "anew" })).toBe(true);
    expect(await read(alert.subject)).toMatchObject({ created_at: now });
  });

  test.each<[AlertKind, "stays" | "updated" | "anew"]>([
    ["access.cannot-open", "stays"],
    // About orders: raised once for the back office and never again.
    ["provider.keys-refused", "stays"],
    ["access.paid-while-banned", "stays"],
    // Resolved by hand during a decision, it is not restored.
    ["payment.mismatch", "updated"],
    ["complaint.paid-not-confirmed", "updated"],
    ["product.reported", "anew"],
  ])("that was resolved comes back as a new one: %s, %s", async (kind, whenOpen) => {
    const alert = { kind, subject: `back:${kind}` };
    await raise(alert);
    const by = { personId: BigInt(agent.id), resolution: "Vu" };
    await resolve(kind, alert.subject, { by });
    expect(await read(alert.subject)).toMatchObject({ resolved_by: by.personId, resolution: "Vu" });
    const now = later();
    expect(await raise({ ...alert, details: { said: "again" }, whenOpen })).toBe(true);
    expect(await read(alert.subject)).toMatchObject({
      details: { said: "again" },
      created_at: now,
      resolved_at: null,
      resolved_by: null,
      resolution: null,
    });
  });

  const once = Object.keys(ALERT_WORDS).filter((kind) => ALERT_WORDS[kind]?.once);
  test.each(once as AlertKind[])("that happens once stays resolved: %s", async (kind) => {
    const alert = { kind, subject: `once:${kind}` };
    await raise(alert);
    await resolve(kind, alert.subject);
    expect(await raise(alert)).toBe(false);
    expect(await raise({ ...alert, whenOpen: "updated" })).toBe(false);
    expect(await read(alert.subject)).toMatchObject({ resolved_at: expect.any(Date) });
    expect(await raise({ ...alert, whenOpen: "anew" })).toBe(true);
  });

  test("that counts adds up", async () => {
    const alert = { kind: "complaint.paid-not-confirmed", subject: "count:1" } as const;
    const say = (complaint: number) =>
      raise({ ...alert, details: { complaint_id: complaint, count: 1 }, whenOpen: "updated" });
    await say(1);
    await say(2);
    await resolve(alert.kind, alert.subject);
    await say(3);
    const details = { complaint_id: 3, count: 3 };
    expect(await read(alert.subject)).toHaveProperty("details", details);
  });

  test("is resolved once, by the first; a note is added all the same", async () => {
    const alert = { kind: "payment.refunded-there", subject: "end:1" } as const;
    await raise(alert);
    const first = later();
    await resolve(alert.kind, alert.subject);
    later();
    const by = { personId: BigInt(agent.id), resolution: "Vu" };
    await resolve(alert.kind, alert.subject, { by });
    await resolve(alert.kind, alert.subject, { noted: { paid_again: true } });
    expect(await read(alert.subject)).toMatchObject({
      details: { paid_again: true },
      resolved_at: first,
      resolved_by: null,
    });
  });

  test("is published to the back office each time it changes, and only then", async () => {
    const staff = await listenTo(app.url, { token: agent.token });
    const subjects = ["shown:1", "shown:2"];
    const [kind, now] = ["ledger.broken", app.clock.now()] as const;
    const matters = subjects.map((subject) => ({ subject, details: {} }));
    expect(await raiseAlerts(app.db, kind, [...matters, ...matters], { now })).toBe(2);
    expect(await raiseAlerts(app.db, kind, matters, { now })).toBe(0);
    await resolve(kind, "shown:1");
    await resolve(kind, "shown:1");
    await raise({ kind, subject: "shown:1" });
    const event = async (subject: string) => {
      const id = String((await read(subject)).id);
      return { name: "desk:changed", body: { what: "alert", id } };
    };
    const [first, second] = await Promise.all(subjects.map(event));
    await eventually(() => expect(staff.received).toEqual([first, second, first, first]));
    staff.close();
  });
});

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The server's code except `alerts/`, by its path. */
const CODE: ReadonlyMap<string, string> = new Map(
  readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/\.test\.|^alerts\//.test(name))
    .map((name) => [name, readFileSync(join(ROOT, name), "utf8")]),
);

/** The kinds that SQL raises and resolves, which no compiler checks; one that is no literal is returned as written. */
function kindsInSql(text: string): string[] {
  const calls = text.matchAll(/\b(?:raise|resolve)_alerts\(\s*(?:array\[)?('[^']*'|[^\s,)]*)/g);
  return [...calls].map(([, kind = ""]) => kind.replaceAll("'", ""));
}

/** Files that write the alerts without their owner. */
function writersOfAlerts(files: ReadonlyMap<string, string>): string[] {
  const write = /\b(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+alerts\b/;
  return [...files].flatMap(([path, text]) => (write.test(text) ? [path] : []));
}

describe("each kind of alert", () => {
  // The compiler proves the others: the planted one is refused.
  // @ts-expect-error: it has no sentence.
  const unheard: AlertKind = "payment.unheard-of";

  test("that SQL names has its sentence", () => {
    const planted = `SELECT raise_alerts('${unheard}', v_subjects, v_details, p_now);
      PERFORM resolve_alerts(array['payment.mismatch'], v_subjects, p_now);
      PERFORM raise_alerts(
        v_kind, v_subjects, v_details, p_now);`;
    expect(kindsInSql(planted)).toEqual([unheard, "payment.mismatch", "v_kind"]);
    const kinds = [...CODE.values()].flatMap(kindsInSql);
    expect(kinds.length).toBeGreaterThan(4);
    expect(kinds.filter((kind) => !(kind in ALERT_WORDS))).toEqual([]);
    // SQL has no table of kinds that happen once.
    expect(kinds.filter((kind) => ALERT_WORDS[kind]?.once)).toEqual([]);
  });

  test("that has a sentence is used somewhere", () => {
    const code = [...CODE.values()].join("\n");
    const isNamed = (kind: string) => code.includes(`"${kind}"`) || code.includes(`'${kind}'`);
    expect(isNamed(unheard)).toBe(false);
    expect(Object.keys(ALERT_WORDS).filter((kind) => !isNamed(kind))).toEqual([]);
  });

  test("is written by its owner alone", () => {
    const planted = { "a.ts": "UPDATE alerts d SET", "b.ts": "FROM alerts" };
    expect(writersOfAlerts(new Map(Object.entries(planted)))).toEqual(["a.ts"]);
    expect(writersOfAlerts(CODE)).toEqual([]);
  });
});
