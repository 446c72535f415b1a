import { once } from "node:events";
import type { Socket } from "node:net";
import type pg from "pg";

/** What of pg's connection a COPY needs: its types describe none of it. */
type Wire = {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

const BATCH_BYTES = 256 * 1024;

/** Runs `COPY … TO STDOUT` and hands over its bytes in batches, waiting for each to be taken. */
export async function copyOut(
  client: pg.Client,
  text: string,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  let rows: Buffer[] = [];
  let size = 0;
  let taken = Promise.resolve();
  let socket: Socket | undefined;
  const flush = (): void => {
    const batch = Buffer.concat(rows);
    rows = [];
    size = 0;
    if (batch.length === 0) return;
    socket?.pause();
    taken = taken.then(() => take(batch)).finally(() => socket?.resume());
    // Its failure is thrown below: until then it must not count as unhandled.
    taken.catch(() => {});
  };
  await submit(client, {
    submit: (wire) => {
      socket = wire.stream;
      wire.query(text);
    },
    handleCopyData: ({ chunk }) => {
      // The chunk is a window on the socket's buffer, which will be used again.
      rows.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= BATCH_BYTES) flush();
    },
  });
  flush();
  await taken;
}

/** Runs `COPY … FROM STDIN` with these bytes. */
export async function copyIn(
  client: pg.Client,
  text: string,
  batches: AsyncIterable<Buffer>,
): Promise<void> {
  await submit(client, {
    submit: (wire) => wire.query(text),
    handleCopyInResponse: (wire) => {
      send(wire, batches).catch((error: Error) => wire.sendCopyFail(error.message));
    },
  });
}

async function send(wire: Wire, batches: AsyncIterable<Buffer>): Promise<void> {
  for await (const batch of batches) {
    wire.sendCopyFromChunk(batch);
    if (wire.stream.writableNeedDrain) await once(wire.stream, "drain");
  }
  wire.endCopyFrom();
}

type Steps = {
  submit(wire: Wire): void;
  handleCopyData?(message: { chunk: Buffer }): void;
  handleCopyInResponse?(wire: Wire): void;
};

/** Gives pg a query of our own making: it calls these methods as the answers arrive. */
function submit(client: pg.Client, steps: Steps): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    const query = {
      handleRowDescription: () => {},
      handleDataRow: () => {},
      handleCommandComplete: () => {},
      handleCopyData: () => {},
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (failure === null) resolve();
      },
      ...steps,
    };
    client.query(query as unknown as pg.Submittable);
  });
}
