package entitld

import (
	"encoding/json"
	"time"
)

func names(all ...string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, name := range all {
		set[name] = true
	}
	return set
}

var (
	// These change nothing, and have a question's time. What is not here is a command.
	questions = names(
		"canRender", "can", "getStatus", "getEntitlement", "getSubscriptions", "getCredits", "getManagementURL",
		"getHistory", "explain", "signOffer", "signIntroductoryOffer", "find", "dump", "get", "previewCatalog",
		"exportUser", "stats", "getOutboxes", "ping", "version", "rpc.discover",
	)
	// For these the daemon may ask a store or another system, or check or make signatures; or they are as
	// long as what they are given.
	storeMethods = names(
		"verifyPurchase", "restorePurchases", "verifyReceipt", "reconcile", "sendConsumption", "extendRenewal",
		"signOffer", "signIntroductoryOffer", "getManagementURL", "testNotification", "testOutbox", "load",
		"previewCatalog",
	)
	// These read the journal, or many rows, and take as long as there are.
	pastMethods = names("getHistory", "explain", "exportUser", "dump")
)

const (
	// How long testNotification waits for the store where nothing else is said.
	notificationSeconds = 60
	// A backup takes as long as the disk needs for everything.
	backupTimeout = time.Hour
)

// Whether a call may take so long that others should not wait behind it.
func isSlow(method string) bool {
	return storeMethods[method] || method == "backup"
}

// What a call's parameters decide.
type hints struct {
	IdempotencyKey *json.RawMessage `json:"idempotencyKey"`
	At             *json.RawMessage `json:"at"`
	TimeoutSeconds *int64           `json:"timeoutSeconds"`
}

func hintsIn(method string, params json.RawMessage) hints {
	var found hints
	if !questions[method] || method == "getStatus" {
		json.Unmarshal(params, &found) // what is of another kind is for the daemon to refuse
	}
	return found
}

// The call's key, or nothing.
func (h hints) key() string {
	var key string
	if h.IdempotencyKey != nil {
		json.Unmarshal(*h.IdempotencyKey, &key) // what is no text is for the daemon to refuse
	}
	return key
}

// Whether it is safe to send twice.
func isRepeatable(method string, given hints) bool {
	return repeatableMethods[method] || given.IdempotencyKey != nil
}

type timeouts struct {
	read, write, store, past time.Duration
}

func (t timeouts) of(method string, given hints) time.Duration {
	switch {
	case method == "testNotification":
		seconds := int64(notificationSeconds)
		if given.TimeoutSeconds != nil && *given.TimeoutSeconds >= 0 && *given.TimeoutSeconds < 1<<31 {
			seconds = *given.TimeoutSeconds
		}
		return t.store + time.Duration(seconds)*time.Second
	case method == "backup":
		return backupTimeout
	case storeMethods[method]:
		return t.store
	case pastMethods[method] || given.At != nil:
		return t.past
	case questions[method]:
		return t.read
	default:
		return t.write
	}
}
