// Checks what the caller says before anything is sent. A wrong argument that is passed over in
// silence would be another call than the one that was meant.

"use strict";

const { inspect } = require("node:util");

const TIMER_MS_MAX = 2 ** 31 - 1; // of setTimeout; a longer one ends at once

const text = ["a string that is not empty", (value) => typeof value === "string" && value !== ""];
const flag = ["true or false", (value) => typeof value === "boolean"];
const anyText = ["a string", (value) => typeof value === "string"];
const texts = ["a list of strings", (value) => Array.isArray(value) && value.every(text[1])];
const count = ["a whole number from 1 up", (value) => Number.isSafeInteger(value) && value >= 1];
const position = ["a whole number from 0 up", (value) => Number.isSafeInteger(value) && value >= 0];
const moment = [
  "a string in ISO 8601, or a Date",
  (value) => (value instanceof Date ? !Number.isNaN(value.getTime()) : text[1](value)),
];

/** What each parameter has to be, whatever the method. */
const KINDS = {
  ...{ toUserId: text, fromUserId: text, intoUserId: text },
  ...{ userId: text, platform: text, idempotencyKey: text, consumeKey: text, reservation: text },
  ...{ appAccountToken: text, signedTransaction: text, signedRenewalInfo: text, productId: text },
  ...{ transactionId: text, originalTransactionId: text, receiptData: text, plan: text, grant: text },
  ...{ purchaseToken: text, checkoutSession: text, stripeSubscription: text, purchaseTokens: texts },
  ...{ signedAppTransaction: text, at: moment, table: text, prefix: text, cursor: text, path: text },
  ...{ level: text, catalog: text, name: text, id: text, everything: flag },
  key: ["a string, or { base64 }", (value) => text[1](value) || text[1](value?.base64)],
  entries: ["a list of rows", (value) => Array.isArray(value)],
  ...{ offerId: text, applicationUsername: anyText, bundleId: text, requestIdentifier: text },
  ...{ deliveryStatus: text, refundPreference: text, consumptionPercentage: position },
  ...{ customerConsented: flag, sampleContentProvided: flag, allowIntroductoryOffer: flag },
  ...{ extendByDays: count, extendReasonCode: position },
  ...{ store: text, reason: text, source: text, signedTransactions: texts },
  ...{ feature: text, text, minSeq: position },
  ...{ amount: count, cost: count, ttlSeconds: count, limit: count, timeoutSeconds: count },
  ...{ afterSeq: position, releaseOnDisconnect: flag, expiresAt: moment, startsAt: moment },
};

/** What every call takes besides its parameters. */
const CALL_OPTIONS = {
  timeoutMs: [
    `a number of milliseconds, more than 0 and at most ${TIMER_MS_MAX}`,
    (value) => typeof value === "number" && value > 0 && value <= TIMER_MS_MAX,
  ],
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
};

const CLIENT_OPTIONS = {
  path: text,
  url: text,
  token: text,
  ca: ["a certificate in PEM", (value) => text[1](value) || value instanceof Uint8Array],
  timeoutMs: CALL_OPTIONS.timeoutMs,
  writeTimeoutMs: CALL_OPTIONS.timeoutMs,
  storeTimeoutMs: CALL_OPTIONS.timeoutMs,
  frameBytesMax: count,
};

function check(who, name, value, [wanted, holds]) {
  if (holds(value)) return;
  throw new TypeError(`${who}: ${name} must be ${wanted}, not ${inspect(value, { depth: 0 })}`);
}

/** `given`, whose members are all in `kinds` and of their kind; those that are undefined are absent. */
function members(who, what, given, kinds) {
  if (given === undefined) return {};
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    throw new TypeError(`${who}: ${what} must be an object, not ${inspect(given, { depth: 0 })}`);
  }
  const present = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(kinds, name)) throw new TypeError(`${who} has no option ${name}`);
    if (value === undefined) continue;
    check(who, name, value, kinds[name]);
    present[name] = value;
  }
  return present;
}

/** The parameters in `required`, each of its kind. */
function required(method, params) {
  for (const [name, value] of Object.entries(params)) check(method, name, value, KINDS[name]);
  return params;
}

/** The parameters called `names` in `given`; nothing else may be there. */
function optional(method, what, given, names) {
  return members(method, what, given, kindsOf(names));
}

/** The parameters called `names` in `given`, and the call's own options. */
function divided(method, given, names) {
  const all = members(method, "the options", given, { ...kindsOf(names), ...CALL_OPTIONS });
  const { timeoutMs, signal, ...params } = all;
  return { params, call: { timeoutMs, signal } };
}

/** The options of a call to any method: `flags` are its own ones that are true or false. */
function callOptions(method, given, flags = []) {
  const kinds = Object.fromEntries(flags.map((name) => [name, flag]));
  return members(method, "the options", given, { ...kinds, ...CALL_OPTIONS });
}

function clientOptions(given) {
  return members("Client", "the options", given, CLIENT_OPTIONS);
}

function watchOptions(given) {
  const kinds = { userIds: texts, fromSeq: position, signal: CALL_OPTIONS.signal };
  return members("watch", "the options", given, kinds);
}

/** A method, and its parameters by name. */
function anyCall(method, params) {
  check("the call", "method", method, text);
  if (params === null || typeof params !== "object" || Array.isArray(params)) {
    throw new TypeError(`${method}: the parameters must be an object with names`);
  }
}

function kindsOf(names) {
  return Object.fromEntries(names.map((name) => [name, KINDS[name]]));
}

module.exports = { required, optional, divided, callOptions, clientOptions, watchOptions, anyCall };
