import pg from "pg";

/** One statement on a connection of its own. → its rows, each the list of its columns */
export async function askRows<T extends unknown[]>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is killed meanwhile fails the statement, and not the whole process.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<T>({ text, values, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}
