// Carries calls over one connection, which is made with the first call and again after it was lost.
//
// A call is in one of three places: `#unsent`, `#sent`, or resting after the daemon said that it is
// not ready. Its timer alone ends the waiting: as long as it runs, the connection is tried again and
// what may be repeated is repeated. A call that may be why connections end goes on over another one.

"use strict";

const { connect } = require("node:net");

const { afterDoubt, daemonError, malformed, Unavailable, UnknownOutcome, unreachable } = require("./errors.js");
const { parsed } = require("./reply.js");
const { requestFrame } = require("./request.js");
const { socketEvents } = require("./watch.js");

const CALLS_IN_FLIGHT_MAX = 1024;
const PAUSE_MS_MAX = 50;
/** So many connections a call may lose beside others. */
const LOSSES_MAX = 3;

const NOT_READY = -32002;
const SHUTTING_DOWN = -32003;

/** What a daemon that restarts, or whose backlog is full, answers to `connect`. */
const PASSING_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EAGAIN", "ENOENT", "EINTR"]);

class Exchange {
  #path;
  #frameBytesMax;
  #socket = null; // connected
  #hasAnswered = false; // on this connection
  #isEnding = false; // it: the daemon stops, and nothing more is sent there
  #isConnecting = false;
  #isClosed = false;
  #refusal = null; // why the last attempt to connect failed
  #pauseMs = 0;
  #pause = null; // the timer before the next attempt
  #received = Buffer.alloc(0);
  #lastId = 0;
  #calls = new Map(); // id → call: all of them
  #unsent = new Set();
  #sent = new Set();
  #suspects = []; // unsent, and each to travel alone: see #doubt
  #isSolo = false; // a suspect travels
  #side = null; // another exchange, all of whose calls are suspects: see #setAside
  #isSide;
  #waking = null; // what sends, soon: see #wake

  constructor(path, frameBytesMax, isSide = false) {
    this.#path = path;
    this.#frameBytesMax = frameBytesMax;
    this.#isSide = isSide;
  }

  /** Calls `method`; `repeatable` when it is safe to send twice. */
  call(method, params, { repeatable, timeoutMs, signal }) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw closed();
      if (this.#waiting() >= CALLS_IN_FLIGHT_MAX) {
        throw new Unavailable("too_many_calls", "too many calls wait for their reply");
      }
      const id = ++this.#lastId;
      const frame = requestFrame(id, method, params, this.#frameBytesMax);
      const call = { id, frame, repeatable, home: this, losses: 0, pauseMs: 0, doubt: null, refusal: null };
      const onAbort = () => call.home.#giveUp(call, signal.reason);
      const deadline = setTimeout(() => call.home.#giveUp(call, call.home.#lateness(call)), timeoutMs);
      call.resolve = resolve;
      call.reject = reject;
      call.forget = () => {
        clearTimeout(deadline);
        clearTimeout(call.rest);
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#calls.set(id, call);
      this.#unsent.add(call);
      this.#socket?.ref();
      this.#wake();
    });
  }

  /** The changes of these users, or of everybody, on a connection of its own. */
  async *watch(userIds, fromSeq, ending) {
    yield* socketEvents(this.#path, { userIds, fromSeq }, this.#frameBytesMax, ending);
  }

  close() {
    this.#isClosed = true;
    this.#side?.close();
    clearTimeout(this.#pause);
    this.#drop();
    for (const call of [...this.#calls.values()]) {
      this.#reject(call, this.#isDoubtful(call) ? closed(UnknownOutcome) : closed());
    }
  }

  // How many calls there are, those that were set aside included.
  #waiting() {
    return this.#calls.size + (this.#side?.#calls.size ?? 0);
  }

  // Whether the daemon may have carried it out.
  #isDoubtful(call) {
    return this.#sent.has(call) || call.doubt !== null;
  }

  #lateness(call) {
    const message = "the daemon did not answer in time";
    if (this.#sent.has(call)) return new UnknownOutcome("timed_out", message);
    return call.doubt ?? call.refusal ?? this.#refusal ?? new Unavailable("timed_out", message);
  }

  #giveUp(call, error) {
    this.#reject(call, error);
    this.#goOn();
  }

  // Ends a call, wherever it stands.
  #take(call) {
    call.forget();
    this.#calls.delete(call.id);
    this.#unsent.delete(call);
    this.#sent.delete(call);
    this.#suspects = this.#suspects.filter((suspect) => suspect !== call);
    if (this.#calls.size === 0) this.#socket?.unref(); // an idle client keeps no process alive
  }

  #reject(call, error) {
    if (!this.#calls.has(call.id)) return;
    this.#take(call);
    call.reject(error);
  }

  // Sends after what has come is read: a write to a connection that has ended throws away the answers that
  // wait there.
  #wake() {
    this.#waking ??= setImmediate(() => {
      this.#waking = null;
      this.#goOn();
    });
  }

  // Sends what may go now: all of it, or one suspect, on which everything else waits.
  #goOn() {
    if (this.#suspects.length > 0 || this.#unsent.size > 0) this.#flush();
  }

  #flush() {
    if (this.#socket === null) return this.#connect();
    if (this.#isEnding) {
      // What is sent over it now may get no answer, and then nobody knows. Those under way get theirs.
      if (this.#sent.size > 0) return;
      this.#drop();
      return this.#rest();
    }
    if (this.#suspects.length > 0 || this.#isSolo) {
      if (this.#sent.size > 0) return;
      const suspect = this.#suspects.shift();
      this.#isSolo = suspect !== undefined;
      if (this.#isSolo) return this.#send(suspect);
    }
    for (const call of this.#unsent) {
      // The daemon reads nothing now: what gives up meanwhile is never sent. "drain" goes on.
      if (this.#socket.writableNeedDrain) return;
      this.#send(call);
    }
  }

  #send(call) {
    this.#socket.write(call.frame);
    this.#unsent.delete(call);
    this.#sent.add(call);
  }

  #connect() {
    if (this.#isConnecting || this.#pause !== null) return;
    if (this.#isClosed || this.#calls.size === 0) return;
    this.#isConnecting = true;
    const socket = connect(this.#path);
    const refuse = (error) => {
      this.#isConnecting = false;
      this.#refuse(error);
    };
    socket.once("error", refuse);
    socket.once("connect", () => {
      this.#isConnecting = false;
      socket.off("error", refuse);
      socket.on("error", () => {}); // "close" follows
      socket.on("data", (chunk) => this.#receive(socket, chunk));
      socket.on("drain", () => socket === this.#socket && this.#goOn());
      socket.on("close", () => socket === this.#socket && this.#lost());
      if (this.#isClosed) return socket.destroy();
      this.#received = Buffer.alloc(0);
      this.#hasAnswered = false;
      this.#isEnding = false;
      this.#refusal = null;
      this.#socket = socket;
      if (this.#calls.size === 0) socket.unref();
      this.#goOn();
    });
  }

  // The daemon may be about to start, so the calls wait; not where waiting cannot help.
  #refuse(error) {
    const refusal = unreachable(error);
    if (PASSING_ERRORS.has(error.code)) {
      this.#refusal = refusal;
      return this.#rest();
    }
    for (const call of [...this.#calls.values()]) this.#reject(call, call.doubt ?? refusal);
  }

  // Connects again after a pause that doubles; half of it is random, so that a crowd does not come
  // back together.
  #rest() {
    if (this.#pause !== null || this.#calls.size === 0) return;
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = longer(this.#pauseMs);
    this.#pause = setTimeout(() => {
      this.#pause = null;
      this.#goOn();
    }, pauseMs);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.removeAllListeners("data");
    socket?.destroy();
  }

  // The connection has ended, with a word or without: what may be repeated is sent again, before what is
  // new, and after a pause of its own from the second time on, since it may be the reason.
  #lost(word = null) {
    this.#drop();
    const error = word ?? new UnknownOutcome("connection_lost", "the connection ended before the reply");
    const again = [];
    for (const call of [...this.#sent]) {
      this.#sent.delete(call);
      call.doubt = error;
      if (word === null) call.losses++;
      if (!call.repeatable) {
        this.#reject(call, error);
      } else if (call.losses >= LOSSES_MAX && !this.#isSide) {
        this.#setAside(call);
      } else if (call.pauseMs === 0) {
        call.pauseMs = longer(0);
        again.push(call);
      } else this.#repeatLater(call);
    }
    this.#unsent = new Set([...again, ...this.#unsent]);
    if (this.#hasAnswered) this.#goOn();
    else this.#rest();
  }

  // Something came that is about one of the calls under way, and does not say about which: nobody
  // knows what became of any of them. Each that may be repeated travels alone, so that the one that
  // is guilty is found, and no other fails with it.
  #doubt(error) {
    this.#drop();
    const doubted = [...this.#sent];
    this.#sent.clear();
    for (const call of doubted) {
      call.doubt = error;
      if (call.repeatable && doubted.length > 1) this.#suspects.push(call);
      else this.#reject(call, error);
    }
    this.#goOn();
  }

  // A call that has lost so many connections may be the reason. It goes on over one on which such calls
  // travel one at a time, so that it ends none on which others are under way, and nobody waits for it.
  #setAside(call) {
    this.#side ??= new Exchange(this.#path, this.#frameBytesMax, true);
    this.#calls.delete(call.id);
    call.home = this.#side;
    this.#side.#calls.set(call.id, call);
    this.#side.#repeatLater(call);
  }

  #receive(socket, chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    // A reply may have ended this connection.
    while (socket === this.#socket && this.#received.length >= 4) {
      const length = this.#received.readUInt32BE();
      if (length === 0 || length > this.#frameBytesMax) {
        return this.#doubt(malformed(`a reply of ${length} bytes`));
      }
      if (this.#received.length < 4 + length) return;
      const body = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      this.#settle(parsed(body));
    }
  }

  #settle(reply) {
    if (reply === null) return this.#doubt(malformed("a reply is not what is documented"));
    if (reply.method !== undefined) return; // a notification
    if (reply.id !== null) {
      this.#hasAnswered = true;
      this.#pauseMs = 0;
    }
    if (reply.error === undefined) {
      const call = this.#calls.get(reply.id);
      if (call === undefined) return; // the call has ended before
      this.#take(call);
      call.resolve(reply.result);
      return this.#goOn();
    }
    const error = daemonError(reply.error);
    if (reply.id === null) return this.#settleNameless(error);
    const call = this.#calls.get(reply.id);
    if (call === undefined) return;
    // Nothing of it was carried out, so that it may come again, whatever it is.
    if (error.code === NOT_READY || error.code === SHUTTING_DOWN) {
      call.refusal = error;
      this.#isEnding ||= error.code === SHUTTING_DOWN;
      this.#repeatLater(call);
    } else this.#reject(call, call.doubt === null ? error : afterDoubt(error));
    this.#goOn();
  }

  #settleNameless(error) {
    const message = `the daemon answered, without saying to which call: ${error.message}`;
    const data = { ...error.data, cause: error.code };
    const outcome = new UnknownOutcome("unknown_outcome", message, true, data);
    // It has no place for the connection, or stops: nothing is wrong with the calls.
    if (error.retryable) {
      this.#hasAnswered = false; // so that there is a pause
      this.#lost(outcome);
    } else {
      this.#doubt(outcome);
    }
  }

  // Sends it again after a pause that doubles.
  #repeatLater(call) {
    this.#sent.delete(call);
    const pauseMs = call.pauseMs * (0.5 + Math.random() / 2);
    call.pauseMs = longer(call.pauseMs);
    call.rest = setTimeout(() => {
      if (this.#isSide) this.#suspects.push(call);
      else this.#unsent.add(call);
      this.#wake();
    }, pauseMs);
  }
}

function longer(pauseMs) {
  return Math.min(Math.max(1, pauseMs * 2), PAUSE_MS_MAX);
}

function closed(Kind = Unavailable) {
  return new Kind("closed", "the client was closed", false);
}

module.exports = { CALLS_IN_FLIGHT_MAX, Exchange };
