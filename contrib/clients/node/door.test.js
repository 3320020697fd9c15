// The HTTPS transport beside a server that says what each test wants.

"use strict";

const assert = require("node:assert/strict");
const { once } = require("node:events");
const { createServer } = require("node:http");
const { createServer: createListener } = require("node:net");
const { test } = require("node:test");

const { blindErrors } = require("./fake.js");
const { Client, EntitldError, Unavailable, UnknownOutcome } = require("./index.js");
const limits = require("./limits.js");

/** A server that answers with the next of `replies`, the last one again and again. */
async function serving(t, ...replies) {
  const asked = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = JSON.parse(body);
    asked.push({ call, headers: request.headers, path: request.url, method: request.method });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply(response, call);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  const client = new Client({ url, token: "secret", timeoutMs: 2000, writeTimeoutMs: 2000 });
  t.after(() => client.close());
  return { asked, client, server };
}

const result = (value) => (response, call) =>
  response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: value }));
const error = (code, name, retryable = false) => (response, call) =>
  response.end(
    JSON.stringify({ jsonrpc: "2.0", id: call.id, error: { code, message: name, data: { code: name, retryable } } }),
  );
const status = (code, headers = {}) => (response) => {
  response.writeHead(code, headers);
  response.end('{"error":"x"}');
};
const hangUp = (response) => response.socket.destroy();
const silence = () => {};

test("a call is one request with its token", async (t) => {
  const { asked, client } = await serving(t, result({ canRender: true }));
  assert.deepEqual(await client.canRender("alice"), { canRender: true });
  assert.equal(asked[0].path, "/rpc");
  assert.equal(asked[0].method, "POST");
  assert.equal(asked[0].headers.authorization, "Bearer secret");
  assert.deepEqual(asked[0].call.params, { userId: "alice" });
});

test("many calls share kept connections", async (t) => {
  const { asked, client } = await serving(t, result({}));
  await Promise.all(Array.from({ length: 500 }, () => client.status("alice", { timeoutMs: 20_000 })));
  assert.equal(asked.length, 500);
});

test("an error of the daemon is its error", async (t) => {
  const { asked, client } = await serving(t, error(-32021, "ownership_conflict"));
  const failure = await client.verifyPurchase("bob", "a.b.c").catch((thrown) => thrown);
  assert.ok(failure instanceof EntitldError && !(failure instanceof Unavailable));
  assert.equal(failure.name, "ownership_conflict");
  const { client: busy } = await serving(t, error(-32029, "overloaded", true));
  await assert.rejects(busy.canRender("a"), { name: "overloaded" });
  assert.equal(asked.length, 1);
});

test("what may be repeated is, what may not is in doubt", async (t) => {
  const { asked, client } = await serving(t, hangUp, result({ outcome: "consumed" }));
  assert.equal((await client.consumeCredit("alice")).outcome, "consumed");
  const keys = asked.map((one) => one.call.params.idempotencyKey);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  const once = await serving(t, hangUp, result({}));
  const failure = await once.client.extendRenewal("1", 1, 1).catch((thrown) => thrown);
  assert.ok(failure instanceof UnknownOutcome);
  assert.equal(once.asked.length, 1);
});

test("a write stays unknown where a later send is answered before its key is looked up", async (t) => {
  for (const [name, code] of blindErrors) {
    for (const early of [hangUp, status(502)]) {
      const { asked, client } = await serving(t, early, error(code, name));
      const failure = await client.consumeCredit("alice").catch((thrown) => thrown);
      assert.ok(failure instanceof UnknownOutcome && failure.retryable);
      assert.equal(failure.name, "unknown_outcome");
      assert.deepEqual(failure.data, { code: name, retryable: false, cause: code });
      assert.equal(failure.idempotencyKey, asked[0].call.params.idempotencyKey);
      await assert.rejects(client.consumeCredit("alice"), { code });
    }
  }
  const { client } = await serving(t, hangUp, error(-32023, "idempotency_mismatch"));
  await assert.rejects(client.consumeCredit("alice"), { code: -32023 });
});

test("a daemon that starts, a rate, and a daemon that takes no more are waited for", async (t) => {
  // 502 and 504 are a proxy's whose daemon restarts: to give up at once would fail such calls.
  const tooEarly = [502, 503, 504].map((code) => status(code));
  for (const early of [error(-32002, "not_ready", true), status(429, { "retry-after": "0" }), ...tooEarly]) {
    const { asked, client } = await serving(t, early, early, result({ outcome: "consumed" }));
    assert.equal((await client.consumeCredit("alice")).outcome, "consumed");
    assert.equal(asked.length, 3);
  }
  // Nothing was carried out: it is sent again even where a repeat could do it twice.
  const refusals = [error(-32002, "not_ready", true), error(-32003, "shutting_down", true)];
  for (const early of [status(429, { "retry-after": "0" }), ...refusals]) {
    const { asked, client } = await serving(t, early, result({ success: true }));
    await client.extendRenewal("1", 1, 1);
    assert.equal(asked.length, 2);
  }
  const { client } = await serving(t, refusals[0]);
  await assert.rejects(client.extendRenewal("1", 1, 1, { timeoutMs: 300 }), (failure) => {
    return failure.code === -32002 || failure instanceof UnknownOutcome; // while it is sent
  });
  // Behind a proxy it may have been.
  for (const early of tooEarly) {
    const { asked, client } = await serving(t, early, result({ success: true }));
    const failure = await client.extendRenewal("1", 1, 1).catch((thrown) => thrown);
    assert.ok(failure instanceof UnknownOutcome && failure.retryable);
    assert.equal(failure.name, "connection_lost");
    assert.equal(asked.length, 1);
  }
});

test("the deadline alone ends the waiting for a daemon that starts", async (t) => {
  for (const early of [error(-32002, "not_ready", true), error(-32003, "shutting_down", true), status(502)]) {
    const { asked, client } = await serving(t, ...Array(20).fill(early), result({ canRender: true }));
    assert.deepEqual(await client.canRender("alice", { timeoutMs: 20_000 }), { canRender: true });
    assert.equal(asked.length, 21);
  }
});

test("what stores are asked for holds up no check", async (t) => {
  const { asked, client } = await serving(t, (response, call) => {
    if (call.method !== "verifyPurchase") result({ canRender: true })(response, call);
  });
  const purchases = Array.from({ length: 100 }, () => client.verifyPurchase("alice", "a.b.c").catch(() => {}));
  while (asked.length < 32) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(await client.canRender("alice"), { canRender: true });
  client.close();
  await Promise.all(purchases);
});

test("connections that ended while they were idle fail no call", async (t) => {
  const waiting = [];
  const { client, server } = await serving(t, (response, call) => {
    if (call.method !== "slow") return result({})(response, call);
    waiting.push(() => result({})(response, call));
    if (waiting.length === 64) for (const answer of waiting) answer();
  });
  await Promise.all(Array.from({ length: 64 }, () => client.read("slow", {}, { timeoutMs: 20_000 })));
  server.closeAllConnections();
  await client.canRender("alice", { timeoutMs: 250 });
});

test("an idle connection is ended, and one that waits for its reply is not", async (t) => {
  const { idleMs } = limits;
  limits.idleMs = 50;
  t.after(() => (limits.idleMs = idleMs));
  const { client, server } = await serving(t, (response, call) => {
    setTimeout(result({ canRender: true }), 200, response, call);
  });
  const connected = once(server, "connection");
  assert.deepEqual(await client.canRender("alice"), { canRender: true });
  const [socket] = await connected;
  if (!socket.closed) await once(socket, "close", { signal: AbortSignal.timeout(10_000) });
});

test("a token that is not known is told at once", async (t) => {
  const { asked, client } = await serving(t, status(401));
  const failure = await client.canRender("alice").catch((thrown) => thrown);
  assert.ok(failure instanceof Unavailable && !(failure instanceof UnknownOutcome));
  assert.equal(failure.name, "permission_denied");
  assert.equal(asked.length, 1);
});

test("the deadline ends the waiting, and says what is known", async (t) => {
  const { client } = await serving(t, silence);
  const late = await client.canRender("alice", { timeoutMs: 100 }).catch((thrown) => thrown);
  assert.ok(late instanceof UnknownOutcome);
  assert.equal(late.name, "timed_out");
  const control = new AbortController();
  const aborted = client.canRender("alice", { signal: control.signal });
  control.abort(new Error("enough"));
  await assert.rejects(aborted, { message: "enough" });
  const closed = client.canRender("alice");
  client.close();
  await assert.rejects(closed, { name: "closed" });
  await assert.rejects(client.canRender("alice"), { name: "closed" });
});

test("a daemon that is not there yet is waited for, and not carried out", async (t) => {
  const listener = createListener().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  const client = new Client({ url: `http://127.0.0.1:${port}`, token: "secret", timeoutMs: 5000 });
  t.after(() => client.close());
  const never = await client.canRender("alice", { timeoutMs: 100 }).catch((thrown) => thrown);
  assert.ok(never instanceof Unavailable && !(never instanceof UnknownOutcome));
  const call = client.canRender("alice");
  const server = createServer((request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'));
  t.after(() => server.close());
  setTimeout(() => server.listen(port, "127.0.0.1"), 100);
  assert.deepEqual(await call, {});
  client.close();
});

test("what is no reply is malformed", async (t) => {
  for (const text of ["", "[]", "{}", "<html>", "null"]) {
    const { client } = await serving(t, (response) => response.end(text));
    await assert.rejects(client.canRender("alice"), { name: "malformed_reply" }, text);
  }
  const { client } = await serving(t, status(404));
  await assert.rejects(client.canRender("alice"), { name: "malformed_reply" });
});

test("options that make no sense are refused", () => {
  const wrong = [
    { url: "https://a.example" },
    { url: "http://a.example", token: "t" },
    { url: "ftp://a.example", token: "t" },
    { url: "https://a.example", token: "t", path: "/a" },
    { token: "t" },
    { ca: "PEM" },
  ];
  for (const options of wrong) assert.throws(() => new Client(options), TypeError);
});
