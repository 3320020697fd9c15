// A task manager's billing: plans of organisations, bought on Apple and Google.

import { Client } from "../../clients/node/index.mjs";
import { Refusal, forward, meaningOf, serve, userOf } from "../serve.mjs";

const entitlements = new Client();
const BASE = "/api/billing";

/** A subscription belongs to an organisation: its id is the daemon's userId. */
const organisationOf = userOf;

/** How many bytes an organisation stores. Here nobody has any; yours asks your own storage. */
const stored = new Map();

/** What the app shows: the plan with its limits, and the subscription behind it. */
function shown(status) {
  const { subscription, limits } = status;
  const storage_used = stored.get(status.userId) ?? 0;
  const storage_limit = limits.storageBytes === undefined ? 262144000 : limits.storageBytes; // null: no limit
  return {
    plan: status.plan ?? "free",
    status: subscription?.status ?? "none",
    is_active: status.isSubscriber,
    platform: subscription === null ? null : { app_store: "apple", google_play: "google" }[subscription.store],
    product_id: subscription?.productId ?? null,
    pending_product_id: subscription?.pendingProductId ?? null,
    original_transaction_id: subscription?.originalTransactionId ?? null,
    current_period_end: status.expiresAt,
    auto_renew_status: subscription?.autoRenew ?? false,
    billing_retry_period: subscription?.status === "billing_retry",
    grace_period_expires_at: subscription?.gracePeriodExpiresAt ?? null,
    storage_limit,
    retention_days: limits.retentionDays === undefined ? 7 : limits.retentionDays, // null: for ever
    // After a downgrade files above the limit are shown, and nothing is deleted at once.
    storage_used,
    is_over_limit: storage_limit !== null && storage_used > storage_limit,
  };
}

const success = (status) => ({ success: true, subscription: shown(status) });

/** A receipt of the app is a signed transaction, a transaction's id, or an old receipt. */
async function verifyApple(organisation, { receipt, productId }) {
  if (typeof receipt !== "string" || receipt === "") throw new Refusal(400, failure("receipt is missing"));
  if (/^[0-9]+$/.test(receipt)) {
    return (await entitlements.verifyPurchase(organisation, null, { transactionId: receipt, productId })).status;
  }
  if (receipt.split(".").length === 3) {
    return (await entitlements.verifyPurchase(organisation, receipt, { productId })).status;
  }
  const answer = await entitlements.verifyReceipt(organisation, receipt, { productId });
  if (!answer.isValid) throw new Refusal(400, failure(answer.message ?? "the receipt gives no access"));
  return answer.status;
}

/** All that a device knows. Old receipts go one by one; a purchase of another organisation moves. */
async function restore(organisation, body) {
  const [transactions, purchaseTokens, receipts] = ["transactions", "purchaseTokens", "receipts"].map((name) => {
    const given = body[name] ?? [];
    if (!Array.isArray(given)) throw new Refusal(400, failure(`${name} is no list`));
    return given;
  });
  const results = [];
  if (transactions.length + purchaseTokens.length > 0) {
    const options = purchaseTokens.length > 0 ? { purchaseTokens } : {};
    const signed = transactions.length > 0 ? transactions : null;
    results.push(...(await entitlements.restorePurchases(organisation, signed, options)).results);
  }
  for (const receiptData of receipts) {
    results.push(...(await entitlements.restorePurchases(organisation, null, { receiptData })).results);
  }
  if (results.length === 0) throw new Refusal(404, failure("there is nothing to restore"));
  return { ...success(await entitlements.status(organisation)), results };
}

const failure = (error) => ({ success: false, error });

serve(
  {
    [`POST ${BASE}/verify/apple`]: async (request) =>
      success(await verifyApple(organisationOf(request), request.body)),
    [`POST ${BASE}/verify/google`]: async (request) => {
      const { purchaseToken, productId } = request.body;
      const organisation = organisationOf(request);
      return success((await entitlements.verifyPurchase(organisation, null, { purchaseToken, productId })).status);
    },
    [`GET ${BASE}/subscription`]: async (request) => success(await entitlements.status(organisationOf(request))),
    [`POST ${BASE}/subscription/restore`]: (request) => restore(organisationOf(request), request.body),
    [`GET ${BASE}/subscription/management-url`]: async (request) => {
      const platform = request.query.get("platform") ?? undefined;
      return { url: await entitlements.managementURL(organisationOf(request), { platform }) };
    },
    [`POST ${BASE}/webhooks/apple`]: (request) => forward(request, "/webhooks/apple"),
    [`POST ${BASE}/webhooks/google`]: (request) => forward(request, "/webhooks/google"),
  },
  (error) => {
    if (error instanceof Refusal) return { status: error.status, body: { ...failure(error.message), ...error.body } };
    const said = meaningOf(error);
    return said && { status: said.status, body: failure(error instanceof TypeError ? error.message : said.word) };
  },
);
