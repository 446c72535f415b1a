import net from "node:net";
import { signWebhook } from "../apps/server/test/bulk-sales.ts";
import { quantile } from "./figures.ts";

/**
 * A process that posts different signed webhooks over kept connections, and prints answers per
 * second and the slowest hundredth, cold and warm. `node bench/webhook-load.ts <url> <connections>
 * <first order> <count> [per second]`
 */
const [, , address = "", connections = "64", first = "1", count = "1000", pace] = process.argv;
const url = new URL(address);
const requests = Array.from({ length: Number(count) }, (_, index) => {
  const { body, signature } = signWebhook(BigInt(first) + BigInt(index));
  return (
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n` +
    `X-Moneroo-Signature: ${signature}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
});
const waits: number[] = [];
const startedAt = performance.now();
let next = 0;

/** Milliseconds until the next request is due. */
function untilDue(index: number): number {
  return pace ? startedAt + (index * 1_000) / Number(pace) - performance.now() : 0;
}

function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(url.port), url.hostname, () => send());
    let sentAt = 0;
    let received = "";
    const send = () => {
      const index = next++;
      const request = requests[index];
      if (request === undefined) {
        socket.destroy();
        return resolve();
      }
      const write = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      const wait = untilDue(index);
      if (wait > 0) setTimeout(write, wait);
      else write();
    };
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.on("data", (text: string) => {
      received += text;
      if (!received.includes("\r\n\r\n")) return;
      if (!received.startsWith("HTTP/1.1 200")) return reject(new Error(received.slice(0, 80)));
      received = "";
      waits.push(performance.now() - sentAt);
      send();
    });
  });
}

await Promise.all(Array.from({ length: Number(connections) }, client));
const elapsedSeconds = (performance.now() - startedAt) / 1_000;
// In the second half everything is warm: connections, compiled code, planned statements.
const half = waits.length / 2;
process.stdout.write(
  JSON.stringify({
    perSecond: waits.length / elapsedSeconds,
    p99: quantile(waits.slice(0, half), 0.99),
    warmP99: quantile(waits.slice(half), 0.99),
  }),
);
