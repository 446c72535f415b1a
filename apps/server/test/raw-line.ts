import { connect, type Socket } from "node:net";
import type { TestApp } from "./harness.ts";

export type Line = {
  readonly socket: Socket;
  /** The status of the next answer that is read, and its head and body. */
  answer(): Promise<{ status: number; text: string }>;
};

/** A connection on which bytes are sent as a test wants them. */
export function openLine(app: TestApp): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    let received = "";
    let failure: Error | null = null;
    let look = () => undefined as void;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      look();
    });
    socket.on("error", (error) => {
      failure = error;
      look();
      reject(error);
    });
    socket.on("close", () => {
      failure ??= new Error("closed");
      look();
    });
    const answer = () =>
      new Promise<{ status: number; text: string }>((found, lost) => {
        look = () => {
          const end = received.indexOf("\r\n\r\n");
          const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
          if (end >= 0 && received.length >= end + 4 + length) {
            const text = received.slice(0, end + 4 + length);
            received = received.slice(end + 4 + length);
            return found({ status: Number(text.slice(9, 12)), text });
          }
          if (failure) lost(failure);
        };
        look();
      });
    socket.once("connect", () => resolve({ socket, answer }));
  });
}
