// Made by contrib/clients/generate.py from proto/openrpc.json. DO NOT EDIT.

package entitld

// To send these twice does no harm, and they need no key for that.
var repeatableMethods = names(
	"canRender", "can", "getStatus", "getEntitlement", "getSubscriptions", "getCredits",
	"getManagementURL", "getHistory", "explain", "registerAccount", "verifyPurchase",
	"restorePurchases", "verifyReceipt", "signOffer", "signIntroductoryOffer", "commitReservation",
	"releaseReservation", "find", "sendConsumption", "dump", "get", "load", "previewCatalog",
	"exportUser", "setLogLevel", "stats", "reconcile", "ping", "version", "rpc.discover",
	"getOutboxes",
)
