// Carries calls over HTTPS, for callers that are not on the daemon's host: a request each, on
// connections that are kept. What stores are asked for has connections of its own, so that no check
// waits for a slow store.
//
// A call's deadline alone ends the waiting: as long as it runs, what the daemon has certainly not
// carried out is sent again, and so is what may be repeated.

"use strict";

const http = require("node:http");
const https = require("node:https");

const { afterDoubt, daemonError, EntitldError, Unavailable, UnknownOutcome } = require("./errors.js");
const { CALLS_IN_FLIGHT_MAX } = require("./exchange.js");
const limits = require("./limits.js");
const { STORE_METHODS } = require("./methods.js");
const { pause } = require("./pause.js");
const { requestFrame } = require("./request.js");
const { doorEvents } = require("./watch.js");

// The daemon takes 128 from one address.
const CONNECTIONS_MAX = 64;
const STORE_CONNECTIONS_MAX = 32;
const PAUSE_MS_MAX = 50;
const NOT_READY = -32002;
const SHUTTING_DOWN = -32003;
/** Any other reason for which there is no connection may pass. */
const CERTIFICATE_ERRORS = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

class Door {
  #url;
  #token;
  #ca;
  #agent;
  #storeAgent;
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
    // `timeout` ends idle connections; Node ends none that has a request under way.
    const agent = (maxSockets) => {
      return new this.#library.Agent({ keepAlive: true, timeout: limits.idleMs, maxSockets, ca });
    };
    this.#agent = agent(CONNECTIONS_MAX);
    this.#storeAgent = agent(STORE_CONNECTIONS_MAX);
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
      const agent = STORE_METHODS.has(method) ? this.#storeAgent : this.#agent;
      return await this.#carry(frame.subarray(4), agent, repeatable, ending.signal);
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
    // What cannot be sent makes no connection: a query would name another user in its place.
    requestFrame(1, "watch", { userIds, fromSeq }, this.#frameBytesMax);
    const query = new URLSearchParams(userIds.map((user) => ["userId", user]));
    if (fromSeq !== undefined) query.append("fromSeq", fromSeq);
    const url = `${this.#url.replace(/rpc$/, "watch")}?${query}`;
    const headers = { authorization: `Bearer ${this.#token}`, accept: "text/event-stream" };
    const request = this.#library.get(url, { headers, ca: this.#ca, agent: false });
    const { response, body } = await answerTo(request, ending);
    if (response.statusCode !== 200) throw refusalIn(response, body);
    yield* doorEvents(response, fromSeq, ending);
  }

  close() {
    this.#isClosed = true;
    for (const ending of this.#calls) ending.abort("closed");
    this.#agent.destroy();
    this.#storeAgent.destroy();
  }

  // Sends it until there is a word about it, or no time is left.
  async #carry(body, agent, repeatable, ending) {
    let last = null; // what is known of the sends so far
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const said = await this.#send(body, agent, ending);
      if (said.result !== undefined) return said.result;
      const { error } = said;
      const isDoubtful = last instanceof UnknownOutcome;
      if (said.isFinal) throw isDoubtful ? afterDoubt(error) : error;
      // A doubt stays one, whatever becomes of later sends.
      if (!isDoubtful) last = error;
      const isOver = ending.aborted || !error.retryable;
      if (isOver || !(said.isUntouched || repeatable)) throw isOver ? last : error;
      await pause(said.waitMs ?? pauseMs * (0.5 + Math.random() / 2), ending);
      if (ending.aborted) throw last;
    }
  }

  // What one send comes to: a result, or an error. `isUntouched`: the daemon has not carried it out.
  #send(body, agent, ending) {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/json",
        "content-length": body.length,
      };
      const request = this.#library.request(this.#url, { method: "POST", headers, agent });
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
    return { error: unreachable(error), isUntouched: true };
  }
}

/** Why there is no connection to the door. */
function unreachable({ code, message }) {
  return new Unavailable("unreachable", message, !CERTIFICATE_ERRORS.test(code ?? ""));
}

/** The response to a request of `GET /watch`; its body, too, unless that is the stream. */
async function answerTo(request, ending) {
  const end = () => request.destroy(new Error(ending.aborted ? "aborted" : "there is no answer"));
  // A host that takes connections and says nothing is as good as away.
  const silence = setTimeout(end, limits.silenceMs);
  ending.addEventListener("abort", end, { once: true });
  try {
    const response = await new Promise((resolve, reject) => {
      request.on("response", resolve);
      request.on("error", reject);
    });
    const chunks = [];
    if (response.statusCode !== 200) for await (const chunk of response) chunks.push(chunk);
    return { response, body: Buffer.concat(chunks) };
  } catch (error) {
    throw unreachable(error);
  } finally {
    clearTimeout(silence);
    ending.removeEventListener("abort", end);
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
    case 502: // and 504: a proxy's, which has lost the daemon, maybe with the request
    case 503: // also where an answer came too late
    case 504: {
      const message = `HTTP ${response.statusCode}: the daemon takes no more for now`;
      return { error: new UnknownOutcome("connection_lost", message), waitMs };
    }
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
    // Only what starts or stops is waited for, of which nothing was carried out; any other error is the
    // caller's to see.
    const isPassing = error.code === NOT_READY || error.code === SHUTTING_DOWN;
    return { error, isFinal: !isPassing, isUntouched: isPassing };
  }
  if (reply === null || typeof reply !== "object" || !("result" in reply)) {
    const message = "a reply is not what is documented";
    return { error: new UnknownOutcome("malformed_reply", message, false) };
  }
  return { result: reply.result };
}

module.exports = { Door };
