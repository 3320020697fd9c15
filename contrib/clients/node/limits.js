"use strict";

/** Times that tests shorten. */
module.exports = {
  /** Three heartbeats: so long a watch waits for its answer, and then for the next word. */
  silenceMs: 45_000,
  /** Of a connection to the HTTPS door; the daemon ends it after 60 s. */
  idleMs: 30_000,
};
