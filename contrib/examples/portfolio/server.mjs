// A portfolio app: old receipts from iOS, Stripe on the web, and two systems that the outbox keeps: the
// document store, whose stocks are trimmed when a plan ends, and the user directory.

import { Client, EntitldError } from "../../clients/node/index.mjs";
import { Refusal, forward, meaningOf, outboxPost, serve, userOf } from "../serve.mjs";

const entitlements = new Client();

/** What the catalog's free plan has; accounts that are not known yet have no limits that say it. */
const FREE_STOCKS = 3;
/** The product's words for who takes the money; access by other means, a grant for example, is `null`. */
const METHODS = ["stripe", "app_store_subscription"];

/** Stand-ins for your document store and your user directory, by user. */
const portfolios = new Map();
const directory = new Map();
/** The newest position of the journal that each user's systems have seen. */
const positions = new Map();
/** Stripe's customer of each subscription: its events name it, and the daemon does not keep it. */
const customers = new Map();

const portfolioOf = (user) => portfolios.get(user) ?? { stocks: [] };

/** The newest period after which Apple gave a grace period, as far as this status or the portfolio knows. */
function graceOf({ userId, subscription }) {
  return subscription?.gracePeriodExpiresAt ? subscription.transactionId : portfolioOf(userId).graceOf;
}

/**
 * A status in the product's words. The catalog's `billingRetryAccess` keeps a plan while Apple retries the
 * card, but for this product the end of a grace period ends it. Once Apple has said that the grace period is
 * over, a status names none any more; that is why the portfolio remembers it.
 */
function wordsOf(status) {
  const { subscription, limits, tier, subscriptionMethod: method } = status;
  const isGraceOver = subscription?.status === "billing_retry" && graceOf(status) === subscription.transactionId;
  if (tier === "free" || isGraceOver) return { tier: "free", subscriptionMethod: null, stocksMax: FREE_STOCKS };
  return { tier, subscriptionMethod: METHODS.includes(method) ? method : null, stocksMax: limits.stocks ?? Infinity };
}

/** The fields that the store keeps beside a portfolio. */
function fieldsOf({ subscription }) {
  if (subscription?.store === "stripe") return { stripeSubscriptionId: subscription.originalTransactionId };
  if (subscription?.store !== "app_store") return {};
  return {
    appleOriginalTransactionId: subscription.originalTransactionId,
    appleProductId: subscription.productId,
    appleEnvironment: subscription.environment,
    appleExpiresDate: subscription.expiresAt,
    appleAutoRenewStatus: subscription.autoRenew,
  };
}

/**
 * Brings both systems to a status. Posts come in order for a user and at least once: what is older is
 * passed over, but for a state that is told again, as after a restore; doing it twice changes nothing.
 */
function follow({ status, cause }) {
  if (status === undefined) return; // a message of another type
  const { userId, seq } = status;
  const portfolio = portfolioOf(userId);
  if (cause === "erased") {
    customers.delete(portfolio.stripeSubscriptionId);
    for (const kept of [portfolios, directory, positions]) kept.delete(userId);
    return;
  }
  if (cause !== "reconciled" && seq < (positions.get(userId) ?? 0)) return;
  positions.set(userId, seq);
  const { stocksMax, ...publicMetadata } = wordsOf(status);
  const stocks = portfolio.stocks.slice(0, stocksMax);
  portfolios.set(userId, { ...portfolio, ...fieldsOf(status), graceOf: graceOf(status), stocks });
  directory.set(userId, { publicMetadata });
}

/** Passes an event of Stripe on. Once the daemon finds it genuine, the customer that it names is kept. */
async function stripeEvent(request) {
  const reply = await forward(request, "/api/webhooks/stripe");
  const { object, id, customer } = request.body.data?.object ?? {};
  if (reply.status === 200 && object === "subscription") customers.set(id, customer);
  return reply;
}

/** What the store has of a user. The event with the customer may come before the outbox's post, or after it. */
function documentOf(user) {
  const portfolio = portfolioOf(user);
  return { ...portfolio, stripeCustomerId: customers.get(portfolio.stripeSubscriptionId) };
}

async function validateReceipt(request) {
  const user = userOf(request);
  const { receiptData, productId } = request.body;
  try {
    const { status, ...said } = await entitlements.verifyReceipt(user, receiptData, { productId });
    const { tier } = wordsOf(status);
    const isOver = said.isValid && tier === "free"; // the daemon's access while the card is retried
    const { isValid, message } = isOver ? { isValid: false, message: "The grace period is over" } : said;
    return { isValid, tier, message, expiresAt: said.expiresAt ?? undefined };
  } catch (error) {
    // What does not verify is an answer here, and no failure.
    const words = { verification_failed: "The receipt is not valid", claim_mismatch: "The receipt is for another product" };
    if (!(error instanceof EntitldError) || words[error.name] === undefined) throw error;
    return { isValid: false, tier: wordsOf(await entitlements.status(user)).tier, message: words[error.name] };
  }
}

async function portfolio(request) {
  const status = await entitlements.status(userOf(request));
  return { ...wordsOf(status), stocks: portfolioOf(status.userId).stocks };
}

async function setStocks(request) {
  const status = await entitlements.status(userOf(request));
  const { stocks } = request.body;
  if (!Array.isArray(stocks) || stocks.some((one) => typeof one !== "string")) {
    throw new Refusal(400, { error: "stocks is no list of names" });
  }
  const { stocksMax } = wordsOf(status);
  if (stocks.length > stocksMax) throw new Refusal(402, { error: "upgrade_required", stocksMax });
  portfolios.set(status.userId, { ...portfolioOf(status.userId), stocks });
  return { stocks };
}

/** "Manage subscription" on the web: Stripe's portal, and nothing for who pays through the App Store. */
async function manage(request) {
  const user = userOf(request);
  const { subscriptionMethod } = await entitlements.status(user);
  if (subscriptionMethod !== "stripe") throw new Refusal(404, { error: "not_managed_here" });
  return { url: await entitlements.managementURL(user, { platform: "web", timeoutMs: 10_000 }) };
}

serve(
  {
    "POST /api/subscriptions/validate-ios-receipt": validateReceipt,
    "GET /api/portfolio": portfolio,
    "PUT /api/portfolio": setStocks,
    "GET /api/subscriptions/manage": manage,
    "GET /api/directory": (request) => directory.get(userOf(request)) ?? { publicMetadata: {} },
    "GET /api/document": (request) => documentOf(userOf(request)),
    "POST /api/webhooks/apple": (request) => forward(request, "/api/webhooks/apple"),
    "POST /api/webhooks/stripe": stripeEvent,
    "POST /api/entitlements": (request) => {
      follow(outboxPost(request) ?? {});
      return {};
    },
  },
  (error) => {
    const said = meaningOf(error);
    return said && { status: said.status, body: { error: said.word } };
  },
);
