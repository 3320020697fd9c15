// Carries calls over HTTPS, for callers that are not on the daemon's host: a request each, on
// connections that are kept.
//
// A call's deadline alone ends the waiting: as long as it runs, what the daemon has certainly not
// carried out is sent again, and so is what may be repeated.

"use strict";

const http = require("node:http");
const https = require("node:https");

const { daemonError, EntitldError, Unavailable, UnknownOutcome } = require("./errors.js");
const { CALLS_IN_FLIGHT_MAX, SENDS_MAX } = require("./exchange.js");
const { pause } = require("./pause.js");
const { requestFrame } = require("./request.js");
const { doorEvents } = require("./watch.js");

const CONNECTIONS_MAX = 64;
const PAUSE_MS_MAX = 50;
const NOT_READY = -32002;
const SHUTTING_DOWN = -32003;
/** Nothing was sent yet. */
const PASSING_ERRORS = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
const CERTIFICATE_ERRORS = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

class Door {
  #url;
  #token;
  #ca;
  #agent;
  #library;
  #frameBytesMax;
  #lastId = 0;
  #calls = new Set(); // what ends each of them
  #isClosed = false;

  constructor(url, token, ca, frameBytesMax) {
    const { protocol, hostname, origin } = new URL(url);
    const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
    if (protocol !== "https:" && !(protocol === "http:" && isHere)) {
      throw new TypeError("Client: url must be https://HOST:PORT; http only to this host");
    }
    this.#url = `${origin}/rpc`;
    this.#token = token;
    this.#ca = ca;
    this.#library = protocol === "https:" ? https : http;
    this.#agent = new this.#library.Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, ca });
    this.#frameBytesMax = frameBytesMax;
  }

  /** Calls `method`; `repeatable` when it is safe to send twice. */
  async call(method, params, { repeatable, timeoutMs, signal }) {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Unavailable("closed", "the client was closed", false);
    if (this.#calls.size >= CALLS_IN_FLIGHT_MAX) {
      throw new Unavailable("too_many_calls", "too many calls wait for their reply");
    }
    const frame = requestFrame(++this.#lastId, method, params, this.#frameBytesMax);
    const ending = new AbortController();
    const deadline = setTimeout(() => ending.abort("timed_out"), timeoutMs);
    const onAbort = () => ending.abort("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#calls.add(ending);
    try {
      return await this.#carry(frame.subarray(4), repeatable, ending.signal);
    } catch (error) {
      if (ending.signal.reason === "aborted") throw signal.reason;
      throw error;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      this.#calls.delete(ending);
    }
  }

  /** The changes of these users, or of everybody, on a connection of its own. */
  async *watch(userIds = [], fromSeq, ending) {
    const query = new URLSearchParams(userIds.map((user) => ["userId", user]));
    if (fromSeq !== undefined) query.append("fromSeq", fromSeq);
    const url = `${this.#url.replace(/rpc$/, "watch")}?${query}`;
    const headers = { authorization: `Bearer ${this.#token}`, accept: "text/event-stream" };
    const response = await new Promise((resolve, reject) => {
      const request = this.#library.get(url, { headers, ca: this.#ca, agent: false });
      const end = () => request.destroy();
      ending.addEventListener("abort", end, { once: true });
      request.on("response", (answer) => {
        ending.removeEventListener("abort", end);
        resolve(answer);
      });
      request.on("error", (error) => {
        const isTrusted = !CERTIFICATE_ERRORS.test(error.code ?? "");
        reject(new Unavailable("unreachable", error.message, isTrusted));
      });
    });
    if (response.statusCode === 200) return yield* doorEvents(response, fromSeq, ending);
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    throw refusalIn(response, Buffer.concat(chunks));
  }

  close() {
    this.#isClosed = true;
    for (const ending of this.#calls) ending.abort("closed");
    this.#agent.destroy();
  }

  // Sends it until there is a word about it, or no time is left.
  async #carry(body, repeatable, ending) {
    let last = null; // what is known of the sends so far
    let sends = 0; // without a word
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const said = await this.#send(body, ending);
      if (said.result !== undefined) return said.result;
      const { error } = said;
      if (said.isFinal) throw error;
      if (!said.isUntouched) sends++;
      // A doubt stays one, whatever becomes of later sends.
      if (!(last instanceof UnknownOutcome)) last = error;
      const isOver = ending.aborted || sends === SENDS_MAX || !error.retryable;
      if (isOver || !(said.isUntouched || repeatable)) throw isOver ? last : error;
      await pause(said.waitMs ?? pauseMs * (0.5 + Math.random() / 2), ending);
      if (ending.aborted) throw last;
    }
  }

  // What one send comes to: a result, or an error; `isUntouched`: the daemon has not carried it out.
  #send(body, ending) {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/json",
        "content-length": body.length,
      };
      const request = this.#library.request(this.#url, { method: "POST", headers, agent: this.#agent });
      let isConnected = false;
      const end = () => request.destroy(new Error(ending.reason));
      const finish = (said) => {
        ending.removeEventListener("abort", end);
        resolve(said);
      };
      request.on("socket", (socket) => {
        if (!socket.connecting) isConnected = true;
        else socket.once(this.#library === https ? "secureConnect" : "connect", () => (isConnected = true));
      });
      request.on("error", (error) => finish(this.#failure(error, isConnected, ending)));
      request.on("response", (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", (error) => finish(this.#failure(error, true, ending)));
        response.on("aborted", () => finish(this.#failure(new Error("aborted"), true, ending)));
        response.on("end", () => finish(meaning(response, Buffer.concat(chunks))));
      });
      if (ending.aborted) end();
      else ending.addEventListener("abort", end, { once: true });
      request.end(body);
    });
  }

  #failure(error, isConnected, ending) {
    const Kind = isConnected ? UnknownOutcome : Unavailable;
    if (ending.reason === "closed") {
      return { error: new Kind("closed", "the client was closed", false), isUntouched: !isConnected };
    }
    if (ending.aborted) {
      return { error: new Kind("timed_out", "the daemon did not answer in time"), isUntouched: !isConnected };
    }
    if (isConnected) {
      return { error: new UnknownOutcome("connection_lost", "the connection ended before the reply") };
    }
    const isPassing = PASSING_ERRORS.has(error.code) || error.code === "ECONNRESET";
    const isTrusted = !CERTIFICATE_ERRORS.test(error.code ?? "");
    const refusal = new Unavailable("unreachable", error.message, isPassing && isTrusted);
    return { error: refusal, isUntouched: true };
  }
}

/** What a whole HTTP response says. */
function meaning(response, body) {
  const waitMs = Number(response.headers["retry-after"]) * 1000 || undefined;
  switch (response.statusCode) {
    case 200:
      return replyIn(body);
    case 401: {
      const error = new Unavailable("permission_denied", "the daemon does not know this token", false);
      return { error, isUntouched: true };
    }
    case 413:
      return { error: new EntitldError(0, "request_too_large", "the daemon takes no request of this length", false) };
    case 429:
      return { error: new Unavailable("overloaded", "too many requests of this token"), isUntouched: true, waitMs };
    case 503: // also where an answer came too late
      return { error: new UnknownOutcome("connection_lost", "the daemon takes no more for now"), waitMs };
    default: {
      const message = `HTTP ${response.statusCode} is no reply of entitld`;
      return { error: new UnknownOutcome("malformed_reply", message, false) };
    }
  }
}

/** Why there is no watch: the daemon's own error, or what the status says. */
function refusalIn(response, body) {
  try {
    const { error } = JSON.parse(body);
    if (Number.isInteger(error?.code)) return daemonError(error);
  } catch {
    // It says nothing more.
  }
  return meaning(response, body).error;
}

function replyIn(body) {
  let reply;
  try {
    reply = JSON.parse(body);
  } catch {
    reply = null;
  }
  if (reply?.error !== undefined) {
    const error = daemonError(reply.error);
    // Only what starts or stops is waited for; any other error is the caller's to see.
    return { error, isFinal: error.code !== NOT_READY && error.code !== SHUTTING_DOWN };
  }
  if (reply === null || typeof reply !== "object" || !("result" in reply)) {
    const message = "a reply is not what is documented";
    return { error: new UnknownOutcome("malformed_reply", message, false) };
  }
  return { result: reply.result };
}

module.exports = { Door };
