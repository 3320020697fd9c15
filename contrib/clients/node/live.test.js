// The client beside the real daemon, which ENTITLD_BIN names the directory of.

"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const { once } = require("node:events");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:net");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");

const { Client, EntitldError, UnknownOutcome } = require("./index.js");

const BIN = process.env.ENTITLD_BIN;
const options = { skip: BIN ? false : "ENTITLD_BIN is not set" };
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Daemon {
  constructor(t, frameBytesMax = 1 << 20, port = undefined) {
    this.home = mkdtempSync(join(tmpdir(), "entitld-"));
    const { home } = this;
    writeFileSync(
      `${home}/entitld.yaml`,
      JSON.stringify({
        storage: { directory: `${home}/data`, mapSizeGiB: 1 },
        rpc: {
          socket: `${home}/rpc.sock`,
          adminSocket: `${home}/admin.sock`,
          maxFrameBytes: frameBytesMax,
        },
        apple: { bundleId: "com.example.app", environments: ["Sandbox"] },
        log: { level: "error", format: "json" },
        ...(port && {
          api: {
            listen: `127.0.0.1:${port}`,
            plaintext: true,
            tokensFile: `${home}/tokens`,
            requestsPerSecond: 100_000,
          },
        }),
      }),
    );
    const digest = createHash("sha256").update("secret").digest("hex");
    writeFileSync(`${home}/tokens`, `test app ${digest}\n`, { mode: 0o644 });
    this.port = port;
    this.clients = [];
    this.start();
    t.after(async () => {
      for (const client of this.clients) client.close();
      await this.stop("SIGTERM");
      rmSync(home, { recursive: true });
    });
  }

  start() {
    const { home } = this;
    const files = ["serve", "--config", `${home}/entitld.yaml`];
    this.process = spawn(join(BIN, "entitld"), files, { stdio: "ignore" });
  }

  async stop(signal) {
    const ended = once(this.process, "exit");
    this.process.kill(signal);
    await ended;
  }

  client(name = "rpc") {
    const patience = { timeoutMs: 30_000, writeTimeoutMs: 30_000 };
    const client = new Client({ path: `${this.home}/${name}.sock`, ...patience });
    this.clients.push(client);
    return client;
  }

  door(token = "secret") {
    const patience = { timeoutMs: 30_000, writeTimeoutMs: 30_000 };
    const client = new Client({ url: `http://127.0.0.1:${this.port}`, token, ...patience });
    this.clients.push(client);
    return client;
  }
}

test("one unreadable call among many fails alone", options, async (t) => {
  const daemon = new Daemon(t);
  const it = daemon.client();
  await daemon.client("admin").grantCredits("alice", 1000);
  const charges = Array.from({ length: 200 }, () => it.consumeCredit("alice"));
  const bad = ["u\ud83d", "\udc00"].map((user) => {
    return assert.rejects(it.canRender(user), { name: "malformed_request" });
  });
  const outcomes = await Promise.all([...charges, ...bad]);
  assert.equal(outcomes.filter((answer) => answer?.outcome === "consumed").length, 200);
  assert.equal((await it.credits("alice")).balance, 800);
});

test("a frame that is too long for the daemon alone fails alone", options, async (t) => {
  const daemon = new Daemon(t, 4096);
  const it = daemon.client();
  await daemon.client("admin").grantCredits("alice", 1000);
  const long = it.read("getStatus", { userId: "x".repeat(8000) });
  const charges = Array.from({ length: 100 }, () => it.consumeCredit("alice"));
  await assert.rejects(long, (error) => error instanceof UnknownOutcome);
  for (const charge of await Promise.all(charges)) assert.equal(charge.outcome, "consumed");
  assert.equal((await it.credits("alice")).balance, 900);
});

test("what the client sends is what the daemon can read", options, async (t) => {
  const it = new Daemon(t).client();
  const deep = (levels) => (levels === 0 ? 1 : { deeper: deep(levels - 1) });
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, name) => [`n${name}`, 1]));
  // The daemon reads it and finds parameters that it does not know.
  for (const params of [deep(31), wide, { text: "\u{1f600} \\ud83d \u0000" }]) {
    await assert.rejects(it.read("consumeCredit", params), { code: -32602 });
  }
});

// A port that nobody listens on, and that Linux lends to no connection.
async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

test("over HTTPS the daemon answers as at its socket", options, async (t) => {
  const daemon = new Daemon(t, 1 << 20, await freePort());
  const it = daemon.door();
  await daemon.client("admin").grantCredits("alice", 3);
  assert.equal((await it.canRender("alice")).canRender, true);
  assert.equal((await it.consumeCredit("alice", { amount: 2 })).creditsRemaining, 1);
  assert.deepEqual(await it.status("alice"), await daemon.client().status("alice"));
  await assert.rejects(it.commitReservation("nobody's"), { name: "not_found" });
  await assert.rejects(it.grantCredits("alice", 1), { name: "permission_denied" });
  await assert.rejects(daemon.door("another").canRender("alice"), { name: "permission_denied" });
});

for (const isRemote of [false, true]) {
  test(`a restart under load loses no charge and doubles none${isRemote ? " over HTTPS" : ""}`, options, async (t) => {
    const daemon = new Daemon(t, 1 << 20, isRemote ? await freePort() : undefined);
    const it = isRemote ? daemon.door() : daemon.client();
    await daemon.client("admin").grantCredits("alice", 1_000_000);
    let isOver = false;
    let charged = 0;
    const failures = [];
    const chargers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        try {
          assert.equal((await it.consumeCredit("alice", { amount: 3 })).outcome, "consumed");
          charged++;
        } catch (error) {
          failures.push(String(error));
        }
      }
    });
    for (const signal of ["SIGKILL", "SIGTERM", "SIGKILL"]) {
      for (const wanted = charged + 50; charged < wanted; ) await pause(5);
      await daemon.stop(signal);
      await pause(200);
      daemon.start();
    }
    for (const wanted = charged + 50; charged < wanted; ) await pause(5);
    isOver = true;
    await Promise.all(chargers);
    assert.deepEqual(failures, []);
    assert.equal((await it.credits("alice")).balance, 1_000_000 - 3 * charged);
  });
}

for (const isRemote of [false, true]) {
  test(`a watch goes on after a restart${isRemote ? " over HTTPS" : ""}`, options, async (t) => {
    const daemon = new Daemon(t, 1 << 20, isRemote ? await freePort() : undefined);
    const it = isRemote ? daemon.door() : daemon.client();
    const admin = daemon.client("admin");
    await admin.grantCredits("alice", 1);
    const heard = [];
    const control = new AbortController();
    const watching = (async () => {
      const changes = it.watch({ userIds: ["alice", "b c+d"], signal: control.signal });
      for await (const { event, params } of changes) heard.push([event, params.userId]);
    })();
    await pause(500);
    await admin.grantCredits("bob", 1);
    await admin.grantCredits("b c+d", 1);
    while (heard.length < 1) await pause(5);
    assert.deepEqual(heard, [["entitlementChanged", "b c+d"]]);
    await daemon.stop("SIGTERM");
    daemon.start();
    await admin.grantCredits("alice", 1);
    while (heard.at(-1)[1] !== "alice") await pause(5);
    control.abort(new Error("enough"));
    await assert.rejects(watching, { message: "enough" });
    const closing = it.watch()[Symbol.asyncIterator]().next();
    await pause(200);
    it.close();
    await assert.rejects(closing, { name: "closed" });
  });
}

test("a watch that is refused says why", options, async (t) => {
  const daemon = new Daemon(t, 1 << 20, await freePort());
  await daemon.client().ping();
  await daemon.door().ping();
  const first = (client, given) => client.watch(given)[Symbol.asyncIterator]().next();
  await assert.rejects(first(daemon.door("another")), { name: "permission_denied" });
  for (const client of [daemon.client(), daemon.door()]) {
    await assert.rejects(first(client, { userIds: ["a\u0007"] }), { name: "invalid_params" });
    await assert.rejects(first(client, { users: ["a"] }), TypeError);
  }
});

test("a hold returns when its client goes", options, async (t) => {
  const daemon = new Daemon(t);
  await daemon.client("admin").grantCredits("alice", 10);
  const holder = daemon.client();
  const it = daemon.client();
  await holder.reserveCredits("alice", 4, 3600, { releaseOnDisconnect: true });
  assert.equal((await it.credits("alice")).held, 4);
  holder.close();
  while ((await it.credits("alice")).held > 0) await pause(5);
  assert.equal((await it.credits("alice")).balance, 10);
});

test("the daemon's own refusals are errors and never unknown", options, async (t) => {
  const it = new Daemon(t).client();
  await assert.rejects(it.commitReservation("nobody's"), (error) => {
    return error instanceof EntitldError && !(error instanceof UnknownOutcome) && error.code < 0;
  });
});
