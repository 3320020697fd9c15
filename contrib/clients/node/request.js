// Writes the frame of one request. Whatever the daemon could not read is refused here, for its own
// call: the daemon's answer to it would name no call, and so be about all that are under way.

"use strict";

const { EntitldError } = require("./errors.js");

// Limits of the daemon's JSON (proto/framing.md).
const DEPTH_MAX = 32;
const OBJECT_MEMBERS_MAX = 20_000;

/** The bytes that ask for `method`, with their length in front. */
function requestFrame(id, method, params, frameBytesMax) {
  const request = { jsonrpc: "2.0", id, method, params };
  let text;
  try {
    text = JSON.stringify(request);
    if (text.includes("null")) JSON.stringify(request, withoutNothing);
  } catch (error) {
    throw malformed(error.message); // a cycle, or a BigInt
  }
  const fault = faultOf(text);
  if (fault !== null) throw malformed(fault);
  const body = Buffer.from(text);
  if (body.length > frameBytesMax) {
    throw new EntitldError(0, "request_too_large", `a request of ${body.length} bytes`, false);
  }
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  return frame;
}

// JSON.stringify puts null for a number or a date that is none. The daemon takes null for a parameter that
// is absent: an amount of NaN would be the usual amount, or all there is.
function withoutNothing(name, value) {
  const isNumber = typeof value === "number" || value instanceof Number;
  if (isNumber && !Number.isFinite(Number(value))) throw new TypeError(`${name} is no finite number`);
  if (value === null && this[name] instanceof Date) throw new TypeError(`${name} is no date`);
  return value;
}

function malformed(message) {
  return new EntitldError(0, "malformed_request", `the request cannot be sent: ${message}`, false);
}

/** What the daemon would refuse in `text`, which JSON.stringify has made; or null. */
function faultOf(text) {
  // JSON.stringify escapes a surrogate only where its other half is missing.
  if (text.includes("\\ud") && /(?<!\\)(?:\\\\)*\\ud/.test(text)) {
    return "a string has half of a surrogate pair";
  }
  return nestingFault(text);
}

function nestingFault(text) {
  const members = []; // of the open objects and lists, outermost first; -1 for a list
  for (let place = 0; place < text.length; place++) {
    switch (text.charCodeAt(place)) {
      case 0x22: // a string: on to its end
        for (place++; text.charCodeAt(place) !== 0x22; place++) {
          if (text.charCodeAt(place) === 0x5c) place++;
        }
        break;
      case 0x7b:
      case 0x5b:
        members.push(text.charCodeAt(place) === 0x7b ? 0 : -1);
        if (members.length > DEPTH_MAX) return `it is more than ${DEPTH_MAX} deep`;
        break;
      case 0x7d:
      case 0x5d:
        members.pop();
        break;
      case 0x3a: // a colon outside of strings: one member
        if (++members[members.length - 1] > OBJECT_MEMBERS_MAX) {
          return `an object has more than ${OBJECT_MEMBERS_MAX} members`;
        }
    }
  }
  return null;
}

module.exports = { requestFrame };
