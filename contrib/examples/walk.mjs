// What the walks share: asking an example's server, and letting things happen in its stores.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BIN = process.env.BIN ?? fileURLToPath(new URL("../../.build/debug", import.meta.url));
const SECONDS_MAX = 120;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Where the example `name` is, once it is up. */
async function placeOf(name) {
  const file = `${BIN}/example-${name}.json`;
  for (let tenths = 0; !existsSync(file); tenths++) {
    assert(tenths < SECONDS_MAX * 10, `${name} is not up: bash contrib/examples/up.sh ${name}`);
    await pause(100);
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/** `paths`: where the stores' messages go at the example's server; else they go to the daemon. */
export async function walk(name, paths = {}) {
  const place = await placeOf(name);
  const at = (store) => (paths[store] ? place.url + paths[store] : `${place.webhooks}/webhooks/${store}`);
  const run = (program, ...words) =>
    execFileSync(`${place.bin}/${program}`, words, { encoding: "utf8" }).trim();
  /** Asks the server, as `user`; the status and the members named in `expected` must be so. */
  const ask = async (user, method, path, body, expected, status = 200, more = {}) => {
    const headers = { "content-type": "application/json", ...(user && { authorization: `Bearer ${user}` }), ...more };
    const answer = await fetch(place.url + path, { method, headers, body: body && JSON.stringify(body) });
    const said = await answer.json();
    const what = `${method} ${path} as ${user}: ${answer.status} ${JSON.stringify(said)}`;
    assert.equal(answer.status, status, what);
    assertHas(said, expected, what);
    console.log(`ok  ${what.slice(0, 180)}`);
    return said;
  };
  /** The same again and again until it is so: what a store or an outbox tells takes a moment. */
  const eventually = async (...words) => {
    for (let tenths = 0; ; tenths++) {
      try {
        return await ask(...words);
      } catch (error) {
        if (tenths > 200) throw error;
        await pause(100);
      }
    }
  };
  return {
    place,
    ask,
    eventually,
    run,
    apple: (...words) => run("appstoresim", "act", place.apple, ...words, "--url", at("apple")),
    /** What the customer's device knows: the signed transaction. */
    transaction: (customer) => run("appstoresim", "document", place.apple, customer),
    google: (...words) => run("playstoresim", "act", place.google, ...words, "--url", at("google")),
    stripe: (...words) => run("stripesim", "act", place.stripe, ...words, "--url", at("stripe")),
  };
}

/** Whether each member of `expected` is in `said`; null must be null, a function must hold. */
export function assertHas(said, expected, what) {
  for (const [name, value] of Object.entries(expected)) {
    const own = said?.[name];
    if (typeof value === "function") assert(value(own), `${name} in ${what}`);
    else if (value !== null && typeof value === "object" && !Array.isArray(value)) assertHas(own, value, what);
    else assert.deepEqual(own, value, `${name} in ${what}`);
  }
}
