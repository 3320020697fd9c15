// Follows changes, over a connection of its own that is made again when it was lost.
//
// A source yields `{ joined }`, the position from which everything is told, and then
// `{ event, params }`, until its connection ends.

"use strict";

const { connect } = require("node:net");

const { daemonError, EntitldError, malformed, UnknownOutcome, unreachable } = require("./errors.js");
const limits = require("./limits.js");
const { pause } = require("./pause.js");
const { parsed } = require("./reply.js");
const { requestFrame } = require("./request.js");

const PAUSE_MS_MAX = 5000;

/** What `source` tells, for ever: a lost connection is made again, and goes on where it was. */
async function* following(source, fromSeq, ending) {
  let position = fromSeq;
  let joined = 0;
  let pauseMs = 0;
  for (;;) {
    try {
      for await (const told of source(position)) {
        pauseMs = 0;
        const { event, params } = told;
        if (told.joined !== undefined) {
          joined = told.joined;
          position ??= joined;
        } else if (event === "heartbeat") {
          position = Math.max(position, params.seq ?? position);
        } else {
          if (event === "resync") position = Math.max(joined, params.oldest ?? joined);
          // One position may change many users, and more of them may still come.
          else if (params.seq !== undefined) position = Math.max(position, params.seq - 1);
          yield told;
        }
      }
    } catch (error) {
      if (ending.aborted) throw ending.reason;
      if (position === undefined || !error.retryable) throw error;
    }
    if (ending.aborted) throw ending.reason;
    pauseMs = Math.min(Math.max(pauseMs * 2, 50), PAUSE_MS_MAX);
    await pause(pauseMs * (0.5 + Math.random() / 2), ending);
    if (ending.aborted) throw ending.reason;
  }
}

/** At the socket at `path`. */
async function* socketEvents(path, params, frameBytesMax, ending) {
  // What cannot be sent makes no connection.
  const frame = requestFrame(1, "watch", params, frameBytesMax);
  const connection = connect(path);
  const end = () => connection.destroy();
  ending.addEventListener("abort", end, { once: true });
  connection.setTimeout(limits.silenceMs, end);
  connection.write(frame);
  try {
    for await (const body of frames(connection, frameBytesMax)) {
      const message = parsed(body);
      if (message === null) throw malformedMessage();
      if (message.error !== undefined) throw daemonError(message.error);
      yield message.method === undefined ? joinedAt(message.result?.seq) : eventOf(message.method, message.params);
    }
    throw new UnknownOutcome("connection_lost", "the daemon ended the watch");
  } catch (error) {
    throw error instanceof EntitldError ? error : unreachable(error);
  } finally {
    ending.removeEventListener("abort", end);
    connection.destroy();
  }
}

/** At the HTTPS door: `response` is that to `GET /watch`. */
async function* doorEvents(response, fromSeq, ending) {
  const end = () => response.destroy();
  ending.addEventListener("abort", end, { once: true });
  if (ending.aborted) end();
  response.socket.setTimeout(limits.silenceMs, end);
  try {
    // Without a position it begins with a heartbeat, which names one. The daemon does not say where
    // it stands itself: behind a resync everything is told from `oldest` on.
    let hasJoined = fromSeq !== undefined;
    if (hasJoined) yield { joined: 0 };
    for await (const { event, data } of events(response)) {
      const heard = eventOf(event, json(data));
      if (!hasJoined) yield joinedAt(heard.params.seq);
      hasJoined = true;
      yield heard;
    }
    throw new UnknownOutcome("connection_lost", "the daemon ended the watch");
  } catch (error) {
    throw error instanceof EntitldError ? error : new UnknownOutcome("connection_lost", error.message);
  } finally {
    ending.removeEventListener("abort", end);
    response.destroy();
  }
}

function joinedAt(seq) {
  if (!Number.isInteger(seq)) throw malformedMessage();
  return { joined: seq };
}

function eventOf(event, params) {
  const isPosition = (value) => value === undefined || Number.isInteger(value);
  if (params === null || typeof params !== "object") throw malformedMessage();
  if (!isPosition(params.seq) || !isPosition(params.oldest)) throw malformedMessage();
  return { event, params };
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedMessage();
  }
}

function malformedMessage() {
  return malformed("a message of the watch is not what is documented");
}

async function* frames(connection, frameBytesMax) {
  let received = Buffer.alloc(0);
  for await (const chunk of connection) {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (received.length >= 4) {
      const length = received.readUInt32BE();
      if (length === 0 || length > frameBytesMax) {
        throw malformed(`a message of ${length} bytes`);
      }
      if (received.length < 4 + length) break;
      const body = received.subarray(4, 4 + length);
      received = received.subarray(4 + length);
      yield body;
    }
  }
}

async function* events(response) {
  let [rest, event, data] = ["", "", ""];
  response.setEncoding("utf8");
  for await (const chunk of response) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event !== "") yield { event, data };
        [event, data] = ["", ""];
      } else if (line.startsWith("event: ")) {
        event = line.slice("event: ".length);
      } else if (line.startsWith("data: ")) {
        data += line.slice("data: ".length);
      }
    }
  }
}

module.exports = { following, socketEvents, doorEvents };
