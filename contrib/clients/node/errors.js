// Why a call has no result.

"use strict";

/**
 * The daemon may answer these before it looks up the key of a call: overloaded, storage_full,
 * internal_error, permission_denied. They say nothing about an earlier send of the call.
 */
const BLIND_CODES = new Set([-32029, -32010, -32603, -32001]);

/**
 * The daemon's error; or, with code 0, what kept it from answering. `idempotencyKey` is the call's key,
 * given or made up, with which it can be repeated safely; undefined where it has none.
 */
class EntitldError extends Error {
  constructor(code, name, message, retryable, data = {}) {
    super(message);
    this.code = code;
    this.name = name;
    this.retryable = retryable;
    this.data = data;
    this.idempotencyKey = undefined;
  }
}

/** No answer came. Unless it is an `UnknownOutcome`, the daemon has not carried the call out. */
class Unavailable extends EntitldError {
  constructor(name, message, retryable = true, data = {}) {
    super(0, name, message, retryable, data);
  }
}

/** The call was sent, and nobody can tell what became of it: a write may have been kept. */
class UnknownOutcome extends Unavailable {}

/** The daemon's own error, as a reply has it. */
function daemonError({ code, message, data = {} }) {
  return new EntitldError(code, data.code ?? "error", message, !!data.retryable, data);
}

/** What a call fails with that the daemon answers with `error`, where an earlier send is in doubt. */
function afterDoubt(error) {
  if (!BLIND_CODES.has(error.code)) return error;
  const message =
    "an earlier send of the call may have been carried out; " +
    `a later one was answered with ${error.name}: ${error.message}`;
  return new UnknownOutcome("unknown_outcome", message, true, { ...error.data, cause: error.code });
}

/** The same error, which names the key of its call. A copy: calls that fail together share one. */
function keyed(error, idempotencyKey) {
  const { code, name, message, retryable, data } = error;
  const copy =
    error instanceof Unavailable
      ? new error.constructor(name, message, retryable, data)
      : new EntitldError(code, name, message, retryable, data);
  return Object.assign(copy, { idempotencyKey });
}

/** What the daemon says is not what is documented. No later connection can do better. */
function malformed(message) {
  return new UnknownOutcome("malformed_reply", message, false);
}

/** Why there is no connection to the socket. Who may not open it now may not open it later either. */
function unreachable({ code, message }) {
  const isDenied = code === "EACCES" || code === "EPERM";
  return new Unavailable(isDenied ? "permission_denied" : "unreachable", message, !isDenied);
}

module.exports = { EntitldError, Unavailable, UnknownOutcome, afterDoubt, daemonError, keyed, malformed, unreachable };
