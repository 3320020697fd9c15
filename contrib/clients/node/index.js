// Asks entitld what users may do, over its Unix socket. No dependencies.
//
// One client is one connection that all calls share: many are under way at a time, and each reply
// finds its call. The connection is made with the first call, and again after it was lost.
// Results are the objects of proto/openrpc.json.

import { randomUUID } from "node:crypto";
import { connect } from "node:net";

const FRAME_BYTES_MAX = 1 << 20;
const CALLS_IN_FLIGHT_MAX = 1024;
const CONNECT_PAUSE_MS_MAX = 50;

/** The daemon's error, or with code 0 what kept the daemon from answering. */
export class EntitldError extends Error {
  constructor(code, name, message, retryable, data = {}) {
    super(message);
    this.code = code;
    this.name = name;
    this.retryable = retryable;
    this.data = data;
  }
}

/** No answer came. A write may have been kept: repeat it with the same key. */
export class Unavailable extends EntitldError {
  constructor(name, message, retryable = true) {
    super(0, name, message, retryable);
  }
}

export class Client {
  #path;
  #options;
  #socket = null; // connected
  #isConnecting = false;
  #isClosed = false;
  #received = Buffer.alloc(0);
  #calls = new Map(); // id → call, in the order of the calls
  #lastId = 0;

  constructor({
    path = process.env.ENTITLD_SOCKET || "/run/entitld/entitld.sock",
    timeoutMs = 250,
    writeTimeoutMs = 2000,
    frameBytesMax = FRAME_BYTES_MAX,
  } = {}) {
    this.#path = path.replace(/^unix:\/\//, "");
    this.#options = { timeoutMs, writeTimeoutMs, frameBytesMax };
  }

  /** Whether the user may render: look at `canRender` in the result. */
  canRender(userId, { cost = 1, ...options } = {}) {
    return this.read("canRender", { userId, cost }, options);
  }

  status(userId, options) {
    return this.read("getStatus", { userId }, options);
  }

  async entitlement(userId, options) {
    return (await this.read("getEntitlement", { userId }, options)).entitlement;
  }

  async managementURL(userId, { platform, ...options } = {}) {
    return (await this.read("getManagementURL", { userId, platform }, options)).url;
  }

  credits(userId, options) {
    return this.read("getCredits", { userId }, options);
  }

  /** A page of what changed, oldest first; the next comes after the last `seq`. */
  async history(userId, { afterSeq, limit, ...options } = {}) {
    return (await this.read("getHistory", { userId, afterSeq, limit }, options)).events;
  }

  async ping(options) {
    await this.read("ping", {}, options);
  }

  version(options) {
    return this.read("version", {}, options);
  }

  registerAccount(userId, { appAccountToken, ...options } = {}) {
    return this.write("registerAccount", { userId, appAccountToken }, options);
  }

  verifyPurchase(userId, signedTransaction, claims = {}, options) {
    return this.write("verifyPurchase", { userId, signedTransaction, ...claims }, options);
  }

  restorePurchases(userId, signedTransactions, options) {
    return this.write("restorePurchases", { userId, signedTransactions }, options);
  }

  verifyReceipt(userId, receiptData, { productId, ...options } = {}) {
    return this.write("verifyReceipt", { userId, receiptData, productId }, options);
  }

  /** Spends credits, once for each key: look at `outcome`. A missing key is made up. */
  consumeCredit(userId, { amount = 1, idempotencyKey = randomUUID(), ...options } = {}) {
    return this.write("consumeCredit", { userId, idempotencyKey, amount }, options);
  }

  /** Sets credits aside until the `reservation` is committed, released or too old. */
  reserveCredits(userId, amount, ttlSeconds, { idempotencyKey = randomUUID(), ...options } = {}) {
    const params = { userId, idempotencyKey, amount, ttlSeconds };
    return this.write("reserveCredits", params, options);
  }

  commitReservation(reservation, { amount, ...options } = {}) {
    return this.write("commitReservation", { reservation, amount }, options);
  }

  releaseReservation(reservation, options) {
    return this.write("releaseReservation", { reservation }, options);
  }

  /** Puts the charge `consumeKey` back into the buckets it came from. */
  reverseCredits(userId, consumeKey, { idempotencyKey = randomUUID(), ...options } = {}) {
    return this.write("reverseCredits", { userId, idempotencyKey, consumeKey }, options);
  }

  /** For the admin socket. A missing idempotencyKey is made up. */
  grantCredits(userId, amount, { idempotencyKey = randomUUID(), ...members } = {}, options) {
    return this.write("grantCredits", { userId, amount, idempotencyKey, ...members }, options);
  }

  /** For the admin socket. A missing idempotencyKey is made up. */
  grantEntitlement(userId, plan, { idempotencyKey = randomUUID(), ...members } = {}, options) {
    return this.write("grantEntitlement", { userId, plan, idempotencyKey, ...members }, options);
  }

  /** For the admin socket. It has no key, so it is sent only once. */
  revokeGrant(userId, grant, { reason } = {}, options) {
    return this.write("revokeGrant", { userId, grant, reason }, { repeatable: false, ...options });
  }

  /** Calls a method that changes nothing. */
  read(method, params, { timeoutMs = this.#options.timeoutMs, signal } = {}) {
    return this.#call(method, params, true, timeoutMs, signal);
  }

  /** Calls a method that changes something; `repeatable` when it is safe to send twice. */
  write(method, params, options = {}) {
    const { timeoutMs = this.#options.writeTimeoutMs, signal, repeatable = true } = options;
    return this.#call(method, params, repeatable, timeoutMs, signal);
  }

  /** Ends the connection, and what waits. */
  close() {
    this.#isClosed = true;
    this.#socket?.destroy();
    this.#failAll(new Unavailable("closed", "the client was closed", false));
  }

  [Symbol.dispose ?? Symbol("dispose")]() {
    this.close();
  }

  #call(method, params, repeatable, timeoutMs, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Unavailable("closed", "the client was closed", false);
      if (this.#calls.size >= CALLS_IN_FLIGHT_MAX) {
        throw new Unavailable("too_many_calls", "too many calls wait for their reply");
      }
      const id = ++this.#lastId;
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      if (body.length > this.#options.frameBytesMax) {
        throw new EntitldError(0, "request_too_large", `a request of ${body.length} bytes`, false);
      }
      const frame = Buffer.alloc(4 + body.length);
      frame.writeUInt32BE(body.length);
      body.copy(frame, 4);
      const onAbort = () => this.#take(id)?.reject(signal.reason);
      const call = { frame, repeatable, isSent: false, resolve, reject };
      call.timer = setTimeout(() => {
        this.#take(id)?.reject(new Unavailable("timed_out", "the daemon did not answer in time"));
      }, timeoutMs);
      call.forget = () => {
        clearTimeout(call.timer);
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#calls.set(id, call);
      this.#socket?.ref();
      this.#flush();
    });
  }

  #take(id) {
    const call = this.#calls.get(id);
    call?.forget();
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#socket?.unref(); // an idle client keeps no process alive
    return call;
  }

  #failAll(error, survives = () => false) {
    for (const [id, call] of [...this.#calls]) {
      if (!survives(call)) this.#take(id).reject(error);
    }
  }

  #flush() {
    if (this.#socket === null) return this.#connect();
    for (const call of this.#calls.values()) {
      if (!call.isSent) this.#socket.write(call.frame);
      call.isSent = true;
    }
  }

  #connect(pauseMs = 1) {
    if (this.#isConnecting || this.#isClosed || this.#calls.size === 0) return;
    this.#isConnecting = true;
    const socket = connect(this.#path);
    const refuse = (error) => {
      this.#isConnecting = false;
      // A full backlog answers EAGAIN at once on a Unix socket; the calls' deadlines end it.
      if (error.code === "EAGAIN") {
        const next = Math.min(pauseMs * 2, CONNECT_PAUSE_MS_MAX);
        setTimeout(() => this.#socket ?? this.#connect(next), pauseMs * (0.5 + Math.random() / 2));
        return;
      }
      const isDenied = error.code === "EACCES" || error.code === "EPERM";
      const name = isDenied ? "permission_denied" : "unreachable";
      this.#failAll(new Unavailable(name, error.message, !isDenied));
    };
    socket.once("error", refuse);
    socket.once("connect", () => {
      this.#isConnecting = false;
      socket.off("error", refuse);
      socket.on("error", () => {}); // "close" follows
      socket.on("data", (chunk) => this.#receive(socket, chunk));
      socket.on("close", () => socket === this.#socket && this.#lost());
      if (this.#isClosed) return socket.destroy();
      this.#received = Buffer.alloc(0);
      this.#socket = socket;
      if (this.#calls.size === 0) socket.unref();
      this.#flush();
    });
  }

  #lost() {
    this.#socket = null;
    const error = new Unavailable("connection_lost", "the connection ended before the reply");
    this.#failAll(error, (call) => {
      if (!call.isSent) return true;
      const survives = call.repeatable;
      call.repeatable = false; // sent once more, not for ever
      call.isSent = false;
      return survives;
    });
    this.#connect();
  }

  #receive(socket, chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 4) {
      const length = this.#received.readUInt32BE();
      if (length === 0 || length > this.#options.frameBytesMax) return this.#malformed(socket);
      if (this.#received.length < 4 + length) return;
      const body = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      try {
        this.#settle(JSON.parse(body));
      } catch {
        return this.#malformed(socket);
      }
    }
  }

  #malformed(socket) {
    socket.removeAllListeners("data");
    socket.destroy();
    this.#socket = null;
    this.#failAll(new Unavailable("malformed_reply", "a reply is not what is documented", false));
  }

  #settle(reply) {
    if ("result" in reply) return this.#take(reply.id)?.resolve(reply.result);
    if (!reply.error) return; // a notification
    const { code, message, data = {} } = reply.error;
    const error = new EntitldError(code, data.code ?? "error", message, !!data.retryable, data);
    // Without an id nobody can tell which call it is about, so it is about all of them.
    if (reply.id === null) this.#failAll(error);
    else this.#take(reply.id)?.reject(error);
  }
}
