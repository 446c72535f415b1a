import { type ChildProcess, fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MONEROO_WEBHOOK_SECRET } from "../../apps/server/test/harness.ts";
import { blackPng } from "../../apps/server/test/pictures.ts";
import { startEmbeddedPostgres } from "../../tools/postgres/embedded.ts";

/**
 * Attacks on memory and CPU, played on the whole server from outside, with the figures that tell
 * whether they hurt: `node bench/attacks/run.ts [memory|fairness|description|pages|uploads|pictures]`.
 * The same file runs on an older version of the server, for a comparison.
 */
type Target = { url: string; token: string; groupId: string; keyId: string; secret: string };
type Cost = { rssMb: number; cpuMs: number };

const hmac = (secret: string, body: string) =>
  createHmac("sha256", secret).update(body).digest("hex");
const say = (line: string) => process.stdout.write(`${line}\n`);

async function costOf(server: ChildProcess): Promise<Cost> {
  server.send("cost");
  const [cost] = (await once(server, "message")) as [Cost];
  return cost;
}

function open(url: string, bytes: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(bytes);
      resolve(socket);
    });
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
  });
}

const headOf = (path: string, length: number, header: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${header}\r\n\r\n`;

async function holdMany(
  server: ChildProcess,
  { url }: Target,
  attack: { what: string; count: number; bytes: number; head: string; begin?: string },
): Promise<void> {
  const before = await costOf(server);
  const body = (attack.begin ?? "") + "x".repeat(attack.bytes);
  const sockets = await Promise.all(
    Array.from({ length: attack.count }, () => open(url, attack.head + body)),
  );
  await sleep(4_000);
  const during = await costOf(server);
  await sleep(31_000);
  const after = await costOf(server);
  const open31 = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
  say(
    `${attack.what}: RSS ${before.rssMb.toFixed(0)} → ${during.rssMb.toFixed(0)} MB after 4 s, ` +
      `${after.rssMb.toFixed(0)} MB after 35 s, ${open31.length} of ${attack.count} still held`,
  );
  for (const socket of sockets) socket.destroy();
}

async function post(url: string, body: string, secret: string): Promise<[number, number]> {
  const startedAt = performance.now();
  const headers = { "content-type": "application/json", "x-moneroo-signature": hmac(secret, body) };
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  await answer?.arrayBuffer();
  return [answer?.status ?? 0, Math.round(performance.now() - startedAt)];
}

async function delayHonest({ url, keyId, secret }: Target, size: number): Promise<void> {
  const honest = () =>
    post(
      `${url}/webhooks/moneroo`,
      `{"data":{"id":"py_${Math.random()}"}}`,
      MONEROO_WEBHOOK_SECRET,
    );
  await honest();
  const alone = await honest();
  let going = true;
  const statuses: Record<number, number> = {};
  const attacker = async (number: number) => {
    for (let count = 0; going && count < 40; count++) {
      const body = JSON.stringify({ number, count, padding: "x".repeat(size) });
      const [status] = await post(`${url}/webhooks/moneroo/${keyId}`, body, secret);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const attackers = Promise.all(Array.from({ length: 12 }, (_, number) => attacker(number)));
  const delays: number[] = [];
  for (let count = 0; count < 5; count++) delays.push((await honest())[1]);
  going = false;
  await attackers;
  say(
    `an honest webhook: alone ${alone[1]} ms; beside 12 senders of ${size} bytes by a seller's account ` +
      `${delays.join(", ")} ms; they were answered ${JSON.stringify(statuses)}`,
  );
}

async function costOfPages(server: ChildProcess, { url }: Target, paths: string[]): Promise<void> {
  const headers = { accept: "text/html", "accept-encoding": "gzip, deflate, br" };
  for (const path of paths) {
    const ask = (n: number) =>
      fetch(url + path.replace("{n}", String(n)), { headers }).then((answer) =>
        answer.arrayBuffer(),
      );
    for (let n = 0; n < 20; n++) await ask(n);
    const before = await costOf(server);
    for (let n = 0; n < 100; n++) await ask(100 + n);
    const after = await costOf(server);
    say(`${path}: ${((after.cpuMs - before.cpuMs) / 100).toFixed(2)} ms of CPU an answer`);
  }
}

async function delayHealth({ url }: Target): Promise<void> {
  const health = async () => {
    const startedAt = performance.now();
    await (await fetch(`${url}/health`)).arrayBuffer();
    return Math.round(performance.now() - startedAt);
  };
  await health();
  const alone = await health();
  let going = true;
  let answers = 0;
  const headers = { "accept-encoding": "br" };
  const client = async () => {
    while (going) {
      await (await fetch(`${url}/api/openapi.json`, { headers })).arrayBuffer();
      answers += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: 12 }, client));
  const delays: number[] = [];
  for (let count = 0; count < 8; count++) {
    await sleep(250);
    delays.push(await health());
  }
  going = false;
  await clients;
  say(
    `/health: alone ${alone} ms; beside 12 readers of the description ${delays.join(", ")} ms (${answers} answers)`,
  );
}

/** Megabytes of a process and all that it started. */
function rssOf(pid: number): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    const own = (Number(pages) * 4_096) / 2 ** 20;
    return children
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number)
      .reduce((sum, child) => sum + rssOf(child), own);
  } catch {
    return 0;
  }
}

/** Four uploads at once of an interlaced picture, eight bytes a point, beside two reading routes. */
async function stallReaders(server: ChildProcess, target: Target, side: number): Promise<void> {
  const { url, token, groupId } = target;
  const authorization = { authorization: `Bearer ${token}` };
  const image = new Blob([new Uint8Array(blackPng(side, true))]);
  const durations = await fetch(`${url}/api/config/subscription_durations`);
  const [duration] = (await durations.json()) as [{ id: string }];
  const upload = async () => {
    const form = new FormData();
    const fields = {
      title: "Image",
      price: "5000",
      description: "",
      duration: duration.id,
      group_id: groupId,
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set("image", image, "a.png");
    const answer = await fetch(`${url}/api/products`, {
      method: "POST",
      headers: authorization,
      body: form,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const worst: Record<string, number> = { "/health": 0, "/api/products": 0 };
  const before = rssOf(server.pid ?? 0);
  let peak = before;
  let going = true;
  const reader = async (path: string) => {
    for (; going; await sleep(20)) {
      const startedAt = performance.now();
      await (await fetch(url + path, { headers: authorization })).arrayBuffer();
      worst[path] = Math.max(worst[path] ?? 0, Math.round(performance.now() - startedAt));
      peak = Math.max(peak, rssOf(server.pid ?? 0));
    }
  };
  const readers = Promise.all(Object.keys(worst).map(reader));
  const startedAt = performance.now();
  const statuses = await Promise.all(Array.from({ length: 4 }, upload));
  const seconds = (performance.now() - startedAt) / 1_000;
  going = false;
  await readers;
  say(
    `four pictures of ${side}², ${(image.size / 1_024).toFixed(0)} kB each: answered ${statuses.join(", ")} in ${seconds.toFixed(1)} s, ` +
      `RSS ${before.toFixed(0)} → ${peak.toFixed(0)} MB, slowest reading ${JSON.stringify(worst)} ms`,
  );
}

const only = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "sesame-attacks-"));
chmodSync(folder, 0o755);
const cluster = await startEmbeddedPostgres({ dataDir: folder });
const server = fork(fileURLToPath(new URL("./attack-server.ts", import.meta.url)), {
  env: { ...process.env, TEST_DATABASE_URL: cluster.adminUrl },
  execArgv: ["--expose-gc", ...process.execArgv],
});
const [target] = (await once(server, "message")) as [Target];
const attacks: Record<string, () => Promise<void>> = {
  description: () => delayHealth(target),
  pages: () =>
    costOfPages(server, target, [
      "/achat?reference=inconnu{n}",
      "/commande/1{n}",
      "/paiement/retour/xyz{n}",
      "/boutique/99{n}",
      "/docs",
      "/api/openapi.json",
    ]),
  pictures: async () => {
    // 400 MB decoded each: F18's. Then what is just allowed, 98 MB.
    await stallReaders(server, target, 7_000);
    await stallReaders(server, target, 3_496);
  },
  fairness: async () => {
    await delayHonest(target, 60_000);
    await delayHonest(target, 4_000_000);
  },
  uploads: () =>
    holdMany(server, target, {
      what: "30 uploads of one person, left unfinished",
      count: 30,
      bytes: 4_900_000,
      head: headOf("/api/products", 5_000_000, `Authorization: Bearer ${target.token}`).replace(
        "application/json",
        "multipart/form-data; boundary=b",
      ),
      begin: '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n',
    }),
  memory: () =>
    holdMany(server, target, {
      what: "100 webhooks with a wrong signature, one byte left unsent",
      count: 100,
      bytes: 4 * 2 ** 20 - 1,
      head: headOf("/webhooks/moneroo", 4 * 2 ** 20, `X-Moneroo-Signature: ${"0".repeat(64)}`),
    }),
};
try {
  for (const [name, attack] of Object.entries(attacks)) {
    if (!only || only === name) await attack();
  }
} finally {
  server.kill();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(cluster.dataDir, { recursive: true, force: true });
}
