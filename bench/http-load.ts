import net from "node:net";

/**
 * A process that requests one address as fast as it answers, over kept connections, and prints
 * answers per second. `node bench/http-load.ts <url> <connections> <seconds> [header]`.
 */
async function main(): Promise<void> {
  const [, , address = "", connections = "64", seconds = "2", header] = process.argv;
  const url = new URL(address);
  const endAt = performance.now() + Number(seconds) * 1_000;
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: Number(connections) }, () => ask({ url, header }, endAt)),
  );
  const total = answers.reduce((sum, count) => sum + count, 0);
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${Math.round(total / elapsedSeconds)}\n`);
}

/**
 * One connection. → the number of its answers, each of which must be a 200 with a content length
 */
function ask(
  { url, header }: { url: URL; header: string | undefined },
  endAt: number,
): Promise<number> {
  const more = header ? `${header}\r\n` : "";
  const request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n${more}\r\n`;
  return new Promise((resolve, reject) => {
    let answers = 0;
    let received = "";
    const socket = net.connect(Number(url.port), url.hostname, () => socket.write(request));
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.on("data", (text: string) => {
      received += text;
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 200")) return reject(new Error(received.slice(0, 80)));
      answers += 1;
      received = "";
      if (performance.now() < endAt) return socket.write(request);
      socket.destroy();
      return resolve(answers);
    });
  });
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return headEnd >= 0 && length !== undefined && text.length >= headEnd + 4 + Number(length);
}

await main();
