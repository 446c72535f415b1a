import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "./harness.ts";
import { pictureBytes } from "./pictures.ts";

const log: string[] = [];

const app = await startTestApp({ env: { LOG_LEVEL: "trace" } });
afterAll(async () => app.takeErrors());

const keepLog = () => log.push(...app.takeErrors());

test("no log line carries a token, init data or a person's number, even at trace", async () => {
  const person = await app.person({ first_name: "Hapaxine" });
  const raw = app.initData(person);
  const seller = await app.signInSeller(person);
  const buyer = await app.signInBuyer();
  const { id: group } = await app.linkGroup(seller);
  const headers = { "x-telegram-init-data": raw };
  // Multipart logs every header of an upload.
  const image = new Blob([new Uint8Array(await pictureBytes())]);
  const fields = { title: "Accès", description: "Un mois", price: "5000", group_id: group };
  const { token } = seller;
  await app.call("POST", "/api/products", { token, headers, form: { ...fields, image } });
  keepLog();
  for (const token of [seller.token, buyer.token]) {
    await app.call("PUT", `/api/users/${seller.id}`, {
      token,
      headers,
      body: {
        whatsapp_number: "+2250501020304",
        type_plan: 1,
        payout: { phone: "+2250501020304" },
      },
    });
    await app.call("GET", `/api/orders/${token}`, { token });
  }
  // A database error contains the refused row.
  app.app.http.log.error(
    { err: await refusedRow(app, "Hapaxine +2250501020304") },
    "a row was refused",
  );
  await app.drain();
  keepLog();
  const text = log.join("\n");
  expect(log.length).toBeGreaterThan(2);
  expect(text).toContain("a row was refused");
  expect(text).toContain("busboyOptions");
  const secrets = [
    seller.token,
    buyer.token,
    raw,
    encodeURIComponent(raw),
    "0501020304",
    "Hapaxine",
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

/** The driver's error for a row whose unique text exists already. */
function refusedRow({ db }: TestApp, text: string): Promise<unknown> {
  return db.connection().execute(async (connection) => {
    await sql`CREATE TEMPORARY TABLE refused (words text UNIQUE)`.execute(connection);
    await sql`INSERT INTO refused VALUES (${text})`.execute(connection);
    return sql`INSERT INTO refused VALUES (${text})`
      .execute(connection)
      .catch((error: unknown) => error);
  });
}
