"""How long the daemon's methods may take."""

# For these the daemon may ask a store or a receiver, make signatures, or go through all accounts.
# They have the store's time, and connections of their own, on which no check waits.
STORE_METHODS = frozenset((
    "verifyPurchase", "restorePurchases", "verifyReceipt", "reconcile", "sendConsumption",
    "extendRenewal", "signOffer", "signIntroductoryOffer", "getManagementURL", "testNotification",
    "testOutbox", "previewCatalog", "load", "backup",
))
# These read the journal, or many rows, and take as long as there are.
PAST_METHODS = frozenset(("getHistory", "explain", "exportUser", "dump"))
TEST_SECONDS = 60  # that testNotification waits where nothing else is said
BACKUP_SECONDS = 3_600


def usual_seconds(method, params, is_write, timeouts):
    """How long a call may take where its caller does not say; `timeouts`: of reads, writes, stores."""
    reading, writing, store = timeouts
    if method == "backup":
        return max(store, BACKUP_SECONDS)
    if method == "testNotification":
        return store + params.get("timeoutSeconds", TEST_SECONDS)
    if method in STORE_METHODS:
        return store
    return writing if is_write or method in PAST_METHODS or "at" in params else reading
