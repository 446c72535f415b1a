import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { CatalogueRefusal } from "@sesame/contract/catalogue";
import { type Result, refuse } from "@sesame/kernel";

export type EncodedImage = {
  /** Of the largest stored size. */
  readonly width: number;
  readonly height: number;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
};

/** A taller picture is cut to twice its width. */
export const MAX_RATIO = 2;

type Checked = Result<null, CatalogueRefusal>;
type Encoded = Result<EncodedImage, CatalogueRefusal>;

/** A message to the picture process. */
export type PictureTask = {
  readonly id: number;
  readonly kind: "check" | "encode";
  readonly bytes: Uint8Array;
};
/** Its answer: `checked` also when an encoding failed. */
export type PictureAnswer = { readonly id: number } & (
  | { readonly checked: Checked }
  | { readonly encoded: Encoded }
);

export type Pictures = ReturnType<typeof createPictures>;

/** Bytes of uploads that may wait behind the current encoding: nine of the largest size. */
const WAITING_BYTES_MAX = 48 * 1024 * 1024;
/** Decoding is limited to 10 s; four encodings of 800 points take one more. */
const TASK_MS = 20_000;
/** A process without work ends, and the next upload starts another in 0.2 s. */
const IDLE_MS = 60_000;

const UNREADABLE = refuse({ kind: "catalogue.image-unreadable" } as const);
const BUSY = refuse({ kind: "catalogue.image-busy" } as const);

type Waiting = {
  readonly kind: PictureTask["kind"];
  readonly bytes: number;
  resolve(answer: Checked | Encoded): void;
};

/** It does not keep the server alive. */
function startProcess(onAnswer: (answer: PictureAnswer) => void): ChildProcess {
  const made = fork(fileURLToPath(new URL("./picture-process.ts", import.meta.url)), {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  made.unref();
  made.channel?.unref();
  return made.on("message", (message) => onAnswer(message as PictureAnswer));
}

/**
 * Pictures are decoded in a process of their own: a hostile one that takes memory or time, or
 * crashes the process, fails its own upload and nothing else.
 */
export function createPictures(waitingBytesMax = WAITING_BYTES_MAX) {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | null = null;
  let last = 0;

  function end(): void {
    child?.kill("SIGKILL");
    child = null;
    for (const { resolve } of waiting.values()) resolve(UNREADABLE);
    waiting.clear();
  }

  function open(): ChildProcess {
    if (child) return child;
    const made = startProcess(({ id, ...answer }) =>
      settle(id, "encoded" in answer ? answer.encoded : answer.checked),
    );
    const gone = () => {
      if (child === made) end();
    };
    child = made.once("exit", gone).once("error", gone);
    return made;
  }

  function settle(id: number, answer: Checked | Encoded): void {
    const task = waiting.get(id);
    waiting.delete(id);
    task?.resolve(answer);
    if (waiting.size > 0) return;
    child?.channel?.unref();
    idle = setTimeout(end, IDLE_MS).unref();
  }

  function run(kind: PictureTask["kind"], bytes: Uint8Array): Promise<Checked | Encoded> {
    if (idle) clearTimeout(idle);
    const id = ++last;
    return new Promise((resolve) => {
      // Its turn may come after every other waiting one.
      const limit = setTimeout(end, TASK_MS * (waiting.size + 1)).unref();
      const answer: Waiting["resolve"] = (answered) => {
        clearTimeout(limit);
        resolve(answered);
      };
      waiting.set(id, { kind, bytes: bytes.length, resolve: answer });
      const process = open();
      process.channel?.ref();
      process.send({ id, kind, bytes } satisfies PictureTask, (error) => {
        if (error) settle(id, UNREADABLE);
      });
    });
  }

  return {
    /** Checks the header: type, size, memory for decoding. */
    check: (bytes: Uint8Array) => run("check", bytes) as Promise<Checked>,
    /** Decodes and encodes in each width and format; refused when too many uploads wait. */
    async encode(bytes: Uint8Array): Promise<Encoded> {
      // Memory of the uploads in progress.
      const held = [...waiting.values()].filter(({ kind }) => kind === "encode");
      const heldBytes = held.reduce((sum, upload) => sum + upload.bytes, 0);
      if (heldBytes + bytes.length > waitingBytesMax) return BUSY;
      return (await run("encode", bytes)) as Encoded;
    },
    /** The id of the picture process, while there is one. */
    pid: () => child?.pid,
    /** Ends the process; waiting uploads are refused. */
    close() {
      if (idle) clearTimeout(idle);
      end();
    },
  };
}
