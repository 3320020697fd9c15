// A virtual try-on's server: tRPC over HTTP, as its Expo app speaks it. A render costs a credit, unless
// the plan has unlimited renders.

import { Client } from "../../clients/node/index.mjs";
import { Refusal, forward, meaningOf, serve, userOf } from "../serve.mjs";

const entitlements = new Client();

/** tRPC's names for errors: its number, and the HTTP status (https://trpc.io/docs/rpc). */
const WORDS = {
  BAD_REQUEST: [-32600, 400],
  UNAUTHORIZED: [-32001, 401],
  PAYMENT_REQUIRED: [-32002, 402],
  NOT_FOUND: [-32004, 404],
  CONFLICT: [-32009, 409],
  PAYLOAD_TOO_LARGE: [-32013, 413],
  INTERNAL_SERVER_ERROR: [-32603, 500],
  SERVICE_UNAVAILABLE: [-32603, 503],
};
/** The app's words for states; a trial counts as subscribed, and who is unknown has no credits. */
const STATES = { trial: "subscribed", no_account: "free_no_credits" };
/** What the paywall's button says. */
const BUTTONS = { resubscribe: "Resubscribe", start_trial: "Start free trial", subscribe: "Subscribe" };

class TRPCError extends Error {
  constructor(word, message, data = {}) {
    super(message);
    Object.assign(this, { word, data });
  }
}

/** `subscription.getStatus`: all that the app shows. */
async function getStatus(user) {
  const status = await entitlements.status(user);
  return {
    state: STATES[status.state] ?? status.state,
    canRender: status.canRender,
    isSubscriber: status.isSubscriber,
    creditsRemaining: status.creditsRemaining,
    hadSubscription: status.hadSubscription,
    paywall: status.paywall === "none" ? null : BUTTONS[status.paywall],
    expiresAt: status.expiresAt,
    nextChangeAt: status.nextChangeAt,
  };
}

/** For how long a credit is held, and so how long drawing may take. */
const DRAWING_SECONDS_MAX = 60;
/** What is drawn or being drawn, by user and `renderId`. Yours is in your store of images. */
const drawings = new Map();

/**
 * `render.create`: holds a credit, draws, and spends what is held. A credit cannot get lost: where this
 * server dies in between, or cannot give it back, the hold ends by itself.
 *
 * The key is the app's name for this render: one that comes twice has one hold, and gets the same image.
 */
async function render(user, input) {
  const { renderId, garment } = { ...input, garment: input.garment ?? "shirt" };
  for (const [name, value] of Object.entries({ renderId, garment })) {
    if (typeof value !== "string" || value === "") throw new TRPCError("BAD_REQUEST", `${name} is no text`);
  }
  const key = { idempotencyKey: `render:${renderId}` };
  const hold = await entitlements.reserveCredits(user, 1, DRAWING_SECONDS_MAX, key);
  if (hold.outcome === "insufficient") {
    const { paywall } = await entitlements.status(user);
    throw new TRPCError("PAYMENT_REQUIRED", BUTTONS[paywall] ?? BUTTONS.subscribe, { paywall });
  }
  const place = JSON.stringify([user, renderId]);
  if (!drawings.has(place)) drawings.set(place, draw(garment));
  let image;
  try {
    image = await drawings.get(place);
  } catch (error) {
    // Where the credit cannot be given back now, it comes back when the hold ends.
    if (hold.reservation) await entitlements.releaseReservation(hold.reservation).catch(console.error);
    throw new TRPCError("INTERNAL_SERVER_ERROR", `${error.message}: begin another one`);
  }
  if (hold.outcome === "unlimited") return { image, creditsRemaining: hold.creditsRemaining };
  // Nobody has the image before it is paid for.
  const { outcome, creditsRemaining } = await entitlements.commitReservation(hold.reservation);
  if (outcome !== "committed") throw new TRPCError("CONFLICT", `The credit's hold is ${outcome}: begin another render`);
  return { image, creditsRemaining };
}

async function draw(garment) {
  if (garment === "torn") throw new Error("The render failed");
  return `https://images.example.com/${encodeURIComponent(garment)}.png`;
}

const QUERIES = { "subscription.getStatus": getStatus };
const MUTATIONS = {
  "account.begin": (user) => entitlements.registerAccount(user),
  "render.create": render,
  "subscription.verify": async (user, { signedTransaction }) => {
    await entitlements.verifyPurchase(user, signedTransaction);
    return getStatus(user);
  },
};

/** tRPC over HTTP: one procedure; or, of the batch link, several, whose inputs and answers are side by side. */
async function answer(request, procedures, inputs) {
  const path = request.path.replace("/trpc/", "");
  const call = async (name, input) => {
    try {
      if (!Object.hasOwn(procedures, name)) throw new TRPCError("NOT_FOUND", `No procedure ${name}`);
      return { status: 200, body: { result: { data: await procedures[name](userOf(request), input ?? {}) } } };
    } catch (error) {
      return failure(error, name);
    }
  };
  if (request.query.get("batch") !== "1") return call(path, inputs);
  const answers = await Promise.all(path.split(",").map((name, place) => call(name, inputs[place])));
  const statuses = new Set(answers.map(({ status }) => status));
  return { status: statuses.size === 1 ? answers[0].status : 207, body: answers.map(({ body }) => body) };
}

function failure(error, path) {
  const { word, data = {} } = error instanceof TRPCError ? error : { word: wordFor(error) };
  if (word === "INTERNAL_SERVER_ERROR") console.error(error);
  const [code, httpStatus] = WORDS[word];
  const message = word === "SERVICE_UNAVAILABLE" ? "Try again in a moment" : error.message;
  return { status: httpStatus, body: { error: { message, code, data: { code: word, httpStatus, path, ...data } } } };
}

serve(
  {
    "GET /trpc/*": (request) => answer(request, QUERIES, inputOf(request)),
    "POST /trpc/*": (request) => answer(request, MUTATIONS, request.body),
    // Apple's messages come to this server, which stands behind the proxy; the daemon judges them.
    "POST /webhooks/apple": (request) => forward(request, "/webhooks/apple"),
  },
  (error, { path }) => (path.startsWith("/trpc/") ? failure(error, path.replace("/trpc/", "")) : undefined),
);

/** A query's input, which is JSON in the address. */
function inputOf({ query }) {
  try {
    return Object(JSON.parse(query.get("input") ?? "{}"));
  } catch {
    throw new TRPCError("BAD_REQUEST", "input is no JSON");
  }
}

/** The table of README.md: the word for an error is that of its HTTP status. */
function wordFor(error) {
  const { status } = error instanceof Refusal ? error : (meaningOf(error) ?? {});
  return Object.keys(WORDS).find((word) => WORDS[word][1] === status) ?? "INTERNAL_SERVER_ERROR";
}
