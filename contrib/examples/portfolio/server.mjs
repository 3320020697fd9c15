// A portfolio app: old receipts from iOS, Stripe on the web, and two systems that the outbox keeps: the
// document store, whose stocks are trimmed when a plan ends, and the user directory.

import { Client, EntitldError } from "../../clients/node/index.mjs";
import { Refusal, forward, meaningOf, outboxPost, serve, userOf } from "../serve.mjs";

const entitlements = new Client();

/** Stand-ins for your document store and your user directory, by user. */
const portfolios = new Map();
const directory = new Map();
/** The newest position of the journal that each user's systems have seen. */
const positions = new Map();

const portfolioOf = (user) => portfolios.get(user) ?? { stocks: [] };
const methodOf = ({ tier, subscriptionMethod }) => (tier === "free" ? null : subscriptionMethod);

/** The fields that the store keeps beside a portfolio. */
function fieldsOf({ subscription }) {
  if (subscription === null) return {};
  if (subscription.store === "stripe") return { stripeSubscriptionId: subscription.originalTransactionId };
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
 * passed over, and doing it twice changes nothing.
 */
function follow({ status, cause }) {
  if (cause === "erased") {
    for (const kept of [portfolios, directory, positions]) kept.delete(status.userId);
    return;
  }
  if (status.seq < (positions.get(status.userId) ?? 0)) return;
  positions.set(status.userId, status.seq);
  const { tier, limits, userId } = status;
  const portfolio = portfolioOf(userId);
  const stocks = tier === "free" ? portfolio.stocks.slice(0, limits.stocks ?? 3) : portfolio.stocks;
  portfolios.set(userId, { ...portfolio, ...fieldsOf(status), stocks });
  directory.set(userId, { publicMetadata: { tier, subscriptionMethod: methodOf(status) } });
}

async function validateReceipt(request) {
  const user = userOf(request);
  const { receiptData, productId } = request.body;
  try {
    const { isValid, expiresAt, tier, message } = await entitlements.verifyReceipt(user, receiptData, { productId });
    return { isValid, tier, ...(expiresAt && { expiresAt }), ...(message && { message }) };
  } catch (error) {
    // What does not verify is an answer here, and no failure.
    const words = { verification_failed: "The receipt is not valid", claim_mismatch: "The receipt is for another product" };
    if (!(error instanceof EntitldError) || words[error.name] === undefined) throw error;
    return { isValid: false, tier: (await entitlements.status(user)).tier, message: words[error.name] };
  }
}

async function portfolio(request) {
  const status = await entitlements.status(userOf(request));
  const stocks = portfolioOf(status.userId).stocks;
  return { tier: status.tier, subscriptionMethod: methodOf(status), stocks, stocksMax: status.limits.stocks ?? 3 };
}

async function setStocks(request) {
  const status = await entitlements.status(userOf(request));
  const { stocks } = request.body;
  if (!Array.isArray(stocks) || stocks.some((one) => typeof one !== "string")) {
    throw new Refusal(400, { error: "stocks is no list of names" });
  }
  const max = status.limits.stocks ?? 3;
  if (stocks.length > max) throw new Refusal(402, { error: "upgrade_required", stocksMax: max });
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
    "POST /api/webhooks/apple": (request) => forward(request, "/api/webhooks/apple"),
    "POST /api/webhooks/stripe": (request) => forward(request, "/api/webhooks/stripe"),
    "POST /api/entitlements": (request) => {
      follow(outboxPost(request));
      return {};
    },
  },
  (error) => {
    const said = meaningOf(error);
    return said && { status: said.status, body: { error: said.word } };
  },
);
