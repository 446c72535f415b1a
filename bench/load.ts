import net from "node:net";
import { signWebhook } from "../apps/server/test/bulk-sales.ts";
import { quantile } from "./figures.ts";

/** What `load.ts` is asked for, in JSON. */
export type Load = {
  readonly url: string;
  readonly connections: number;
  /** How long to ask for the address; otherwise webhooks are sent. */
  readonly seconds?: number;
  /** Sent with each request for the address, with its end of line. */
  readonly header?: string;
  /** Signed webhooks of so many orders, `pace` a second; without it as fast as they are answered. */
  readonly webhooks?: { readonly first: string; readonly count: number; readonly pace?: number };
};
/** Answers per second, and the slowest hundredth, cold and warm. */
export type Answered = {
  readonly perSecond: number;
  readonly p99: number;
  readonly warmP99: number;
};

const {
  url,
  connections,
  seconds = Infinity,
  header = "",
  webhooks,
} = JSON.parse(process.argv[2] ?? "{}") as Load;
const { host, hostname, port, pathname } = new URL(url);
const get = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n`;
const posts = Array.from({ length: webhooks?.count ?? 0 }, (_, index) => {
  const { body, signature } = signWebhook(BigInt(webhooks?.first ?? 0) + BigInt(index));
  return (
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `X-Moneroo-Signature: ${signature}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
});
const waits: number[] = [];
const startedAt = performance.now();
let next = 0;

/** One kept connection, which sends its next request after each answer: a 200 with a length. */
function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, send);
    let sentAt = 0;
    let received = "";
    function send(): void {
      const index = next++;
      const request = webhooks ? posts[index] : get;
      if (request === undefined || performance.now() > startedAt + seconds * 1_000) {
        socket.destroy();
        return resolve();
      }
      const write = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      const dueAt = webhooks?.pace ? startedAt + (index * 1_000) / webhooks.pace : 0;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) setTimeout(write, waitMs);
      else write();
    }
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.on("data", (text: string) => {
      received += text;
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 200")) return reject(new Error(received.slice(0, 80)));
      received = "";
      waits.push(performance.now() - sentAt);
      send();
    });
  });
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return headEnd >= 0 && length !== undefined && text.length >= headEnd + 4 + Number(length);
}

await Promise.all(Array.from({ length: connections }, client));
const perSecond = waits.length / ((performance.now() - startedAt) / 1_000);
// In the second half everything is warm: connections, compiled code, planned statements.
const half = waits.length / 2;
const answered: Answered = {
  perSecond,
  p99: quantile(waits.slice(0, half), 0.99),
  warmP99: quantile(waits.slice(half), 0.99),
};
process.stdout.write(JSON.stringify(answered));
