import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Client, EntitldError, Unavailable } from "./index.js";

function framed(value) {
  const body = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}

// A daemon that answers with what script(method, params, connection, reply) returns: an object is
// a reply's `result` or `error` member, a buffer is sent as it is, null hangs up, undefined is
// silence. `reply` answers later.
async function daemon(t, script) {
  const directory = mkdtempSync(join(tmpdir(), "entitld-"));
  const fake = { path: join(directory, "s"), requests: [], connections: 0 };
  const sockets = new Set();
  const server = createServer((socket) => {
    const number = ++fake.connections;
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32BE()) {
        const end = 4 + received.readUInt32BE();
        const request = JSON.parse(received.subarray(4, end));
        received = received.subarray(end);
        fake.requests.push([request.method, request.params]);
        const envelope = { jsonrpc: "2.0", id: request.id };
        const reply = (members) => socket.write(framed({ ...envelope, ...members }));
        const act = script(request.method, request.params, number, reply);
        if (act === null) return socket.destroy();
        if (Buffer.isBuffer(act)) socket.write(act);
        else if (act !== undefined) reply(act);
      }
    });
  });
  await new Promise((resolve) => server.listen(fake.path, resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
    rmSync(directory, { recursive: true });
  });
  return fake;
}

function client(t, fake, options = {}) {
  const patience = { timeoutMs: 10_000, writeTimeoutMs: 10_000 };
  const made = new Client({ path: fake.path, ...patience, ...options });
  t.after(() => made.close());
  return made;
}

test("every call sends its method and named parameters", async (t) => {
  const results = {
    getEntitlement: { entitlement: 1 },
    getManagementURL: { url: null },
    getHistory: { events: [] },
  };
  const fake = await daemon(t, (method) => ({ result: results[method] ?? { method } }));
  const it = client(t, fake);
  assert.deepEqual(await it.canRender("alice", { cost: 2 }), { method: "canRender" });
  assert.equal(await it.entitlement("alice"), 1);
  assert.equal(await it.managementURL("alice", { platform: "ios" }), null);
  await it.status("alice");
  await it.ping();
  await it.version();
  await it.registerAccount("alice");
  await it.verifyPurchase("alice", "a.b.c", { productId: "p" });
  await it.grantEntitlement("alice", "premium", { idempotencyKey: "k", reason: "gift" });
  await it.revokeGrant("alice", "g");
  await it.credits("alice");
  await it.restorePurchases("alice", ["a.b.c"]);
  await it.verifyReceipt("alice", "AAAA");
  await it.consumeCredit("alice", { amount: 2, idempotencyKey: "k" });
  await it.reserveCredits("alice", 3, 60, { idempotencyKey: "r" });
  await it.commitReservation("r1", { amount: 2 });
  await it.releaseReservation("r1");
  await it.reverseCredits("alice", "k", { idempotencyKey: "b" });
  await it.grantCredits("alice", 5, { idempotencyKey: "g", reason: "gift" });
  assert.deepEqual(await it.history("alice", { afterSeq: 7 }), []);
  assert.equal(fake.connections, 1);
  assert.deepEqual(fake.requests, [
    ["canRender", { userId: "alice", cost: 2 }],
    ["getEntitlement", { userId: "alice" }],
    ["getManagementURL", { userId: "alice", platform: "ios" }],
    ["getStatus", { userId: "alice" }],
    ["ping", {}],
    ["version", {}],
    ["registerAccount", { userId: "alice" }],
    ["verifyPurchase", { userId: "alice", signedTransaction: "a.b.c", productId: "p" }],
    ["grantEntitlement", { userId: "alice", plan: "premium", idempotencyKey: "k", reason: "gift" }],
    ["revokeGrant", { userId: "alice", grant: "g" }],
    ["getCredits", { userId: "alice" }],
    ["restorePurchases", { userId: "alice", signedTransactions: ["a.b.c"] }],
    ["verifyReceipt", { userId: "alice", receiptData: "AAAA" }],
    ["consumeCredit", { userId: "alice", idempotencyKey: "k", amount: 2 }],
    ["reserveCredits", { userId: "alice", idempotencyKey: "r", amount: 3, ttlSeconds: 60 }],
    ["commitReservation", { reservation: "r1", amount: 2 }],
    ["releaseReservation", { reservation: "r1" }],
    ["reverseCredits", { userId: "alice", idempotencyKey: "b", consumeKey: "k" }],
    ["grantCredits", { userId: "alice", amount: 5, idempotencyKey: "g", reason: "gift" }],
    ["getHistory", { userId: "alice", afterSeq: 7 }],
  ]);
});

test("an error object is thrown and the connection goes on", async (t) => {
  const data = { code: "overloaded", retryable: true, retryAfterMs: 100 };
  const error = { code: -32029, message: "too much", data };
  const fake = await daemon(t, (method) => (method === "getStatus" ? { error } : { result: {} }));
  const it = client(t, fake);
  await assert.rejects(it.status("alice"), (thrown) => {
    assert(thrown instanceof EntitldError && !(thrown instanceof Unavailable));
    const { code, name, message, retryable } = thrown;
    assert.deepEqual([code, name, message, retryable], [-32029, "overloaded", "too much", true]);
    assert.equal(thrown.data.retryAfterMs, 100);
    return true;
  });
  await it.ping();
  assert.equal(fake.connections, 1);
});

test("replies in another order find their calls", async (t) => {
  let first;
  const fake = await daemon(t, (_, params, __, reply) => {
    if (params.userId === "first") {
      first = () => reply({ result: params });
      return undefined;
    }
    setTimeout(first, 5);
    return { result: params };
  });
  const it = client(t, fake);
  const order = [];
  const ask = async (user) => order.push((await it.status(user)).userId);
  await Promise.all([ask("first"), ask("second")]);
  assert.deepEqual(order, ["second", "first"]);
  assert.equal(fake.connections, 1);
});

test("500 calls at once share one connection", async (t) => {
  const fake = await daemon(t, (_, params) => ({ result: params }));
  const it = client(t, fake);
  const users = Array.from({ length: 500 }, (_, number) => `u${number}`);
  const answers = await Promise.all(users.map((user) => it.status(user)));
  assert.deepEqual(answers.map((answer) => answer.userId), users);
  assert.equal(fake.connections, 1);
});

test("a missing socket is unreachable", async () => {
  const it = new Client({ path: "/tmp/entitld-nobody-here" });
  await assert.rejects(it.ping(), { name: "unreachable", code: 0, retryable: true });
});

test("silence times out and the next call is answered", async (t) => {
  const fake = await daemon(t, (method) => (method === "getStatus" ? undefined : { result: {} }));
  const it = client(t, fake);
  await assert.rejects(it.status("alice", { timeoutMs: 20 }), { name: "timed_out" });
  await it.ping();
});

test("an aborted call stops waiting", async (t) => {
  const fake = await daemon(t, () => undefined);
  const it = client(t, fake);
  const abort = new AbortController();
  const waiting = it.ping({ signal: abort.signal });
  abort.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  await assert.rejects(it.ping({ signal: abort.signal }), { name: "AbortError" });
});

test("a read is repeated once after a lost connection", async (t) => {
  const fake = await daemon(t, (_, __, connection) => (connection === 1 ? null : { result: {} }));
  await client(t, fake).ping();
  assert.equal(fake.connections, 2);
  const broken = await daemon(t, () => null);
  await assert.rejects(client(t, broken).ping(), { name: "connection_lost" });
  assert.equal(broken.requests.length, 2);
});

test("a write without a key is sent once", async (t) => {
  const fake = await daemon(t, () => null);
  await assert.rejects(client(t, fake).revokeGrant("alice", "g"), { name: "connection_lost" });
  assert.equal(fake.requests.length, 1);
});

test("a reply over the limit is refused by its length", async (t) => {
  const fake = await daemon(t, (_, __, connection) =>
    connection === 1 ? Buffer.from([0, 0, 4, 1]) : { result: {} },
  );
  const it = client(t, fake, { frameBytesMax: 1024 });
  await assert.rejects(it.ping(), { name: "malformed_reply" });
  await it.ping();
});

test("a large reply comes in pieces", async (t) => {
  const fake = await daemon(t, (_, params) => ({ result: params }));
  const large = "x".repeat(500_000);
  assert.deepEqual(await client(t, fake).read("echo", { large }), { large });
});

test("closing ends what waits and what comes", async (t) => {
  const fake = await daemon(t, () => undefined);
  const it = client(t, fake);
  const waiting = it.ping();
  it.close();
  await assert.rejects(waiting, { name: "closed" });
  await assert.rejects(it.ping(), { name: "closed" });
});

test("more calls than may wait are refused", async (t) => {
  const fake = await daemon(t, () => undefined);
  const it = client(t, fake);
  const waiting = Array.from({ length: 1024 }, () => it.ping().catch((error) => error.name));
  await assert.rejects(it.ping(), { name: "too_many_calls" });
  it.close();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["closed"]));
});
