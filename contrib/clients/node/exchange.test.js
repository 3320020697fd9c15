"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { CALLS_IN_FLIGHT_MAX } = require("./exchange.js");
const { blindErrors, client, daemon, nameless } = require("./fake.js");
const { Client, EntitldError, Unavailable, UnknownOutcome } = require("./index.js");

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

test("a daemon that reads nothing is not sent what has given up meanwhile", async (t) => {
  const fake = await daemon(t, () => ({ result: {} }));
  const it = client(t, fake);
  await it.ping();
  fake.pause();
  // 4 MB: more than the buffers of two sockets hold.
  const users = Array.from({ length: 1000 }, (_, number) => `${number}`.padEnd(4000, "x"));
  const calls = users.map((user) => it.status(user, { timeoutMs: 100 }));
  const ends = await Promise.allSettled(calls);
  assert.ok(ends.every((end) => end.reason?.name === "timed_out"));
  const known = ends.filter((end) => !(end.reason instanceof UnknownOutcome)).length;
  assert.ok(known > 500, `${known} of 1000 are known not to be carried out`);
  fake.resume();
  await it.ping();
  assert.equal(fake.requests.length, 2 + 1000 - known);
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
  const waiting = Array.from({ length: CALLS_IN_FLIGHT_MAX }, () => it.ping().catch((error) => error.name));
  await assert.rejects(it.ping(), { name: "too_many_calls" });
  it.close();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["closed"]));
});

test("a call that was set aside is one of them", async (t) => {
  const fake = await daemon(t, (method) => (method === "version" ? null : undefined));
  const it = client(t, fake);
  const name = (call) => call.catch((error) => error.name);
  const waiting = [name(it.version())];
  while (fake.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let number = 1; number < CALLS_IN_FLIGHT_MAX; number++) waiting.push(name(it.ping()));
  await assert.rejects(it.ping(), { name: "too_many_calls" });
  it.close();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["closed"]));
});

// Lost connections

test("a read and a write with a key survive a lost connection", async (t) => {
  const fake = await daemon(t, (_, __, connection) => (connection === 1 ? null : { result: {} }));
  const it = client(t, fake);
  await Promise.all([it.ping(), it.consumeCredit("alice"), it.write("x", { idempotencyKey: "k" })]);
  assert.equal(fake.connections, 2);
});

test("a call that is made before the last answers are read throws none of them away", async (t) => {
  let later = null;
  const fake = await daemon(t, (method, _, connection, reply) => {
    if (connection > 1) return { result: { method } };
    // Where this busy process comes to again, the answer has come and the connection has ended.
    setTimeout(() => {
      reply({ result: { method } });
      fake.hangUp();
      later = it.status("alice");
    });
  });
  const it = client(t, fake);
  await it.revokeGrant("alice", "g");
  assert.deepEqual(await later, { method: "getStatus" });
  assert.deepEqual(fake.requests.map(([method]) => method), ["revokeGrant", "getStatus"]);
});

test("a call that gets no word is repeated until its deadline", async (t) => {
  const fake = await daemon(t, () => null);
  const begin = Date.now();
  await assert.rejects(client(t, fake).ping({ timeoutMs: 1_500 }), (error) => {
    return error instanceof UnknownOutcome && error.retryable;
  });
  assert(Date.now() - begin > 1_400);
  // With pauses, of 50 ms at most.
  const sends = fake.requests.length;
  assert(sends > 20 && sends < 80, `${sends}`);
});

test("a call whose connection ends each time holds up no other", async (t) => {
  const fake = await daemon(t, (method) => (method === "ping" ? null : { result: {} }));
  const it = client(t, fake);
  const guilty = it.ping({ timeoutMs: 500 });
  let others = 0;
  for (const end = Date.now() + 400; Date.now() < end; others++) await it.status("alice");
  await assert.rejects(guilty, UnknownOutcome);
  const sends = fake.requests.filter(([method]) => method === "ping").length;
  assert(others > 20 && sends > 3 && sends < 40, `${others}, ${sends}`);
});

test("from its third loss on it ends no connection of others", async (t) => {
  const carried = new Map();
  const fake = await daemon(t, (method, _, connection, reply) => {
    carried.set(method, connection);
    if (method === "ping" || method === "version") return null;
    setTimeout(reply, method === "revokeGrant" ? 300 : 0, { result: {} });
  });
  const it = client(t, fake);
  const asked = (name) => fake.requests.filter(([method]) => method === name).length;
  const guilty = [it.ping({ timeoutMs: 800 }), it.version({ timeoutMs: 800 })];
  const ends = Promise.all(guilty.map((call) => assert.rejects(call, UnknownOutcome)));
  while (asked("ping") < 4 || asked("version") < 4) await it.status("alice");
  const before = asked("ping");
  await it.revokeGrant("alice", "g"); // takes its time, and is not sent twice
  assert(asked("ping") > before, "the guilty one was not sent meanwhile");
  assert.equal(asked("revokeGrant"), 1);
  await ends;
  await it.status("alice");
  assert.equal(carried.get("getStatus"), carried.get("revokeGrant"));
});

test("a call that was set aside is answered, given up and closed as any other", async (t) => {
  const lost = new Map();
  const fake = await daemon(t, (method, { userId }) => {
    const times = (lost.get(userId) ?? 0) + 1;
    lost.set(userId, times);
    return userId === "never" || times <= 4 ? null : { result: { userId } };
  });
  const it = client(t, fake);
  const control = new AbortController();
  const given = it.status("never", { signal: control.signal });
  const never = it.consumeCredit("never");
  const givenUp = assert.rejects(given, { message: "enough" });
  const closed = assert.rejects(never, UnknownOutcome);
  const users = ["a", "b", "c"];
  assert.deepEqual(await Promise.all(users.map(async (user) => (await it.status(user)).userId)), users);
  control.abort(new Error("enough"));
  it.close();
  await Promise.all([givenUp, closed]);
});

for (const [what, call] of Object.entries({
  "revokeGrant": (it) => it.revokeGrant("alice", "g"),
  "any write without a key": (it) => it.write("adjustCredits", { userId: "alice", amount: 1 }),
})) {
  test(`${what} is sent once, and its outcome is unknown`, async (t) => {
    const fake = await daemon(t, () => null);
    await assert.rejects(call(client(t, fake)), (error) => {
      return error instanceof UnknownOutcome && error.name === "connection_lost";
    });
    assert.equal(fake.requests.length, 1);
  });
}

test("which methods are sent twice without a key", async (t) => {
  const seen = new Set();
  const fake = await daemon(t, (method) => {
    if (seen.has(method)) return { result: {} };
    seen.add(method);
    return null;
  });
  const it = client(t, fake);
  const twice = "registerAccount reconcile sendConsumption load setLogLevel signOffer";
  for (const method of twice.split(" ")) await it.write(method);
  const once =
    "movePurchase revokeGrant eraseUser extendRenewal backup testNotification " +
    "retryOutbox skipOutbox testOutbox consumeCredit grantCredits newMethod";
  for (const method of once.split(" ")) {
    await assert.rejects(it.write(method), UnknownOutcome, method);
  }
});

// A daemon that is away, or starts

test("a call waits for a daemon that is not there yet", async (t) => {
  const fake = await daemon(t, () => ({ result: {} }), { isListening: false });
  const it = client(t, fake);
  const waiting = [it.ping(), it.consumeCredit("alice"), it.revokeGrant("alice", "g")];
  setTimeout(fake.listen, 100);
  await Promise.all(waiting);
  assert.deepEqual(fake.requests.map(([method]) => method), [
    "ping", "consumeCredit", "revokeGrant",
  ]);
});

test("nobody there until the deadline is unreachable, and nothing was done", async () => {
  const it = new Client({ path: "/tmp/entitld-nobody-here", writeTimeoutMs: 50 });
  const begun = performance.now();
  await assert.rejects(it.consumeCredit("alice"), (error) => {
    assert(error instanceof Unavailable && !(error instanceof UnknownOutcome));
    const { name, code, retryable } = error;
    assert.deepEqual([name, code, retryable], ["unreachable", 0, true]);
    return true;
  });
  assert(performance.now() - begun >= 45, "it was not tried until the deadline");
});

const notReady = {
  code: -32002,
  message: "not yet",
  data: { code: "not_ready", retryable: true },
};

test("what a starting daemon refuses is asked again, whatever it is", async (t) => {
  const fake = await daemon(t, () => {
    return fake.requests.length <= 6 ? { error: notReady } : { result: {} };
  });
  const it = client(t, fake);
  await Promise.all([it.status("alice"), it.consumeCredit("alice"), it.revokeGrant("alice", "g")]);
  assert(fake.requests.filter(([method]) => method === "revokeGrant").length > 1);
  assert.equal(fake.connections, 1);
});

test("a write without a key that is lost after a refusal is in doubt", async (t) => {
  const fake = await daemon(t, () => (fake.requests.length < 3 ? { error: notReady } : null));
  await assert.rejects(client(t, fake).revokeGrant("alice", "g"), UnknownOutcome);
  assert.equal(fake.requests.length, 3);
});

test("a daemon that stays unready until the deadline says so itself", async (t) => {
  const fake = await daemon(t, () => ({ error: notReady }));
  const it = client(t, fake);
  const timeoutMs = 100;
  const revoke = () => it.revokeGrant("alice", "g", undefined, { timeoutMs });
  for (const call of [() => it.status("alice", { timeoutMs }), revoke]) {
    fake.requests.length = 0;
    let failure;
    // Now and then the deadline falls between a send and its answer, and nobody knows: ask again.
    for (let tries = 0; tries < 10 && !(failure instanceof EntitldError && failure.code !== 0); tries++) {
      failure = await call().catch((error) => error);
    }
    assert(failure instanceof EntitldError && !(failure instanceof Unavailable));
    assert.equal(failure.code, -32002);
    assert(fake.requests.length > 2);
  }
});

test("a write that may have been kept stays unknown, whatever is heard later", async (t) => {
  const fake = await daemon(t, (_, __, connection) => (connection === 1 ? null : { error: notReady }));
  await assert.rejects(client(t, fake).consumeCredit("alice", { timeoutMs: 100 }), UnknownOutcome);
});

test("and where a later send is answered before its key is looked up", async (t) => {
  for (const [name, code] of blindErrors) {
    const data = { code: name, retryable: name === "storage_full", retryAfterMs: 7 };
    const error = { code, message: "too bad", data };
    const fake = await daemon(t, (_, __, connection) => (connection === 1 ? null : { error }));
    const it = client(t, fake);
    await assert.rejects(it.consumeCredit("alice", { idempotencyKey: "k" }), (failure) => {
      assert(failure instanceof UnknownOutcome);
      assert.deepEqual([failure.name, failure.code, failure.retryable], ["unknown_outcome", 0, true]);
      assert.match(failure.message, new RegExp(`${name}: too bad`));
      assert.deepEqual(failure.data, { ...data, cause: code });
      assert.equal(failure.idempotencyKey, "k");
      return true;
    });
    // Where no send is in doubt, it is the daemon's word.
    await assert.rejects(it.consumeCredit("alice"), { code });
  }
});

test("what is answered after the key is looked up is said as it is", async (t) => {
  const error = { code: -32023, message: "no", data: { code: "idempotency_mismatch" } };
  const fake = await daemon(t, (_, __, connection) => (connection === 1 ? null : { error }));
  await assert.rejects(client(t, fake).consumeCredit("alice"), { code: -32023 });
});

test("a connection that a stopping daemon does not take is made again", async (t) => {
  const fake = await daemon(t, (_, __, connection) => {
    return connection <= 20
      ? nameless(-32003, "shutting_down", true)
      : { result: {} };
  });
  await client(t, fake).consumeCredit("alice");
  assert.equal(fake.connections, 21);
});

const shuttingDown = { code: -32003, message: "no more", data: { code: "shutting_down", retryable: true } };

test("what a stopping daemon has refused is not sent again over the connection that it ends", async (t) => {
  const fake = await daemon(t, (_, __, connection) => {
    if (connection > 1) return { result: {} };
    return fake.requests.length === 1 ? { error: shuttingDown } : null;
  });
  await client(t, fake).revokeGrant("alice", "g");
  assert.deepEqual([fake.connections, fake.requests.length], [2, 2]);
});

test("what is under way while a daemon stops gets its answer, and what comes then goes over the next connection", async (t) => {
  const carried = [];
  const fake = await daemon(t, (method, _, connection, reply) => {
    carried.push([method, connection]);
    if (method === "eraseUser") setTimeout(reply, 50, { result: { method } });
    else return connection === 1 ? { error: shuttingDown } : { result: { method } };
  });
  const it = client(t, fake);
  const first = [it.eraseUser("alice"), it.revokeGrant("alice", "g")];
  await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all([...first, it.status("alice")]);
  assert.deepEqual(carried.slice(0, 2), [["eraseUser", 1], ["revokeGrant", 1]]);
  assert.deepEqual(carried.slice(2).sort(), [["getStatus", 2], ["revokeGrant", 2]]);
});

// Answers that name no call

for (const [what, answer] of Object.entries({
  "an answer without an id": nameless(-32700, "parse_error", false),
  "what is no reply": Buffer.from([0, 0, 0, 1, 0x5d]),
})) {
  test(`${what} is the fault of one call, and no other call fails with it`, async (t) => {
    const fake = await daemon(t, (_, params, connection) => {
      if (params.userId === "guilty") return answer;
      return connection === 1 ? undefined : { result: params.userId };
    });
    const it = client(t, fake);
    const unknown = (call) => assert.rejects(call, UnknownOutcome);
    const innocent = ["a", "b", "c"].map((user) => it.consumeCredit(user));
    const [answers] = await Promise.all([
      Promise.all([...innocent, it.status("d")]),
      unknown(it.revokeGrant("alice", "g")),
      unknown(it.consumeCredit("guilty")),
      unknown(it.status("guilty")),
    ]);
    assert.deepEqual(answers, ["a", "b", "c", "d"]);
    assert.equal(fake.requests.filter(([method]) => method === "revokeGrant").length, 1);
  });
}

test("calls that come while the guilty one is looked for are answered, too", async (t) => {
  const fake = await daemon(t, (_, params, connection, reply) => {
    if (params.userId === "guilty") return nameless(-32600, "invalid_request", false);
    if (connection > 1) setTimeout(reply, 5, { result: params.userId });
  });
  const it = client(t, fake);
  const first = [it.status("a"), it.status("b"), it.status("guilty").catch((error) => error.name)];
  const later = [];
  for (let number = 0; number < 10; number++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    later.push(it.status(`later${number}`));
  }
  assert.deepEqual(await Promise.all(first), ["a", "b", "unknown_outcome"]);
  assert.equal((await Promise.all(later)).length, 10);
});

// What cannot be sent

function deep(levels) {
  return levels === 0 ? 1 : { deeper: deep(levels - 1) };
}

const half = "\ud83d";
const unsendable = {
  "a user with half a surrogate pair": (it) => it.consumeCredit(`u${half}`, { idempotencyKey: "k" }),
  "a key with half a surrogate pair": (it) => it.consumeCredit("u", { idempotencyKey: half }),
  "a member's name with half a pair": (it) => it.read("x", { [half]: 1 }),
  "half a pair far inside": (it) => it.read("x", { a: [{ b: ["fine", { c: `\\\\${half}` }] }] }),
  "half a pair in a method": (it) => it.read(`x${half}`, {}),
  "an object too deep": (it) => it.read("x", deep(32)),
  "an object too wide": (it) => {
    return it.read("x", Object.fromEntries(Array.from({ length: 20_001 }, (_, name) => [name, 1])));
  },
  "a BigInt": (it) => it.read("x", { amount: 1n }),
  "an amount that is no number": (it) => it.write("consumeCredit", { userId: "u", idempotencyKey: "k", amount: NaN }),
  "an amount without end": (it) => it.write("commitReservation", { reservation: "r", amount: Infinity }),
  "a number object that is none": (it) => it.read("x", { amount: new Number(NaN) }),
  "no number far inside": (it) => it.read("x", { a: [{ b: [1, -Infinity] }] }),
  "a date that is none": (it) => it.write("x", { userId: "u", expiresAt: new Date(NaN) }),
};

for (const [what, call] of Object.entries(unsendable)) {
  test(`${what} fails its own call alone`, async (t) => {
    const fake = await daemon(t, (_, params, __, reply) => {
      setTimeout(reply, 20, { result: params });
    });
    const it = client(t, fake);
    const others = [it.status("a"), it.consumeCredit("b"), it.revokeGrant("c", "g")];
    await assert.rejects(call(it), (error) => {
      assert(error instanceof EntitldError && !(error instanceof Unavailable));
      return error.name === "malformed_request" && !error.retryable;
    });
    await Promise.all(others);
    assert.equal(fake.requests.length, 3);
  });
}

test("what only looks like that is sent", async (t) => {
  const fake = await daemon(t, (_, params) => ({ result: params }));
  const it = client(t, fake);
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, name) => [`n${name}`, 1]));
  for (const params of [
    { text: "\\ud83d" },
    { text: "\\\\ud83d", "\ud83d\ude00": "\u{1f600}\u0000\"{[:" },
    deep(31),
    wide,
    { list: Array.from({ length: 30_000 }, () => 1) },
    { nothing: null, text: "null NaN", list: [null, 1.5], zero: 0 },
  ]) {
    assert.deepEqual(await it.read("echo", params), params);
  }
});
