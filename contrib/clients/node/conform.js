// Runs the cases of proto/vectors/conformance through this client: `node conform.js VECTORS`.
//
// What the environment says is in Tests/Conformance/run.py, which starts the daemon.
"use strict";

const { readdirSync, readFileSync } = require("node:fs");
const { inspect } = require("node:util");

const { Client, EntitldError, Unavailable, UnknownOutcome } = require("./index.js");

const MS = 30_000;
const KINDS = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === "boolean",
  time: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  null: (value) => value === null,
  list: (value) => Array.isArray(value),
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
};
const READS = new Set(
  "canRender can getStatus getEntitlement getSubscriptions getCredits getManagementURL getHistory explain ping version find dump get stats exportUser getOutboxes".split(" "),
);

/** The client's own call for a method: its name, what stands in front of the options, what it returns a member of. */
const OWN = {
  canRender: ["canRender", ["userId"]],
  can: ["can", ["userId", "feature"]],
  find: ["find", ["text"], "matches"],
  getStatus: ["status", ["userId"]],
  getEntitlement: ["entitlement", ["userId"], "entitlement"],
  getSubscriptions: ["subscriptions", ["userId"], "subscriptions"],
  getManagementURL: ["managementURL", ["userId"], "url"],
  getCredits: ["credits", ["userId"]],
  getHistory: ["history", ["userId"], "events"],
  version: ["version", []],
  explain: ["explain", ["userId"]],
  stats: ["stats", []],
  dump: ["dump", []],
  get: ["get", ["table", "key"], "value"],
  eraseUser: ["eraseUser", ["userId"]],
  exportUser: ["exportUser", ["userId"]],
  setLogLevel: ["setLogLevel", ["level"]],
  backup: ["backup", ["path"]],
  getOutboxes: ["outboxes", [], "outboxes"],
  registerAccount: ["registerAccount", ["userId"]],
  verifyPurchase: ["verifyPurchase", ["userId", "signedTransaction"]],
  restorePurchases: ["restorePurchases", ["userId", "signedTransactions"]],
  verifyReceipt: ["verifyReceipt", ["userId", "receiptData"]],
  consumeCredit: ["consumeCredit", ["userId"]],
  reserveCredits: ["reserveCredits", ["userId", "amount", "ttlSeconds"]],
  commitReservation: ["commitReservation", ["reservation"]],
  releaseReservation: ["releaseReservation", ["reservation"]],
  mergeAccounts: ["mergeAccounts", ["fromUserId", "intoUserId"]],
  reverseCredits: ["reverseCredits", ["userId", "consumeKey"]],
  grantCredits: ["grantCredits", ["userId", "amount"]],
  grantEntitlement: ["grantEntitlement", ["userId", "plan"]],
  revokeGrant: ["revokeGrant", ["userId", "grant"]],
  movePurchase: ["movePurchase", ["originalTransactionId", "toUserId", "reason"]],
  reconcile: ["reconcile", ["userId"]],
  signOffer: ["signOffer", ["userId", "productId", "offerId"]],
  signIntroductoryOffer: ["signIntroductoryOffer", ["userId", "productId", "allowIntroductoryOffer"]],
  sendConsumption: ["sendConsumption", ["transactionId"]],
  extendRenewal: ["extendRenewal", ["transactionId", "extendByDays", "extendReasonCode"]],
  testNotification: ["testNotification", []],
  load: ["load", ["entries"], "loaded"],
  previewCatalog: ["previewCatalog", ["catalog"]],
  retryOutbox: ["retryOutbox", ["name"]],
  skipOutbox: ["skipOutbox", ["name", "id"]],
  testOutbox: ["testOutbox", ["name"]],
};
/** What every repetition needs: without it the client makes one up, and no longer says what the case says. */
const KEYED = /^(consumeCredit|reserveCredits|mergeAccounts|reverseCredits|grantCredits|grantEntitlement)$/;
/** Parameters that the calls of these methods do not take: they go by name. */
const BY_NAME = new Set(["colour"]);

async function call(client, method, params) {
  const own = OWN[method];
  const isTyped =
    own !== undefined &&
    Object.keys(params).every((name) => !BY_NAME.has(name)) &&
    (!KEYED.test(method) || params.idempotencyKey !== undefined) &&
    (method !== "reconcile" || params.userId !== undefined); // that of everybody goes by name
  if (!isTyped) return READS.has(method) ? client.read(method, params) : client.write(method, params);
  const [name, first, member] = own;
  const { ...rest } = params;
  const given = first.map((one) => {
    const value = rest[one];
    delete rest[one];
    return value;
  });
  const result = await client[name](...given, rest);
  return member === undefined ? result : { [member]: result };
}

class Case {
  constructor(number, clients, documents) {
    Object.assign(this, { number, clients, documents, kept: {} });
  }

  filled(value) {
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.filled(one)]));
    }
    if (typeof value !== "string") return value;
    const whole = /^\$\{([^}]*)\}$/.exec(value);
    if (whole) return this.named(whole[1]);
    return value.replace(/\$\{([^}]*)\}/g, (_, name) => String(this.named(name)));
  }

  named(name) {
    if (!Object.hasOwn(this.kept, name)) {
      const [first, member] = name.split(".");
      if (first === "signed") this.kept[name] = this.documents[member].shift();
      else if (member !== undefined) return this.kept[first][member];
      else this.kept[name] = `${process.env.ENTITLD_CONFORM_PREFIX ?? ""}-${this.number}-${name}`;
    }
    return this.kept[name];
  }

  /** Why it failed, or null. */
  async run(steps) {
    for (const [index, step] of steps.entries()) {
      if ((step.transport ?? this.clients.transport) !== this.clients.transport) continue;
      const fault = await this.step(step);
      if (fault !== null) return `step ${index + 1}: ${fault}`;
    }
    return null;
  }

  async step(step) {
    const client = step.admin ? this.clients.admin : this.clients.app;
    let result;
    try {
      result = await call(client, step.call, this.filled(step.params ?? {}));
    } catch (error) {
      if (!(error instanceof EntitldError) && !(error instanceof TypeError)) throw error;
      const failure =
        error instanceof TypeError
          ? { code: -32602, name: "invalid_params", message: error.message, data: {} }
          : { code: error.code, name: error.name, message: error.message, data: error.data };
      if (step.error === undefined) return inspect(failure);
      return difference(failure, this.filled(typeof step.error === "string" ? { name: step.error } : step.error));
    }
    if (step.error !== undefined) return `no error but ${inspect(result)}`;
    for (const [name, member] of Object.entries(step.save ?? {})) this.kept[name] = result[member];
    return step.result === undefined ? null : difference(result ?? {}, this.filled(step.result));
  }
}

/** Where a value is not as wanted, or null. */
function difference(value, wanted) {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return `${inspect(value)} is no list of ${wanted.length}`;
    return value.map((one, index) => difference(one, wanted[index])).find((fault) => fault !== null) ?? null;
  }
  if (wanted !== null && typeof wanted === "object") {
    if (wanted.$is !== undefined) return KINDS[wanted.$is](value) ? null : `${inspect(value)} is no ${wanted.$is}`;
    if (!KINDS.object(value)) return `${inspect(value)} is no object`;
    for (const [name, one] of Object.entries(wanted)) {
      if (!Object.hasOwn(value, name)) return `no ${name} in ${inspect(value)}`;
      const fault = difference(value[name], one);
      if (fault !== null) return `${name}: ${fault}`;
    }
    return null;
  }
  return value === wanted ? null : `${inspect(value)}, not ${inspect(wanted)}`;
}

/** Asks and charges until the input ends; see Tests/Conformance/storm.py. */
async function storm(client) {
  const users = JSON.parse(process.env.ENTITLD_STORM_USERS);
  const names = Object.keys(users);
  const said = { answered: 0, unanswered: 0, crossed: 0, late: 0, consumed: 0, doubtful: 0, failed: 0, early: [], other: [] };
  const doubtful = []; // the keys of charges
  let [isOver, charges] = [false, 0];
  const charge = async (idempotencyKey, timeoutMs) => {
    const { outcome } = await client.consumeCredit("spender", { idempotencyKey, timeoutMs });
    if (outcome !== "consumed") throw new Error(`the charge was ${outcome}`);
  };
  process.on("unhandledRejection", (error) => said.other.push(`unhandled: ${inspect(error)}`));
  const work = async (isCharge) => {
    const timeoutMs = isCharge ? 2000 : 300;
    while (!isOver) {
      const begin = performance.now();
      const user = names[Math.floor(Math.random() * names.length)];
      const key = `${process.env.ENTITLD_CONFORM_PREFIX}-${++charges}`;
      try {
        if (isCharge) await charge(key, timeoutMs);
        else if ((await client.credits(user, { timeoutMs })).balance !== users[user]) said.crossed++;
        said[isCharge ? "consumed" : "answered"]++;
      } catch (error) {
        const spent = performance.now() - begin;
        if (spent < timeoutMs * 0.8) said.early.push(`after ${Math.round(spent)} ms: ${error.name ?? ""} ${error.message}`);
        // It may be the daemon's last word before the deadline that it starts or stops.
        const isPassing = error instanceof Unavailable || error.code === -32002 || error.code === -32003;
        if (!isPassing) said.other.push(inspect(error));
        else if (!isCharge) said.unanswered++;
        else if (error instanceof UnknownOutcome) {
          said.doubtful++;
          doubtful.push(key);
        } else said.failed++;
      }
      if (performance.now() - begin > timeoutMs + 250) said.late++;
    }
  };
  const workers = [true, ...Array(31).fill(false)].map(work);
  for await (const _ of process.stdin);
  isOver = true;
  await Promise.all(workers);
  for (const key of doubtful) {
    await charge(key, 10_000).catch((error) => said.other.push(`still doubtful: ${inspect(error)}`));
  }
  client.close();
  console.log(JSON.stringify(said));
}

async function main() {
  const { ENTITLD_URL: url, ENTITLD_TOKEN: token, ENTITLD_SOCKET: path, ENTITLD_ADMIN_SOCKET: admin } = process.env;
  if (process.argv[2] === "--storm") return storm(new Client(url === undefined ? { path } : { url, token }));
  const patient = { timeoutMs: MS, writeTimeoutMs: MS, storeTimeoutMs: MS };
  const clients = {
    app: new Client(url === undefined ? { path, ...patient } : { url, token, ...patient }),
    admin: new Client({ path: admin, ...patient }),
    transport: url === undefined ? "socket" : "https",
  };
  const documents = JSON.parse(readFileSync(process.env.ENTITLD_CONFORM_DOCUMENTS, "utf8"));
  const directory = process.argv[2];
  let [ran, failed] = [0, 0];
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".json")).sort()) {
    for (const { name, steps } of JSON.parse(readFileSync(`${directory}/${file}`, "utf8")).cases) {
      const fault = await new Case(++ran, clients, documents).run(steps);
      if (fault === null) continue;
      failed++;
      console.log(`FAIL ${file}: ${name}: ${fault}`);
    }
  }
  console.log(`${ran} cases, ${failed} failed`);
  for (const client of [clients.app, clients.admin]) client.close();
  process.exitCode = failed > 0 || ran === 0 ? 1 : 0;
}

main();
