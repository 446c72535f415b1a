import pg from "pg";
import { type Outside, sendNotice } from "./outside.ts";

/** So many acknowledged one after the other are a service, not luck. */
export const IN_A_ROW = 20;

export type Load = { readonly acknowledged: string[]; inARow: number; stop(): Promise<void> };

/** Webhooks of a provider, from several senders at once, each given up after five seconds. */
export function sendWebhooks(out: Outside, name: string): Load {
  let on = true;
  const load = { acknowledged: [] as string[], inARow: 0 };
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    for (let index = 0; on; index += 1) {
      const id = `${name}-${lane}-${index}`;
      const body = JSON.stringify({ event: "payment.success", data: { id } });
      const status = await sendWithin(out, body);
      if (status === 200) load.acknowledged.push(id);
      load.inARow = status === 200 ? load.inARow + 1 : 0;
    }
  });
  return Object.assign(load, {
    async stop() {
      on = false;
      await Promise.all(lanes);
    },
  });
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

/** Webhooks of that load in the database. */
export async function countStored(databaseUrl: string, name: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(DISTINCT body)::int AS count FROM provider_notices
       WHERE convert_from(body, 'UTF8') LIKE '%"' || $1 || '-%'`,
      [name],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
