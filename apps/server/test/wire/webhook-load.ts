import pg from "pg";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { setTimeout as pace } from "node:timers/promises";
import { type Outside, sendNotice } from "./outside.ts";

const LANES = 6;
/** So many more acknowledged are a service, not what was under way. */
const ENOUGH = 20;
/** Lanes that never rest would starve the server, the database and the test itself. */
const PACE_MS = 20;

export type Load = {
  readonly acknowledged: readonly string[];
  /** Waits until webhooks sent from now on are acknowledged. */
  goesOn(): Promise<void>;
  stop(): Promise<void>;
};

/** Webhooks of a provider, from several senders at once, each given up after five seconds. */
export function sendWebhooks(out: Outside, name: string): Load {
  let on = true;
  const acknowledged: string[] = [];
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let index = 0; on; index += 1) {
      const id = `${name}-${lane}-${index}`;
      const body = JSON.stringify({ event: "payment.success", data: { id } });
      if ((await sendWithin(out, body)) === 200) acknowledged.push(id);
      await pace(PACE_MS);
    }
  });
  return {
    acknowledged,
    async goesOn() {
      const enough = acknowledged.length + LANES + ENOUGH;
      await eventually(() => acknowledged.length >= enough);
    },
    async stop() {
      on = false;
      await Promise.all(lanes);
    },
  };
}

async function sendWithin(out: Outside, body: string): Promise<number> {
  const late = new Promise<number>((resolve) => {
    setTimeout(() => resolve(0), 5_000).unref();
  });
  const answer = sendNotice(out, body).then(
    ({ status }) => status,
    () => 0,
  );
  return Promise.race([answer, late]);
}

/** Those acknowledged that the database does not hold. */
export async function findLost(databaseUrl: string, acknowledged: readonly string[]) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT unnest($1::text[]) AS id
       EXCEPT SELECT convert_from(body, 'UTF8')::json #>> '{data,id}' FROM provider_notices`,
      [acknowledged],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
