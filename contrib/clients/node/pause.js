"use strict";

/** Waits, until `ending` is aborted at the latest. */
function pause(milliseconds, ending) {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, milliseconds);
    function finish() {
      clearTimeout(timer);
      ending.removeEventListener("abort", finish);
      resolve();
    }
    ending.addEventListener("abort", finish, { once: true });
  });
}

module.exports = { pause };
