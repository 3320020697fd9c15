// Watches: how they begin, and what becomes of them when the other side is silent or refuses.

"use strict";

const assert = require("node:assert/strict");
const { once } = require("node:events");
const { chmodSync } = require("node:fs");
const { createServer } = require("node:net");
const { dirname } = require("node:path");
const { test } = require("node:test");

const { client, daemon, framed } = require("./fake.js");
const { Client, EntitldError, Unavailable } = require("./index.js");
const limits = require("./limits.js");

const joined = framed({ jsonrpc: "2.0", id: 1, result: { seq: 10 } });
const change = framed({ jsonrpc: "2.0", method: "catalogChanged", params: { seq: 11 } });

/** A client of a server that does with each connection what `script` does. */
async function serving(t, script) {
  const sockets = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    script(socket, sockets.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const made = new Client({ url: `http://127.0.0.1:${server.address().port}`, token: "secret" });
  t.after(() => {
    made.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { it: made, sockets };
}

function shortened(t, silenceMs) {
  const usual = limits.silenceMs;
  limits.silenceMs = silenceMs;
  t.after(() => (limits.silenceMs = usual));
}

/** What a watch says first; it ends then. */
async function first(watching) {
  for await (const told of watching) return told;
}

test("a host that takes a watch over HTTPS and never answers is given up", async (t) => {
  shortened(t, 100);
  const stream = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
  const { it, sockets } = await serving(t, (socket, number) => {
    // Nothing, then half an answer, then half a refusal, and then the stream.
    if (number === 2) socket.write("HTTP/1.1 200 OK\r\n");
    if (number === 3) socket.write("HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n");
    if (number === 4) socket.write(`${stream}event: catalogChanged\nid: 5\ndata: {"seq":5}\n\n`);
  });
  assert.deepEqual(await first(it.watch({ fromSeq: 4 })), { event: "catalogChanged", params: { seq: 5 } });
  assert.equal(sockets.length, 4);
});

test("a resync of a store that was put back leads to an earlier position", async (t) => {
  const asked = [];
  const { it } = await serving(t, (socket, number) => {
    socket.once("data", (request) => {
      asked.push(String(request).split(" ")[1]);
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n");
      const told = ['event: resync\ndata: {"oldest":500}', 'event: catalogChanged\nid: 501\ndata: {"seq":501}'];
      socket.end(`${told[number - 1]}\n\n`);
    });
  });
  const heard = [];
  for await (const { event } of it.watch({ fromSeq: 1000 })) {
    heard.push(event);
    if (heard.length === 2) break;
  }
  assert.deepEqual(heard, ["resync", "catalogChanged"]);
  assert.deepEqual(asked, ["/watch?fromSeq=1000", "/watch?fromSeq=500"]);
});

test("where no position is known, that ends the watch", async (t) => {
  shortened(t, 50);
  const { it } = await serving(t, () => {});
  await assert.rejects(first(it.watch()), { name: "unreachable", retryable: true });
});

test("a watch that has begun and hears nothing is begun again", async (t) => {
  shortened(t, 100);
  const fake = await daemon(t, (_, __, number) => {
    return number === 1 ? joined : Buffer.concat([joined, change]);
  });
  const { params } = await first(client(t, fake).watch());
  assert.deepEqual(params, { seq: 11 });
  assert.equal(fake.connections, 2);
});

const unreadable = {
  "no JSON": '{"jsonrpc":',
  "null": "null",
  "a list": "[]",
  "a method without params": '{"jsonrpc":"2.0","method":"catalogChanged"}',
  "a position in words": '{"jsonrpc":"2.0","method":"heartbeat","params":{"seq":"11"}}',
  "a result without a position": '{"jsonrpc":"2.0","id":1,"result":null}',
  "an error without a code": '{"jsonrpc":"2.0","id":1,"error":{}}',
};

for (const [what, text] of Object.entries(unreadable)) {
  test(`a message that nobody can read ends a watch: ${what}`, async (t) => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(text.length);
    const fake = await daemon(t, () => Buffer.concat([joined, header, Buffer.from(text)]));
    const signal = AbortSignal.timeout(5000);
    await assert.rejects(first(client(t, fake).watch({ fromSeq: 1, signal })), {
      name: "malformed_reply",
      retryable: false,
    });
    assert.equal(fake.connections, 1);
  });
}

test("and so it is over HTTPS", async (t) => {
  for (const data of ['{"seq":', "null", "7", '{"seq":"5"}']) {
    const { it, sockets } = await serving(t, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
      socket.write(`event: catalogChanged\ndata: ${data}\n\n`);
    });
    const signal = AbortSignal.timeout(5000);
    await assert.rejects(first(it.watch({ fromSeq: 4, signal })), { name: "malformed_reply", retryable: false });
    assert.equal(sockets.length, 1);
  }
});

test("a heartbeat without a position changes none", async (t) => {
  const heartbeat = framed({ jsonrpc: "2.0", method: "heartbeat", params: {} });
  const fake = await daemon(t, (_, __, number) => {
    if (number === 1) setTimeout(fake.hangUp, 20);
    return Buffer.concat([joined, number === 1 ? heartbeat : change]);
  });
  await first(client(t, fake).watch({ fromSeq: 7 }));
  assert.deepEqual(fake.requests.map(([, params]) => params), [{ fromSeq: 7 }, { fromSeq: 7 }]);
});

test("a watch that cannot be sent makes no connection", async (t) => {
  const fake = await daemon(t, () => joined);
  const half = { userIds: ["u\ud83d"], fromSeq: 1 };
  await assert.rejects(first(client(t, fake).watch(half)), { name: "malformed_request" });
  // With nobody there, a connection that nobody looks after would end the process.
  const away = new Client({ path: "/tmp/entitld-nobody-here" });
  await assert.rejects(first(away.watch(half)), { name: "malformed_request" });
  const { it: door, sockets } = await serving(t, (socket) => socket.destroy());
  const signal = AbortSignal.timeout(5000);
  await assert.rejects(first(door.watch({ ...half, signal })), { name: "malformed_request" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([fake.connections, sockets.length], [0, 0]);
});

test("who may not open the socket is told at once", async (t) => {
  const fake = await daemon(t, () => joined);
  const it = client(t, fake);
  const isRoot = process.geteuid() === 0;
  if (isRoot) process.seteuid(65_534);
  else chmodSync(dirname(fake.path), 0);
  try {
    const calls = [it.canRender("alice"), first(it.watch({ fromSeq: 1 })), first(it.watch())];
    for (const { reason: failure } of await Promise.allSettled(calls)) {
      assert(failure instanceof Unavailable);
      assert.deepEqual([failure.name, failure.retryable], ["permission_denied", false]);
    }
  } finally {
    if (isRoot) process.seteuid(0);
    else chmodSync(dirname(fake.path), 0o700);
  }
});

test("a watch that begins after the client was closed ends at once", async (t) => {
  const fake = await daemon(t, () => Buffer.concat([joined, change]));
  const { it: door, sockets } = await serving(t, () => {});
  for (const it of [client(t, fake), door]) {
    const made = it.watch({ fromSeq: 1 });
    it.close();
    for (const watching of [made, it.watch({ fromSeq: 1 }), it.watch()]) {
      await assert.rejects(first(watching), (error) => {
        return error instanceof Unavailable && error.name === "closed" && !error.retryable;
      });
    }
  }
  assert.deepEqual([fake.connections, sockets.length], [0, 0]);
});

test("a watch of nobody is refused", async (t) => {
  const fake = await daemon(t, () => joined);
  const door = new Client({ url: "http://127.0.0.1:1", token: "t" });
  for (const it of [client(t, fake), door]) {
    const failure = await first(it.watch({ userIds: [] })).catch((thrown) => thrown);
    assert(failure instanceof EntitldError);
    assert.deepEqual([failure.code, failure.name, failure.retryable], [0, "invalid_params", false]);
  }
  assert.equal(fake.connections, 0);
});

test("the first connection must succeed, unless it is said where to begin", async (t) => {
  const fake = await daemon(t, () => Buffer.concat([joined, change]), { isListening: false });
  const it = client(t, fake);
  await assert.rejects(first(it.watch()), { name: "unreachable" });
  const waiting = first(it.watch({ fromSeq: 7 }));
  setTimeout(fake.listen, 100);
  assert.equal((await waiting).params.seq, 11);
  assert.deepEqual(fake.requests, [["watch", { fromSeq: 7 }]]);
});
