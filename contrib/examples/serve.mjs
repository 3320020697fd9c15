// What the examples share: a small HTTP server, so that each of them shows its own interface and
// nothing else. Your framework takes its place.

import { createServer } from "node:http";
import { createHmac, timingSafeEqual } from "node:crypto";

import { EntitldError, Unavailable } from "../clients/node/index.mjs";

const BODY_BYTES_MAX = 4 << 20;
/** The proxies in front of this server, by address: what they say about a sender is believed. */
const PROXIES = (process.env.TRUSTED_PROXIES ?? "").split(",").filter(Boolean);

/** What an error of the daemon is over HTTP, where the error is the caller's. */
const STATUSES = {
  invalid_params: 400,
  malformed_request: 400,
  request_too_large: 413,
  verification_failed: 400,
  claim_mismatch: 400,
  ownership_conflict: 409,
  idempotency_mismatch: 409,
  not_found: 404,
};

/** The status and the word for an error of a call; undefined for one that nobody foresaw. */
export function meaningOf(error) {
  if (error instanceof TypeError) return { status: 400, word: "invalid_params" };
  if (error instanceof Unavailable || error.retryable) return { status: 503, word: "try_again" };
  if (!(error instanceof EntitldError)) return undefined;
  return { status: STATUSES[error.name] ?? 500, word: error.name };
}

/** Ends a request with this status and body. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `HTTP ${status}`);
    Object.assign(this, { status, body });
  }
}

/**
 * Serves `routes`: `"POST /path": async (request) => reply`; `"POST /path/*"` is for whatever comes last in
 * a path. A request has `body` (JSON), `raw`, `query` and `headers`; a reply is an object, or
 * `{ status, body }`. `refused` makes a reply of what was thrown.
 */
export function serve(routes, refused) {
  const server = createServer(async (incoming, response) => {
    const { method, headers, url } = incoming;
    const request = { method, headers, path: url, ip: addressOf(incoming.socket), body: {} };
    let reply;
    try {
      const [path, query] = url.split("?", 2);
      Object.assign(request, { path, query: new URLSearchParams(query) });
      const names = [path, path.replace(/[^/]*$/, "*")].map((one) => `${method} ${one}`);
      const name = names.find((one) => Object.hasOwn(routes, one));
      if (name === undefined) throw new Refusal(404, { error: "not_found" });
      request.raw = await read(incoming);
      request.body = parsed(request);
      reply = await routes[name](request);
    } catch (error) {
      const said = refused(error, request) ?? (error instanceof Refusal ? error : undefined);
      if (said === undefined) console.error(error);
      reply = { status: said?.status ?? 500, body: said?.body ?? { error: "internal_error" } };
    }
    const { status, body } = typeof reply.status === "number" ? reply : { status: 200, body: reply };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(Number(process.env.PORT), "127.0.0.1");
}

/** Whose session it is. Here the bearer token is the user's name; yours asks your own sessions. */
export function userOf(request) {
  const [, user] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (user === undefined) throw new Refusal(401, { error: "unauthorized" });
  return user;
}

/** Passes a store's message on to the daemon, byte for byte: it verifies it, and its answer is the store's. */
export async function forward(request, path) {
  const names = ["content-type", "authorization", "stripe-signature"];
  const headers = Object.fromEntries(names.filter((name) => request.headers[name]).map((name) => [name, request.headers[name]]));
  // Who sent it, for `allowedSources`: the daemon, which has this server among its `trustedProxies`, believes
  // the last hop. A sender that is no proxy of ours could name any address, so what it says is dropped.
  const said = PROXIES.includes(request.ip) ? request.headers["x-forwarded-for"] : undefined;
  headers["x-forwarded-for"] = said ?? request.ip;
  try {
    const answer = await fetch(process.env.ENTITLD_WEBHOOKS + path, { method: "POST", headers, body: request.raw });
    return { status: answer.status, body: await answer.json() };
  } catch {
    // The store sends it again.
    throw new Refusal(503, { error: "try_again" });
  }
}

/**
 * The change that the daemon's outbox posts, once its signature holds (https://www.standardwebhooks.com).
 * A message of another type, such as that of `entitlctl outbox test`, is no change: undefined.
 */
export function outboxPost(request) {
  const { "webhook-id": id = "", "webhook-timestamp": time = "0", "webhook-signature": signatures = "" } = request.headers;
  const key = Buffer.from(process.env.OUTBOX_SECRET.replace("whsec_", ""), "base64");
  const own = createHmac("sha256", key).update(`${id}.${time}.`).update(request.raw).digest();
  const isGenuine = signatures.split(" ").some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return given.length === own.length && timingSafeEqual(given, own);
  });
  const isFresh = Math.abs(Date.now() / 1000 - time) < 300;
  if (!isGenuine || !isFresh) throw new Refusal(401, { error: "unauthorized" });
  return request.body.type === "entitlement.changed" ? request.body.data : undefined;
}

/** Where the other end is; IPv4 as IPv4, also where the socket listens for both. */
function addressOf({ remoteAddress = "" }) {
  return remoteAddress.replace(/^::ffff:/, "");
}

async function read(incoming) {
  const chunks = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Refusal(413, { error: "too_large" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed({ raw }) {
  if (raw.length === 0) return {};
  try {
    const body = JSON.parse(raw);
    if (body !== null && typeof body === "object" && !Array.isArray(body)) return body;
  } catch {
    // Said below.
  }
  throw new Refusal(400, { error: "malformed" });
}
