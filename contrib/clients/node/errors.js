// Why a call has no result.

"use strict";

/** The daemon's error; or, with code 0, what kept it from answering. */
class EntitldError extends Error {
  constructor(code, name, message, retryable, data = {}) {
    super(message);
    this.code = code;
    this.name = name;
    this.retryable = retryable;
    this.data = data;
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

/** Why there is no connection to the socket. Who may not open it now may not open it later either. */
function unreachable({ code, message }) {
  const isDenied = code === "EACCES" || code === "EPERM";
  return new Unavailable(isDenied ? "permission_denied" : "unreachable", message, !isDenied);
}

module.exports = { EntitldError, Unavailable, UnknownOutcome, daemonError, unreachable };
