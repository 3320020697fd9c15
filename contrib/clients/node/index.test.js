"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { test } = require("node:test");

const { client, daemon } = require("./fake.js");
const library = require("./index.js");
const { usualMs } = require("./methods.js");

const { Client, EntitldError, Unavailable, UnknownOutcome } = library;

test("every call sends its method and named parameters", async (t) => {
  const results = {
    getEntitlement: { entitlement: 1 },
    getManagementURL: { url: null },
    getHistory: { events: [] },
    getSubscriptions: { subscriptions: [] },
    getOutboxes: { outboxes: [] },
  };
  const fake = await daemon(t, (method) => ({ result: results[method] ?? { method } }));
  const it = client(t, fake);
  assert.deepEqual(await it.canRender("alice", { cost: 2 }), { method: "canRender" });
  assert.equal(await it.entitlement("alice"), 1);
  assert.equal(await it.managementURL("alice", { platform: "ios" }), null);
  await it.status("alice");
  await it.ping();
  await it.version();
  await it.registerAccount("alice");
  await it.verifyPurchase("alice", "a.b.c", { productId: "p" });
  await it.grantEntitlement("alice", "premium", { idempotencyKey: "k", reason: "gift" });
  await it.revokeGrant("alice", "g");
  await it.credits("alice");
  await it.restorePurchases("alice", ["a.b.c"]);
  await it.verifyReceipt("alice", "AAAA");
  await it.consumeCredit("alice", { amount: 2, idempotencyKey: "k" });
  await it.reserveCredits("alice", 3, 60, { idempotencyKey: "r", releaseOnDisconnect: true });
  await it.commitReservation("r1", { amount: 2 });
  await it.releaseReservation("r1");
  await it.reconcile("alice");
  await it.testNotification({ timeoutSeconds: 5 });
  await it.signOffer("alice", "p", "o", { applicationUsername: "" });
  await it.signIntroductoryOffer("alice", "p", false, { transactionId: "1" });
  const report = { deliveryStatus: "DELIVERED", sampleContentProvided: false };
  await it.sendConsumption("1", { customerConsented: true, ...report });
  await it.extendRenewal("1", 7, 0, { requestIdentifier: "r" });
  await it.reverseCredits("alice", "k", { idempotencyKey: "b" });
  await it.mergeAccounts("guest", "alice", { idempotencyKey: "m" });
  await it.can("alice", "export", { cost: 2 });
  await it.verifyPurchase("alice", null, { purchaseToken: "t" });
  await it.restorePurchases("alice", null, { purchaseTokens: ["t"] });
  await it.registerAccount("alice", { signedAppTransaction: "a.b.c" });
  await it.status("alice", { at: "2026-01-01T00:00:00.000Z", minSeq: 4 });
  await it.explain("alice", { minSeq: 4 });
  await it.adjustCredits("alice", -5, { idempotencyKey: "a" });
  await it.eraseUser("alice");
  await it.exportUser("alice", { cursor: "c" });
  await it.dump({ table: "accounts", limit: 7 });
  await it.get("accounts", { base64: "AA" });
  await it.load([{ table: "accounts" }]);
  await it.backup("/b");
  await it.stats();
  await it.setLogLevel("debug");
  await it.previewCatalog("plans: {}", { limit: 3 });
  await it.outboxes();
  await it.retryOutbox("crm", { everything: true });
  await it.skipOutbox("crm", "i");
  await it.testOutbox("crm");
  await it.movePurchase("7", "bob", "asked");
  await it.grantCredits("alice", 5, { idempotencyKey: "g", reason: "gift" });
  await it.signOffer("alice", "p", "o", { minSeq: 4 });
  await it.signIntroductoryOffer("alice", "p", undefined, { minSeq: 4 });
  await it.signIntroductoryOffer("alice", "p");
  await it.dump({ minSeq: 4 });
  await it.get("accounts", "alice", { minSeq: 4 });
  await it.stats({ minSeq: 4 });
  await it.exportUser("alice", { minSeq: 4 });
  assert.deepEqual(await it.outboxes({ minSeq: 4 }), []);
  assert.deepEqual(await it.history("alice", { afterSeq: 7 }), []);
  assert.deepEqual(await it.subscriptions("alice"), []);
  assert.equal(fake.connections, 1);
  assert.deepEqual(fake.requests, [
    ["canRender", { userId: "alice", cost: 2 }],
    ["getEntitlement", { userId: "alice" }],
    ["getManagementURL", { userId: "alice", platform: "ios" }],
    ["getStatus", { userId: "alice" }],
    ["ping", {}],
    ["version", {}],
    ["registerAccount", { userId: "alice" }],
    ["verifyPurchase", { userId: "alice", signedTransaction: "a.b.c", productId: "p" }],
    ["grantEntitlement", { userId: "alice", plan: "premium", idempotencyKey: "k", reason: "gift" }],
    ["revokeGrant", { userId: "alice", grant: "g" }],
    ["getCredits", { userId: "alice" }],
    ["restorePurchases", { userId: "alice", signedTransactions: ["a.b.c"] }],
    ["verifyReceipt", { userId: "alice", receiptData: "AAAA" }],
    ["consumeCredit", { userId: "alice", idempotencyKey: "k", amount: 2 }],
    [
      "reserveCredits",
      {
        userId: "alice",
        idempotencyKey: "r",
        amount: 3,
        ttlSeconds: 60,
        releaseOnDisconnect: true,
      },
    ],
    ["commitReservation", { reservation: "r1", amount: 2 }],
    ["releaseReservation", { reservation: "r1" }],
    ["reconcile", { userId: "alice" }],
    ["testNotification", { timeoutSeconds: 5 }],
    ["signOffer", { userId: "alice", productId: "p", offerId: "o", applicationUsername: "" }],
    [
      "signIntroductoryOffer",
      { userId: "alice", productId: "p", allowIntroductoryOffer: false, transactionId: "1" },
    ],
    ["sendConsumption", { transactionId: "1", customerConsented: true, ...report }],
    [
      "extendRenewal",
      { transactionId: "1", extendByDays: 7, extendReasonCode: 0, requestIdentifier: "r" },
    ],
    ["reverseCredits", { userId: "alice", idempotencyKey: "b", consumeKey: "k" }],
    ["mergeAccounts", { fromUserId: "guest", intoUserId: "alice", idempotencyKey: "m" }],
    ["can", { userId: "alice", feature: "export", cost: 2 }],
    ["verifyPurchase", { userId: "alice", purchaseToken: "t" }],
    ["restorePurchases", { userId: "alice", purchaseTokens: ["t"] }],
    ["registerAccount", { userId: "alice", signedAppTransaction: "a.b.c" }],
    ["getStatus", { userId: "alice", at: "2026-01-01T00:00:00.000Z", minSeq: 4 }],
    ["explain", { userId: "alice", minSeq: 4 }],
    ["adjustCredits", { idempotencyKey: "a", userId: "alice", amount: -5 }],
    ["eraseUser", { userId: "alice" }],
    ["exportUser", { userId: "alice", cursor: "c" }],
    ["dump", { table: "accounts", limit: 7 }],
    ["get", { table: "accounts", key: { base64: "AA" } }],
    ["load", { entries: [{ table: "accounts" }] }],
    ["backup", { path: "/b" }],
    ["stats", {}],
    ["setLogLevel", { level: "debug" }],
    ["previewCatalog", { catalog: "plans: {}", limit: 3 }],
    ["getOutboxes", {}],
    ["retryOutbox", { name: "crm", everything: true }],
    ["skipOutbox", { name: "crm", id: "i" }],
    ["testOutbox", { name: "crm" }],
    [
      "movePurchase",
      { store: "app_store", originalTransactionId: "7", toUserId: "bob", reason: "asked" },
    ],
    ["grantCredits", { userId: "alice", amount: 5, idempotencyKey: "g", reason: "gift" }],
    ["signOffer", { userId: "alice", productId: "p", offerId: "o", minSeq: 4 }],
    ["signIntroductoryOffer", { userId: "alice", productId: "p", allowIntroductoryOffer: true, minSeq: 4 }],
    ["signIntroductoryOffer", { userId: "alice", productId: "p", allowIntroductoryOffer: true }],
    ["dump", { minSeq: 4 }],
    ["get", { table: "accounts", key: "alice", minSeq: 4 }],
    ["stats", { minSeq: 4 }],
    ["exportUser", { userId: "alice", minSeq: 4 }],
    ["getOutboxes", { minSeq: 4 }],
    ["getHistory", { userId: "alice", afterSeq: 7 }],
    ["getSubscriptions", { userId: "alice" }],
  ]);
});

test("an error object is thrown and the connection goes on", async (t) => {
  const data = { code: "overloaded", retryable: true, retryAfterMs: 100 };
  const error = { code: -32029, message: "too much", data };
  const fake = await daemon(t, (method) => (method === "getStatus" ? { error } : { result: {} }));
  const it = client(t, fake);
  await assert.rejects(it.status("alice"), (thrown) => {
    assert(thrown instanceof EntitldError && !(thrown instanceof Unavailable));
    const { code, name, message, retryable } = thrown;
    assert.deepEqual([code, name, message, retryable], [-32029, "overloaded", "too much", true]);
    assert.equal(thrown.data.retryAfterMs, 100);
    return true;
  });
  await it.ping();
  assert.equal(fake.connections, 1);
});

const wrong = {
  "an amount that is no option": (it) => it.consumeCredit("alice", 2),
  "an option that is misspelt": (it) => it.consumeCredit("alice", { ammount: 2 }),
  "an amount that is no number": (it) => it.consumeCredit("alice", { amount: "2" }),
  "an amount that is null": (it) => it.consumeCredit("alice", { amount: null }),
  "half a credit": (it) => it.consumeCredit("alice", { amount: 1.5 }),
  "no credits": (it) => it.consumeCredit("alice", { amount: 0 }),
  "an empty key": (it) => it.consumeCredit("alice", { idempotencyKey: "" }),
  "no user": (it) => it.canRender(),
  "a user that is a number": (it) => it.canRender(815),
  "a cost that is not a number": (it) => it.canRender("alice", { cost: NaN }),
  "a deadline in words": (it) => it.status("alice", { timeoutMs: "1 s" }),
  "a deadline that is over": (it) => it.status("alice", { timeoutMs: 0 }),
  "a deadline that no timer takes": (it) => it.status("alice", { timeoutMs: 2 ** 31 }),
  "a controller in place of its signal": (it) => it.ping({ signal: new AbortController() }),
  "a hold without an end": (it) => it.reserveCredits("alice", 1, { ttlSeconds: 60 }),
  "a flag in words": (it) => it.reserveCredits("alice", 1, 60, { releaseOnDisconnect: "no" }),
  "a transaction in place of a list": (it) => it.restorePurchases("alice", "a.b.c"),
  "no transaction": (it) => it.verifyPurchase("alice", undefined, { productId: "p" }),
  "options among the claims": (it) => it.verifyPurchase("alice", "a.b.c", { timeoutMs: 5 }),
  "a date that is none": (it) => it.grantEntitlement("a", "p", { expiresAt: new Date(NaN) }),
  "credits in words": (it) => it.grantCredits("alice", "5"),
  "no grant": (it) => it.revokeGrant("alice"),
  "no reservation": (it) => it.commitReservation(undefined),
  "parameters without names": (it) => it.write("consumeCredit", ["alice"]),
  "a method that is no text": (it) => it.read(undefined, {}),
};

for (const [what, call] of Object.entries(wrong)) {
  test(`${what} is a TypeError, and nothing is sent`, async (t) => {
    const fake = await daemon(t, () => ({ result: {} }));
    const it = client(t, fake);
    await assert.rejects(call(it), TypeError);
    await it.ping();
    assert.deepEqual(fake.requests, [["ping", {}]]);
  });
}

test("an error names the key of its call", async (t) => {
  const error = { code: -32020, message: "no", data: { code: "verification_failed" } };
  const fake = await daemon(t, (method) => (method === "reserveCredits" ? undefined : { error }));
  const it = client(t, fake);
  const failure = (call) => call.then(assert.fail, (thrown) => thrown);
  const key = async (call) => (await failure(call)).idempotencyKey;
  assert.equal(await key(it.consumeCredit("alice", { idempotencyKey: "mine" })), "mine");
  assert.equal(await key(it.write("consumeCredit", { idempotencyKey: "mine" })), "mine");
  assert.equal(await key(it.consumeCredit("\ud83d", { idempotencyKey: "mine" })), "mine");
  const made = [it.consumeCredit("a"), it.grantCredits("a", 1), it.adjustCredits("a", 1)];
  made.push(it.reserveCredits("a", 1, 60, { timeoutMs: 300 }), it.reserveCredits("b", 1, 60, { timeoutMs: 300 }));
  const keys = await Promise.all(made.map(key));
  assert.deepEqual(keys, fake.requests.slice(2).map(([, params]) => params.idempotencyKey));
  assert.equal(new Set(keys).size, made.length);
  for (const call of [it.status("alice"), it.revokeGrant("alice", "g")]) {
    const thrown = await failure(call);
    assert(thrown instanceof EntitldError);
    assert.equal(thrown.idempotencyKey, undefined);
  }
});

test("calls that fail together name each its own key", async (t) => {
  const fake = await daemon(t, () => null);
  const it = client(t, fake);
  const lost = (idempotencyKey) => {
    const params = { userId: "alice", idempotencyKey };
    return it.write("consumeCredit", params, { repeatable: false }).catch((thrown) => thrown);
  };
  const failures = await Promise.all(["a", "b", "c"].map(lost));
  assert.deepEqual(failures.map((failure) => failure.idempotencyKey), ["a", "b", "c"]);
  assert(failures.every((failure) => failure instanceof UnknownOutcome && failure.name === "connection_lost"));
  // What the caller's signal says is not touched.
  const signal = AbortSignal.abort(failures[0]);
  const aborted = it.consumeCredit("alice", { idempotencyKey: "d", signal });
  assert.equal(await aborted.catch((thrown) => thrown), failures[0]);
  assert.equal(failures[0].idempotencyKey, "a");
});

test("a client with an option that there is not is not made", () => {
  assert.throws(() => new Client("/run/entitld/entitld.sock"), TypeError);
  assert.throws(() => new Client({ socket: "/run/entitld/entitld.sock" }), TypeError);
  assert.throws(() => new Client({ timeoutMs: "250" }), TypeError);
});

test("a date is sent as the daemon writes dates", async (t) => {
  const fake = await daemon(t, () => ({ result: {} }));
  const expiresAt = new Date(Date.UTC(2027, 0, 1));
  await client(t, fake).grantEntitlement("alice", "paid", { idempotencyKey: "k", expiresAt });
  assert.equal(fake.requests[0][1].expiresAt, "2027-01-01T00:00:00.000Z");
});

test("what the store may be asked for gets the time that a store needs", async (t) => {
  const fake = await daemon(t, (_, __, ___, reply) => {
    setTimeout(reply, 300, { result: { events: [] } });
  });
  const short = { timeoutMs: 30, writeTimeoutMs: 100 };
  const it = client(t, fake, { ...short, storeTimeoutMs: 10_000 });
  await Promise.all([
    it.verifyPurchase("alice", null, { transactionId: "1" }),
    it.verifyPurchase("alice", "a.b.c"),
    it.restorePurchases("alice", ["a.b.c"]),
    it.verifyReceipt("alice", "AAAA"),
    it.reconcile("alice"),
    it.testNotification(),
    it.extendRenewal("1", 7, 0),
    it.signOffer("alice", "p", "o"),
    it.write("reconcile", { userId: "alice" }),
    it.managementURL("alice"),
    it.testOutbox("crm"),
    it.previewCatalog("plans: {}"),
    it.load([]),
    it.backup("/b"),
    assert.rejects(it.consumeCredit("alice"), { name: "timed_out" }),
    assert.rejects(it.status("alice"), { name: "timed_out" }),
  ]);
  const past = client(t, fake, { timeoutMs: 30, writeTimeoutMs: 10_000 });
  await past.history("alice");
  await past.read("getStatus", { userId: "alice", at: "2027-01-01T00:00:00.000Z" });
  await past.dump();
  await past.exportUser("alice");
});

test("a backup has an hour", () => {
  const timeouts = { read: 250, write: 2000, store: 30_000 };
  assert.equal(usualMs("backup", {}, 2000, timeouts), 3_600_000);
  assert.equal(usualMs("testNotification", {}, 2000, timeouts), 90_000);
});

test("the types name every call and every error", () => {
  const types = readFileSync(`${__dirname}/index.d.ts`, "utf8");
  const inClient = types.slice(types.indexOf("export class Client {"));
  const typed = [...inClient.matchAll(/^ {2}(\w+)[(<]/gm)].map((match) => match[1]);
  const made = Object.getOwnPropertyNames(Client.prototype);
  assert.deepEqual([...new Set(typed)].sort(), made.sort());
  const classes = [...types.matchAll(/^export class (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(classes.sort(), Object.keys(library).sort());
});

test("the package brings every file that the client needs", () => {
  const { files } = JSON.parse(readFileSync(`${__dirname}/package.json`, "utf8"));
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    for (const [, needed] of readFileSync(`${__dirname}/${file}`, "utf8").matchAll(/require\("\.\/([^"]+)"\)/g)) {
      assert(files.includes(needed), `${file} needs ${needed}`);
    }
  }
});

test("import and require give the same client", async () => {
  assert.equal((await import("./index.mjs")).Client, Client);
});
