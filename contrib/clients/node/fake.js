// A daemon that is played, and clients of it that end with their test.

"use strict";

const { mkdtempSync, rmSync } = require("node:fs");
const { createServer } = require("node:net");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const { Client } = require("./index.js");

function framed(value) {
  const body = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}

// Answers with what script(method, params, connection, reply) returns: an object is a reply's
// `result` or `error` member, a buffer is sent as it is, null hangs up, undefined is silence.
// `reply` answers later.
async function daemon(t, script, { isListening = true } = {}) {
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
  fake.hangUp = () => sockets.forEach((socket) => socket.destroy());
  fake.pause = () => sockets.forEach((socket) => socket.pause());
  fake.resume = () => sockets.forEach((socket) => socket.resume());
  fake.listen = () => new Promise((resolve) => server.listen(fake.path, resolve));
  if (isListening) await fake.listen();
  t.after(() => {
    if (server.listening) server.close();
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

// The bytes of an answer that names no call.
function nameless(code, name, retryable) {
  const error = { code, message: "one sentence", data: { code: name, retryable } };
  return framed({ jsonrpc: "2.0", id: null, error });
}

// What the daemon may answer before it looks up the key of a call.
const blindErrors = Object.entries({
  overloaded: -32029,
  storage_full: -32010,
  internal_error: -32603,
  permission_denied: -32001,
});

module.exports = { framed, daemon, client, nameless, blindErrors };
