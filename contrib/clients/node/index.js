// Asks entitld what users may do, over its Unix socket or, from another host, over HTTPS. No
// dependencies.
//
// At the socket one client is one connection that all calls share: many are under way at a time, and
// each reply finds its call. The connection is made with the first call, and again after it was lost.
// Results are the objects of proto/openrpc.json.

"use strict";

const { randomUUID } = require("node:crypto");

const { anyCall, callOptions, clientOptions, divided, optional, required, watchOptions } = require("./arguments.js");
const { Door } = require("./door.js");
const { EntitldError, keyed, Unavailable, UnknownOutcome } = require("./errors.js");
const { Exchange } = require("./exchange.js");
const { usualMs } = require("./methods.js");
const { REPEATABLE_METHODS } = require("./repeatable.js");
const { following } = require("./watch.js");

const FRAME_BYTES_MAX = 1 << 20;

/** What leads to a purchase without a signed transaction. */
const LEADS = ["transactionId", "purchaseToken", "checkoutSession", "stripeSubscription"];
const CLAIMS = [
  "purchaseToken",
  "checkoutSession",
  "stripeSubscription",
  "signedRenewalInfo",
  "productId",
  "transactionId",
  "originalTransactionId",
  "appAccountToken",
];
const CONSUMPTION = [
  "customerConsented",
  "deliveryStatus",
  "sampleContentProvided",
  "consumptionPercentage",
  "refundPreference",
  "bundleId",
];

class Client {
  #exchange;
  #timeouts;
  #watches = new Set(); // what ends each of them
  #isClosed = false;

  constructor(options) {
    const {
      path,
      url,
      token,
      ca,
      timeoutMs = 250,
      writeTimeoutMs = 2000,
      storeTimeoutMs = 30_000,
      frameBytesMax = FRAME_BYTES_MAX,
    } = clientOptions(options);
    if (url !== undefined) {
      if (path !== undefined) throw new TypeError("Client: path and url exclude each other");
      if (token === undefined) throw new TypeError("Client: url needs a token");
      this.#exchange = new Door(url, token, ca, frameBytesMax);
    } else {
      if ((token ?? ca) !== undefined) throw new TypeError("Client: token and ca need a url");
      const place = path ?? (process.env.ENTITLD_SOCKET || "/run/entitld/entitld.sock");
      this.#exchange = new Exchange(place.replace(/^unix:\/\//, ""), frameBytesMax);
    }
    this.#timeouts = { read: timeoutMs, write: writeTimeoutMs, store: storeTimeoutMs };
  }

  /** Whether the user may render: look at `canRender` in the result. */
  canRender(userId, options) {
    return this.#ask("canRender", { userId }, options, ["cost", "minSeq"]);
  }

  /** Whether the user may use a feature of the catalog: look at `allowed` in the result. */
  can(userId, feature, options) {
    return this.#ask("can", { userId, feature }, options, ["cost", "minSeq"]);
  }

  /** Whose something is that support has from a mail or a receipt. */
  async find(text, options) {
    return (await this.#ask("find", { text }, options, ["minSeq"])).matches;
  }

  /** All that is said about a user at once; with `at` what was known at a past moment. */
  status(userId, options) {
    return this.#ask("getStatus", { userId }, options, ["at", "minSeq"]);
  }

  async entitlement(userId, options) {
    return (await this.#ask("getEntitlement", { userId }, options, ["minSeq"])).entitlement;
  }

  /** All of them, the best first; each says whether it gives access. */
  async subscriptions(userId, options) {
    return (await this.#ask("getSubscriptions", { userId }, options, ["minSeq"])).subscriptions;
  }

  async managementURL(userId, options) {
    return (await this.#ask("getManagementURL", { userId }, options, ["platform", "minSeq"])).url;
  }

  credits(userId, options) {
    return this.#ask("getCredits", { userId }, options, ["minSeq"]);
  }

  /** A page of what changed, oldest first; the next comes after the last `seq`. */
  async history(userId, options) {
    return (await this.#ask("getHistory", { userId }, options, ["afterSeq", "limit", "minSeq"])).events;
  }

  /** Why a user's status is what it is, or with `at` what it was. */
  explain(userId, options) {
    return this.#ask("explain", { userId }, options, ["at", "minSeq"]);
  }

  /**
   * Each change as it happens, `{ event, params }`, for ever, on a connection of its own. The first
   * connection must succeed, unless `fromSeq` says where to begin: then it is waited for, as one that
   * is lost later is. Nothing is waited for that time does not mend, such as a wrong token. The watch
   * goes on where it was: it may give the changes of its last position twice. After a `resync`, ask
   * anew for what you keep.
   */
  async *watch(options) {
    const { userIds, fromSeq, signal } = watchOptions(options);
    if (userIds?.length === 0) {
      // Over HTTPS nobody cannot be said: it would be everybody.
      throw new EntitldError(0, "invalid_params", "userIds is empty; without it, everybody is watched", false);
    }
    signal?.throwIfAborted();
    // A watch that was made before begins when somebody asks it, and nothing would end it.
    if (this.#isClosed) throw closed();
    const ending = new AbortController();
    const onAbort = () => ending.abort(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#watches.add(ending);
    try {
      const source = (position) => this.#exchange.watch(userIds, position, ending.signal);
      yield* following(source, fromSeq, ending.signal);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#watches.delete(ending);
    }
  }

  async ping(options) {
    await this.#ask("ping", {}, options);
  }

  version(options) {
    return this.#ask("version", {}, options);
  }

  registerAccount(userId, options) {
    return this.#tell("registerAccount", { userId }, options, [
      "appAccountToken",
      "signedAppTransaction",
    ]);
  }

  /**
   * Links a purchase. Without a signed transaction the claims name a `transactionId`, a
   * `purchaseToken`, a `checkoutSession` or a `stripeSubscription`, about which the store is asked.
   */
  async verifyPurchase(userId, signedTransaction, claims, options) {
    const params = optional("verifyPurchase", "the claims", claims, CLAIMS);
    if (signedTransaction != null || LEADS.every((name) => params[name] === undefined)) {
      Object.assign(params, required("verifyPurchase", { signedTransaction }));
    }
    return this.#tell("verifyPurchase", { userId, ...params }, options);
  }

  /** Links what a device knows: signed transactions and Google's `purchaseTokens`, or `receiptData`. */
  restorePurchases(userId, signedTransactions, options) {
    const params = { userId, ...(signedTransactions != null && { signedTransactions }) };
    const names = ["purchaseTokens", "receiptData", "appAccountToken"];
    return this.#tell("restorePurchases", params, options, names);
  }

  verifyReceipt(userId, receiptData, options) {
    const names = ["productId", "appAccountToken"];
    return this.#tell("verifyReceipt", { userId, receiptData }, options, names);
  }

  /** Spends credits, once for each key: look at `outcome`. A missing key is made up. */
  consumeCredit(userId, options) {
    return this.#tellOnce("consumeCredit", { userId }, options, ["amount"]);
  }

  /**
   * Sets credits aside until the `reservation` is committed, released or too old; with
   * `releaseOnDisconnect` at most until the connection that all calls share ends.
   */
  reserveCredits(userId, amount, ttlSeconds, options) {
    const params = { userId, amount, ttlSeconds };
    return this.#tellOnce("reserveCredits", params, options, ["releaseOnDisconnect"]);
  }

  commitReservation(reservation, options) {
    return this.#tell("commitReservation", { reservation }, options, ["amount"]);
  }

  releaseReservation(reservation, options) {
    return this.#tell("releaseReservation", { reservation }, options);
  }

  /** Gives what an anonymous account has to the one that logged in. A missing key is made up. */
  mergeAccounts(fromUserId, intoUserId, options) {
    return this.#tellOnce("mergeAccounts", { fromUserId, intoUserId }, options);
  }

  /** Puts the charge `consumeKey` back into the buckets it came from. */
  reverseCredits(userId, consumeKey, options) {
    return this.#tellOnce("reverseCredits", { userId, consumeKey }, options);
  }

  /** Asks the store about the user now. */
  reconcile(userId, options) {
    return this.#tell("reconcile", { userId }, options);
  }

  /** For the admin socket. A missing idempotencyKey is made up. */
  async grantCredits(userId, amount, members, options) {
    const names = ["idempotencyKey", "expiresAt", "source", "reason"];
    const given = optional("grantCredits", "the members", members, names);
    return this.#tellOnce("grantCredits", { userId, amount, ...given }, options);
  }

  /** For support: changes the credits by `amount`, which may be negative. A missing key is made up. */
  async adjustCredits(userId, amount, members, options) {
    const names = ["idempotencyKey", "expiresAt", "source", "reason"];
    const given = optional("adjustCredits", "the members", members, names);
    if (!Number.isSafeInteger(amount)) throw new TypeError("adjustCredits: amount must be a whole number");
    const key = { idempotencyKey: randomUUID() };
    return this.write("adjustCredits", { ...key, ...required("adjustCredits", { userId }), amount, ...given }, options);
  }

  /** For the admin socket. A missing idempotencyKey is made up. */
  async grantEntitlement(userId, plan, members, options) {
    const names = ["idempotencyKey", "expiresAt", "startsAt", "store", "reason"];
    const given = optional("grantEntitlement", "the members", members, names);
    return this.#tellOnce("grantEntitlement", { userId, plan, ...given }, options);
  }

  /** For the admin socket. It has no key: a lost connection leaves it in doubt. */
  async revokeGrant(userId, grant, members, options) {
    const given = optional("revokeGrant", "the members", members, ["reason"]);
    return this.#tell("revokeGrant", { userId, grant, ...given }, options);
  }

  /** For support: gives a purchase to another user. */
  async movePurchase(originalTransactionId, toUserId, reason, options) {
    const store = options?.store ?? "app_store";
    const params = { store, originalTransactionId, toUserId, reason };
    return this.#tell("movePurchase", params, options, ["store"]);
  }

  /** For the admin socket: waits for a test notification, of Apple unless `store` says google_play. */
  testNotification(options) {
    return this.#tell("testNotification", {}, options, ["store", "timeoutSeconds"]);
  }

  /** Signs a promotional offer in both of Apple's forms. */
  async signOffer(userId, productId, offerId, options) {
    const names = ["appAccountToken", "applicationUsername", "transactionId", "bundleId", "minSeq"];
    return this.#ask("signOffer", { userId, productId, offerId }, options, names);
  }

  /** Signs whether a customer gets an introductory offer. */
  async signIntroductoryOffer(userId, productId, allowIntroductoryOffer = true, options = undefined) {
    const params = { userId, productId, allowIntroductoryOffer };
    return this.#ask("signIntroductoryOffer", params, options, ["transactionId", "bundleId", "minSeq"]);
  }

  /** For support: answers Apple's question about a purchase whose refund is asked for. */
  async sendConsumption(transactionId, report, options) {
    const given = optional("sendConsumption", "the report", report, CONSUMPTION);
    return this.#tell("sendConsumption", { transactionId, ...given }, options);
  }

  /** For support: puts off a renewal; in doubt it is not sent again. */
  async extendRenewal(transactionId, extendByDays, extendReasonCode, options) {
    const params = { transactionId, extendByDays, extendReasonCode };
    return this.#tell("extendRenewal", params, options, ["requestIdentifier", "bundleId"]);
  }

  /** For the admin socket: forgets a person. */
  eraseUser(userId, options) {
    return this.#tell("eraseUser", { userId }, options);
  }

  /** For the admin socket: a page of everything that is kept about a person. */
  exportUser(userId, options) {
    return this.#ask("exportUser", { userId }, options, ["cursor", "minSeq"]);
  }

  /** For the admin socket: a page of rows. */
  dump(options) {
    return this.#ask("dump", {}, options, ["table", "prefix", "cursor", "limit", "minSeq"]);
  }

  /** For the admin socket: the value of one row. */
  async get(table, key, options) {
    return (await this.#ask("get", { table, key }, options, ["minSeq"])).value;
  }

  /** For the admin socket: puts dumped rows into an empty store; how many. */
  async load(entries, options) {
    return (await this.#tell("load", { entries }, options)).loaded;
  }

  /** For the admin socket: copies the store to a new directory. */
  backup(path, options) {
    return this.#tell("backup", { path }, options);
  }

  /** For support: what the daemon did and does. */
  stats(options) {
    return this.#ask("stats", {}, options, ["minSeq"]);
  }

  /** For the admin socket. */
  setLogLevel(level, options) {
    return this.#tell("setLogLevel", { level }, options);
  }

  /** For the admin socket: a page of who would win or lose what under another catalog (its text). */
  previewCatalog(catalog, options) {
    return this.#ask("previewCatalog", { catalog }, options, ["cursor", "limit"]);
  }

  /** For support: how far each outbox is. */
  async outboxes(options) {
    return (await this.#ask("getOutboxes", {}, options, ["minSeq"])).outboxes;
  }

  /** For the admin socket: tells again what an outbox gave up; with `everything` every state. */
  retryOutbox(name, options) {
    return this.#tell("retryOutbox", { name }, options, ["id", "everything"]);
  }

  /** For the admin socket: gives up a change that a receiver never takes. */
  skipOutbox(name, id, options) {
    return this.#tell("skipOutbox", { name, id }, options);
  }

  /** For the admin socket: posts a test message now. */
  testOutbox(name, options) {
    return this.#tell("testOutbox", { name }, options);
  }

  /** Calls a method that changes nothing. */
  async read(method, params = {}, options = undefined) {
    anyCall(method, params);
    const usual = usualMs(method, params, this.#timeouts.read, this.#timeouts);
    const { timeoutMs = usual, signal } = callOptions(method, options);
    return this.#exchange.call(method, params, { repeatable: true, timeoutMs, signal });
  }

  /**
   * Calls a method that changes something; `repeatable` when it is safe to send twice, which it is
   * with an idempotencyKey and for the methods of this client that need none.
   */
  async write(method, params = {}, options = undefined) {
    anyCall(method, params);
    const usual = usualMs(method, params, this.#timeouts.write, this.#timeouts);
    const isSafe = params.idempotencyKey !== undefined || REPEATABLE_METHODS.has(method);
    const given = callOptions(method, options, ["repeatable"]);
    const { repeatable = isSafe, timeoutMs = usual, signal } = given;
    try {
      return await this.#exchange.call(method, params, { repeatable, timeoutMs, signal });
    } catch (error) {
      // What the signal says is the caller's.
      const isOurs = error instanceof EntitldError && error !== signal?.reason;
      throw isOurs && params.idempotencyKey !== undefined ? keyed(error, params.idempotencyKey) : error;
    }
  }

  /** Ends the connection, and what waits. */
  close() {
    this.#isClosed = true;
    for (const ending of this.#watches) ending.abort(closed());
    this.#exchange.close();
  }

  [Symbol.dispose ?? Symbol("dispose")]() {
    this.close();
  }

  async #ask(method, params, options, names = []) {
    const given = divided(method, options, names);
    return this.read(method, { ...required(method, params), ...given.params }, given.call);
  }

  async #tell(method, params, options, names = []) {
    const given = divided(method, options, names);
    return this.write(method, { ...required(method, params), ...given.params }, given.call);
  }

  // With a key, which is made up where there is none.
  async #tellOnce(method, params, options, names = []) {
    const given = divided(method, options, [...names, "idempotencyKey"]);
    const key = { idempotencyKey: randomUUID() };
    return this.write(method, { ...key, ...required(method, params), ...given.params }, given.call);
  }
}

function closed() {
  return new Unavailable("closed", "the client was closed", false);
}

module.exports = { EntitldError, Unavailable, UnknownOutcome, Client };
