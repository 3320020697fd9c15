// A virtual try-on's server: tRPC over HTTP, as its Expo app speaks it. A render costs a credit, unless
// the plan has unlimited renders.

import { Client, EntitldError, Unavailable } from "../../clients/node/index.mjs";
import { Refusal, forward, serve, userOf } from "../serve.mjs";

const entitlements = new Client();

/** tRPC's names for errors: its number, and the HTTP status (https://trpc.io/docs/rpc). */
const WORDS = {
  BAD_REQUEST: [-32600, 400],
  UNAUTHORIZED: [-32001, 401],
  PAYMENT_REQUIRED: [-32002, 402],
  NOT_FOUND: [-32004, 404],
  CONFLICT: [-32009, 409],
  INTERNAL_SERVER_ERROR: [-32603, 500],
  SERVICE_UNAVAILABLE: [-32603, 503],
};
/** What the paywall's button says. */
const BUTTONS = { resubscribe: "Resubscribe", start_trial: "Start free trial", subscribe: "Subscribe" };

class TRPCError extends Error {
  constructor(word, message, data = {}) {
    super(message);
    Object.assign(this, { word, data });
  }
}

const answer = (data) => ({ result: { data } });

/** `subscription.getStatus`: all that the app shows. */
async function getStatus(user) {
  const status = await entitlements.status(user);
  return {
    state: status.state,
    canRender: status.canRender,
    isSubscriber: status.isSubscriber,
    creditsRemaining: status.creditsRemaining,
    hadSubscription: status.hadSubscription,
    paywall: status.paywall === "none" ? null : BUTTONS[status.paywall],
    expiresAt: status.expiresAt,
    nextChangeAt: status.nextChangeAt,
  };
}

/** What was rendered, by user and `renderId`. Yours is in your store of images. */
const rendered = new Map();

/**
 * `render.create`: spends a credit first, so that two renders at once never share the last one. The key
 * is the app's name for this render: a request that comes twice is charged once, and gets the same image.
 */
async function render(user, { renderId, garment }) {
  for (const [name, value] of Object.entries({ renderId, garment: garment ?? "shirt" })) {
    if (typeof value !== "string" || value === "") throw new TRPCError("BAD_REQUEST", `${name} is no text`);
  }
  const place = JSON.stringify([user, renderId]);
  const charge = await entitlements.consumeCredit(user, { idempotencyKey: `render:${renderId}` });
  if (charge.outcome === "insufficient") {
    const { paywall } = await entitlements.status(user);
    throw new TRPCError("PAYMENT_REQUIRED", BUTTONS[paywall] ?? BUTTONS.subscribe, { paywall });
  }
  const { creditsRemaining } = charge;
  if (rendered.has(place)) return { image: rendered.get(place), creditsRemaining };
  // Paid for, and no image: the first attempt has failed, and the credit was given back.
  if (charge.replayed) throw new TRPCError("CONFLICT", "This render has failed: begin another one");
  try {
    rendered.set(place, draw(garment ?? "shirt"));
    return { image: rendered.get(place), creditsRemaining };
  } catch (error) {
    // Nothing was rendered: whoever paid for it has the credit back.
    if (charge.outcome === "consumed") {
      await entitlements.reverseCredits(user, `render:${renderId}`, { idempotencyKey: `failed:${renderId}` });
    }
    throw new TRPCError("INTERNAL_SERVER_ERROR", error.message);
  }
}

function draw(garment) {
  if (garment === "torn") throw new Error("the render failed");
  return `https://images.example.com/${encodeURIComponent(garment)}.png`;
}

serve(
  {
    "POST /trpc/account.begin": async (request) => answer(await entitlements.registerAccount(userOf(request))),
    "GET /trpc/subscription.getStatus": async (request) => answer(await getStatus(userOf(request))),
    "POST /trpc/render.create": async (request) => answer(await render(userOf(request), request.body)),
    "POST /trpc/subscription.verify": async (request) => {
      const user = userOf(request);
      await entitlements.verifyPurchase(user, request.body.signedTransaction);
      return answer(await getStatus(user));
    },
    // Apple's messages come to this server, which stands behind the proxy; the daemon judges them.
    "POST /webhooks/apple": (request) => forward(request, "/webhooks/apple"),
  },
  (error, { path }) => {
    if (!path.startsWith("/trpc/")) return undefined;
    const { word, data = {} } = error instanceof TRPCError ? error : { word: wordFor(error) };
    const [code, httpStatus] = WORDS[word];
    const message = word === "SERVICE_UNAVAILABLE" ? "Try again in a moment" : error.message;
    return {
      status: httpStatus,
      body: { error: { message, code, data: { code: word, httpStatus, path: path.replace("/trpc/", ""), ...data } } },
    };
  },
);

/** The table of README.md: what an error of the daemon is in tRPC's words. */
function wordFor(error) {
  if (error instanceof Refusal) return { 401: "UNAUTHORIZED", 404: "NOT_FOUND", 503: "SERVICE_UNAVAILABLE" }[error.status] ?? "BAD_REQUEST";
  if (error instanceof TypeError) return "BAD_REQUEST"; // the client refused an argument
  if (error instanceof Unavailable) return "SERVICE_UNAVAILABLE";
  if (!(error instanceof EntitldError)) return "INTERNAL_SERVER_ERROR";
  if (error.retryable) return "SERVICE_UNAVAILABLE";
  const words = {
    invalid_params: "BAD_REQUEST",
    malformed_request: "BAD_REQUEST",
    request_too_large: "BAD_REQUEST",
    verification_failed: "BAD_REQUEST",
    claim_mismatch: "BAD_REQUEST",
    ownership_conflict: "CONFLICT",
    idempotency_mismatch: "CONFLICT",
    not_found: "NOT_FOUND",
  };
  return words[error.name] ?? "INTERNAL_SERVER_ERROR";
}
