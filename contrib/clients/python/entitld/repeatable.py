"""Made by contrib/clients/generate.py from proto/openrpc.json."""

# To send these twice does no harm, and they need no key for that.
REPEATABLE_METHODS = frozenset((
    "canRender", "can", "getStatus", "getEntitlement", "getSubscriptions", "getCredits",
    "getManagementURL", "getHistory", "explain", "registerAccount", "verifyPurchase",
    "restorePurchases", "verifyReceipt", "signOffer", "signIntroductoryOffer", "commitReservation",
    "releaseReservation", "find", "sendConsumption", "dump", "get", "load", "previewCatalog",
    "exportUser", "setLogLevel", "stats", "reconcile", "ping", "version", "rpc.discover",
    "getOutboxes",
))
