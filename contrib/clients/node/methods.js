// How long the daemon's methods may take.

"use strict";

/**
 * For these the daemon may ask a store or a receiver, make signatures, or go through all accounts.
 * They have the store's time, and over HTTPS connections of their own, on which no check waits.
 */
const STORE_METHODS = new Set([
  "verifyPurchase",
  "restorePurchases",
  "verifyReceipt",
  "reconcile",
  "sendConsumption",
  "extendRenewal",
  "signOffer",
  "signIntroductoryOffer",
  "getManagementURL",
  "testNotification",
  "testOutbox",
  "previewCatalog",
  "load",
  "backup",
]);
/** These read the journal, or many rows, and take as long as there are. */
const PAST_METHODS = new Set(["getHistory", "explain", "exportUser", "dump"]);
const TEST_SECONDS = 60; // that testNotification waits where nothing else is said
const BACKUP_MS = 3_600_000;

/** How long a call may take where its caller does not say; `usual` where its method decides nothing. */
function usualMs(method, params, usual, { write, store }) {
  if (method === "backup") return Math.max(store, BACKUP_MS);
  if (method === "testNotification") return store + (params.timeoutSeconds ?? TEST_SECONDS) * 1000;
  if (STORE_METHODS.has(method)) return store;
  return PAST_METHODS.has(method) || params.at !== undefined ? write : usual;
}

module.exports = { STORE_METHODS, usualMs };
