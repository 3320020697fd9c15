// Reads what the daemon says over the socket.

"use strict";

/** The reply in `body`, or a notification; null where it is neither. */
function parsed(body) {
  let reply;
  try {
    reply = JSON.parse(body);
  } catch {
    return null;
  }
  if (reply === null || typeof reply !== "object") return null;
  if (typeof reply.method === "string") return reply;
  const { error, id } = reply;
  if (error === undefined) return "result" in reply && Number.isInteger(id) ? reply : null;
  const isError = Number.isInteger(error?.code) && typeof error.message === "string";
  return isError && (id === null || Number.isInteger(id)) ? reply : null;
}

module.exports = { parsed };
