import { Agent, request } from "node:http";

/**
 * A process that calls one route a number of times over few kept connections. `{n}` in the path or
 * the body is another number each time. `node bench/route-load.ts <url> <count> <JSON: method,
 * path, headers, body>`
 */
const [, , base = "", count = "100", call = "{}"] = process.argv;
const { method, path, headers, body } = JSON.parse(call) as {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
};
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const statuses: Record<string, number> = {};
let next = 0;

async function client(): Promise<void> {
  while (next < Number(count)) {
    const number = String(next++);
    const status = await send(path.replaceAll("{n}", number), body.replaceAll("{n}", number));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

function send(to: string, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = text === "" ? headers : { ...headers, "content-length": Buffer.byteLength(text) };
    const asked = request(new URL(to, base), { method, agent, headers: sent }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", reject);
    asked.end(text);
  });
}

await Promise.all(Array.from({ length: 8 }, client));
agent.destroy();
process.stdout.write(JSON.stringify(statuses));
