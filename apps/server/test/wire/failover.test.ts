import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "@sesame/kernel";
import { expect, test } from "vitest";
import { prepareBinaries } from "../../../../tools/postgres/binaries.ts";
import { layoutOf } from "../../../../tools/postgres/layout.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { withClient } from "../../../../tools/postgres/embedded.ts";
import { askRows as ask } from "../../../../tools/testing/ask-rows.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { startFreezingProxy } from "./freezing-proxy.ts";
import { findLost, openOutside, sendWebhooks } from "./stranger.ts";

const ROUNDS = process.env["LONG"] === "1" ? 20 : 1;

test(`a standby promoted under load ${ROUNDS} times loses no acknowledged webhook`, async () => {
  const database = await startReplicatedDatabase();
  const proxy = await startFreezingProxy(database.url);
  const out = await openOutside({ env: { DATABASE_URL: proxy.url, ROLES: "http" } });
  const load = sendWebhooks(out, "failover");
  const outagesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await database.addStandby();
    await load.goesOn();
    const killedAt = performance.now();
    // Until the address is moved, it leads to a machine that no longer exists.
    const promoted = await database.failOver();
    proxy.retarget(promoted);
    await load.goesOn();
    outagesMs.push(performance.now() - killedAt);
  }
  await load.stop();
  expect(await findLost(database.url, load.acknowledged)).toEqual([]);
  const longest = (Math.max(...outagesMs) / 1_000).toFixed(1);
  process.stdout.write(
    `failover: ${ROUNDS} promoted, ${load.acknowledged.length} acknowledged, 0 lost, ` +
      `back after ${longest} s at most\n`,
  );
  await out.close();
  await proxy.close();
  await database.close();
});

type Place = { readonly dataDir: string; readonly socketDir: string };
type Node = Place & { readonly child: ChildProcess };

const SETTINGS = {
  listen_addresses: "",
  max_connections: "60",
  wal_level: "replica",
  wal_keep_size: "512MB",
  shared_buffers: "32MB",
  // Only a crash of the machine itself would lose what is not synced to the disk.
  fsync: "off",
};

/** A primary and a standby that has every commit before it is acknowledged. */
async function startReplicatedDatabase() {
  const folder = ownFolder("replica");
  const { user } = layoutOf(folder);
  const asUser = { cwd: "/", ...(user ? { uid: user.uid, gid: user.gid } : {}) };
  const give = (path: string) => user && chownSync(path, user.uid, user.gid);
  const binaries = prepareBinaries(user);
  const nodes: Node[] = [];
  const run = (command: string, args: readonly string[]) => {
    const done = spawnSync(command, args, { ...asUser, encoding: "utf8" });
    assert(done.status === 0, `${command}: ${done.stderr}`);
  };
  const place = () => {
    const dataDir = join(folder, `data-${nodes.length}`);
    const socketDir = join(folder, `socket-${nodes.length}`);
    for (const made of [dataDir, socketDir]) {
      mkdirSync(made, { mode: 0o700 });
      give(made);
    }
    return { dataDir, socketDir };
  };
  const start = async (at: Place) => {
    const settings = { ...SETTINGS, unix_socket_directories: at.socketDir };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(binaries.postgres, ["-D", at.dataDir, ...args], {
      ...asUser,
      stdio: "ignore",
    });
    nodes.push({ ...at, child });
    await eventually(() => ask(urlOf(at.socketDir, "postgres"), "SELECT 1"));
  };
  const newest = () => {
    const node = nodes.at(-1);
    assert(node, "a database was started");
    return node;
  };
  const first = place();
  const local = ["--locale=C", "--auth-local=trust", "--no-sync"];
  run(binaries.initdb, ["-D", first.dataDir, "-U", "sesame", "--encoding=UTF8", ...local]);
  await start(first);
  await ask(urlOf(first.socketDir, "postgres"), "CREATE DATABASE sesame");
  return {
    get url() {
      return urlOf(newest().socketDir, "sesame");
    },
    /** Gives the primary an up-to-date standby; commits wait for it from now on. */
    async addStandby() {
      const primary = newest();
      const standby = place();
      for (const written of await copyRunning(primary, standby)) give(written);
      await start(standby);
      const admin = urlOf(primary.socketDir, "postgres");
      await ask(admin, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await ask(admin, "SELECT pg_reload_conf()");
      const synced = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
      await eventually(async () => expect(await ask(admin, synced)).toHaveLength(1));
    },
    /** Kills the primary and promotes the standby. → its address */
    async failOver() {
      const [primary, standby] = nodes.slice(-2);
      assert(primary && standby, "there is a standby");
      const gone = once(primary.child, "exit");
      primary.child.kill("SIGKILL");
      await gone;
      await ask(urlOf(standby.socketDir, "postgres"), "SELECT pg_promote(true, 120)");
      return urlOf(standby.socketDir, "sesame");
    },
    async close() {
      for (const { child } of nodes) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, "exit");
        child.kill("SIGQUIT");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Like `pg_basebackup`, which the packaged PostgreSQL lacks. → the files that it wrote itself */
async function copyRunning(primary: Node, standby: Place): Promise<string[]> {
  const label = await withClient(urlOf(primary.socketDir, "postgres"), async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    // A file that is deleted during the copy is in the WAL that is replayed.
    spawnSync("cp", ["-a", `${primary.dataDir}/.`, standby.dataDir], { stdio: "ignore" });
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
    return String(rows[0]?.labelfile);
  });
  for (const name of ["postmaster.pid", "postmaster.opts"]) {
    rmSync(join(standby.dataDir, name), { force: true });
  }
  const files = {
    backup_label: label,
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = 'host=${primary.socketDir} user=sesame'\n`,
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(standby.dataDir, name);
    writeFileSync(path, text);
    return path;
  });
}

function urlOf(socketDir: string, database: string): string {
  return `postgresql://sesame@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}
