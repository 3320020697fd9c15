// Made by contrib/clients/generate.py from proto/openrpc.json. DO NOT EDIT.

package entitld

import "context"

// RenderAnswer: Whether a user may render.
type RenderAnswer struct {
	// Whether the user may render.
	CanRender bool `json:"canRender"`
	// What lets the user in; null where nothing does. free: the plan free names the feature.
	Via *string `json:"via"`
	// What an account is, in one word, the first that matches: trial also when cancelled during the
	// trial; subscribed is any other access by subscription, grace or grant.
	State string `json:"state"`
	// Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by
	// a plan that does not name the feature. unknown_product: something is paid for that no plan
	// names. sandbox_not_admitted: apple.sandboxAccess does not let this user in.
	Reason *string `json:"reason"`
	// The first moment at which the answer changes if nothing more is heard.
	NextChangeAt *string `json:"nextChangeAt"`
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
}

// FeatureAnswer: Whether a user may use a feature.
type FeatureAnswer struct {
	// Whether the user may use it.
	Allowed bool `json:"allowed"`
	// What lets the user in; null where nothing does. free: the plan free names the feature.
	Via *string `json:"via"`
	// What an account is, in one word, the first that matches: trial also when cancelled during the
	// trial; subscribed is any other access by subscription, grace or grant.
	State string `json:"state"`
	// Why not, the first that matches; null where allowed is true. not_in_plan: there is access, by a
	// plan that does not name the feature. unknown_product: something is paid for that no plan names.
	// sandbox_not_admitted: apple.sandboxAccess does not let this user in.
	Reason *string `json:"reason"`
	// The first moment at which the answer changes if nothing more is heard.
	NextChangeAt *string `json:"nextChangeAt"`
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
}

// Status: All that is said about a user at once.
type Status struct {
	// The user.
	UserID string `json:"userId"`
	// What an account is, in one word, the first that matches: trial also when cancelled during the
	// trial; subscribed is any other access by subscription, grace or grant.
	State string `json:"state"`
	// Whether the user may render once.
	CanRender bool `json:"canRender"`
	// Access by subscription, grace or grant, trials included.
	IsSubscriber bool `json:"isSubscriber"`
	// Whether the user ever owned a subscription.
	HadSubscription bool `json:"hadSubscription"`
	// The credits that can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// The plan that holds; null without an account.
	Plan *string `json:"plan"`
	// The tier of the plan.
	Tier string `json:"tier"`
	// The limits of the plan, as the catalog has them; `null` is no limit.
	Limits map[string]any `json:"limits"`
	// What gives access now: app_store_subscription, google_play, stripe, grant, or the store that a
	// grant names; null where nothing does.
	SubscriptionMethod *string `json:"subscriptionMethod"`
	// The end of what is paid, or of the grant.
	ExpiresAt *string `json:"expiresAt"`
	// The first moment at which the answer changes if nothing more is heard.
	NextChangeAt *string `json:"nextChangeAt"`
	// Which paywall to show: none with access by subscription, grace or grant, and to somebody who
	// pays for a product that no plan names.
	Paywall string `json:"paywall"`
	// Whether two subscriptions of one environment renew: the user pays twice. The daemon cancels
	// neither.
	DuplicateSubscriptions bool `json:"duplicateSubscriptions"`
	// The subscription shown, if there is one.
	Subscription *Subscription `json:"subscription"`
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
}

// Subscription: One subscription.
type Subscription struct {
	// What a subscription is, in one word.
	Status string `json:"status"`
	// The product of the current transaction.
	ProductID string `json:"productId"`
	// The product from the next renewal on, if it changes.
	PendingProductID *string `json:"pendingProductId"`
	// The store that sold it.
	Store string `json:"store"`
	// Production or Sandbox.
	Environment string `json:"environment"`
	// The store's name for the subscription.
	OriginalTransactionID string `json:"originalTransactionId"`
	// The store's name for the current transaction.
	TransactionID *string `json:"transactionId"`
	// When the current transaction was made.
	PurchasedAt *string `json:"purchasedAt"`
	// The end of what is paid.
	ExpiresAt *string `json:"expiresAt"`
	// The end of the grace period, if there is one.
	GracePeriodExpiresAt *string `json:"gracePeriodExpiresAt"`
	// Whether it renews; null if the store has not said.
	AutoRenew *bool `json:"autoRenew"`
	// Whether the current period is a free trial.
	IsTrial bool `json:"isTrial"`
	// When the renewal was turned off.
	CancelledAt *string `json:"cancelledAt"`
	// When the store took it back.
	RevokedAt *string `json:"revokedAt"`
	// Whether a renewal is due and the store has not been heard.
	Stale bool `json:"stale"`
}

// OwnedSubscription: One of all subscriptions of a user, with what its current period was bought
// for.
type OwnedSubscription struct {
	// What a subscription is, in one word.
	Status string `json:"status"`
	// The product of the current transaction.
	ProductID string `json:"productId"`
	// The product from the next renewal on, if it changes.
	PendingProductID *string `json:"pendingProductId"`
	// The store that sold it.
	Store string `json:"store"`
	// Production or Sandbox.
	Environment string `json:"environment"`
	// The store's name for the subscription.
	OriginalTransactionID string `json:"originalTransactionId"`
	// The store's name for the current transaction.
	TransactionID *string `json:"transactionId"`
	// When the current transaction was made.
	PurchasedAt *string `json:"purchasedAt"`
	// The end of what is paid.
	ExpiresAt *string `json:"expiresAt"`
	// The end of the grace period, if there is one.
	GracePeriodExpiresAt *string `json:"gracePeriodExpiresAt"`
	// Whether it renews; null if the store has not said.
	AutoRenew *bool `json:"autoRenew"`
	// Whether the current period is a free trial.
	IsTrial bool `json:"isTrial"`
	// When the renewal was turned off.
	CancelledAt *string `json:"cancelledAt"`
	// When the store took it back.
	RevokedAt *string `json:"revokedAt"`
	// Whether a renewal is due and the store has not been heard.
	Stale bool `json:"stale"`
	// The group of subscriptions of which a customer has one at a time.
	Group *string `json:"group"`
	// PURCHASED or FAMILY_SHARED, as the store writes it.
	Ownership *string `json:"ownership"`
	// The offer, if there was one.
	Offer *OwnedSubscriptionOffer `json:"offer"`
	// The price, in thousandths of the currency.
	Price *int64 `json:"price"`
	// The currency, in letters of ISO 4217.
	Currency *string `json:"currency"`
	// The country of the storefront, in letters of ISO 3166.
	Storefront *string `json:"storefront"`
	// BILLED_UPFRONT or MONTHLY, as the store writes it.
	BillingPlan *string `json:"billingPlan"`
	// The end of the payments to which the customer is bound.
	CommitmentExpiresAt *string `json:"commitmentExpiresAt"`
	// Whether it gives access now.
	GivesAccess bool `json:"givesAccess"`
}

// OwnedSubscriptionOffer: An offer under which a period was bought.
type OwnedSubscriptionOffer struct {
	// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
	Type *int64 `json:"type"`
	// Which one, as you named it.
	ID *string `json:"id"`
	// What it does to the price: FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.
	Discount *string `json:"discount"`
	// How long it lasts: a duration of ISO 8601.
	Period *string `json:"period"`
}

// Entitlement: Whether a user has access by a purchase or a grant.
type Entitlement struct {
	// Whether the user has access.
	IsActive bool `json:"isActive"`
	// The product that gives it.
	ProductID *string `json:"productId,omitempty"`
	// Its end.
	ExpiresAt *string `json:"expiresAt,omitempty"`
	// The store's name for the subscription.
	OriginalTransactionID *string `json:"originalTransactionId,omitempty"`
	// Production or Sandbox.
	Environment *string `json:"environment,omitempty"`
}

// Row: A row of the daemon's tables, as dump writes it and load takes it.
type Row struct {
	// Its table.
	Table string `json:"table"`
	// Its key in that table: text, or base64 where it is not UTF-8.
	Key any `json:"key"`
	// The decoded value.
	Value any `json:"value"`
}

// Space: What is left of the map, or of the disk.
type Space struct {
	// The whole.
	Bytes int64 `json:"bytes"`
	// What is free.
	FreeBytes int64 `json:"freeBytes"`
	// What is taken in a day, less what is given back; null in the first hour.
	BytesPerDay *int64 `json:"bytesPerDay"`
	// How many days the rest lasts at that rate; null where nothing is taken, or in the first hour.
	DaysLeft *int64 `json:"daysLeft"`
}

// EntitlementChange: A change of one user's status, as a watch is told of it.
type EntitlementChange struct {
	// Its position in the journal; to go on after it, watch from here.
	Seq int64 `json:"seq"`
	// The user.
	UserID string `json:"userId"`
	// Why a status changed.
	Cause string `json:"cause"`
	// The account after it.
	Status Status `json:"status"`
	// True where it stands for older changes of the same user too, because too many waited; absent
	// elsewhere.
	Coalesced *bool `json:"coalesced,omitempty"`
}

// StoreEvent: What a store said of a user's purchase and what changed no status: a price that will
// rise, a question about consumption, a refund that was declined. It goes to watchers of the
// owner.
type StoreEvent struct {
	// Its position in the journal; to go on after it, watch from here.
	Seq int64 `json:"seq"`
	// Whose purchase it is.
	UserID string `json:"userId"`
	// The store, for example `app_store`.
	Store string `json:"store"`
	// The store's word for what happened, for example `CONSUMPTION_REQUEST`.
	Type string `json:"type"`
	// The store's word for how; absent for none.
	Subtype *string `json:"subtype,omitempty"`
	// What was bought.
	ProductID string `json:"productId"`
	// The store's name for the transaction.
	TransactionID string `json:"transactionId"`
	// The store's name for the purchase, over all its transactions.
	OriginalTransactionID string `json:"originalTransactionId"`
	// Production or Sandbox.
	Environment string `json:"environment"`
	// When the transaction's period began.
	PurchasedAt string `json:"purchasedAt"`
	// When it ends; absent for what does not end.
	ExpiresAt *string `json:"expiresAt,omitempty"`
	// When it was refunded or withdrawn.
	RevokedAt *string `json:"revokedAt,omitempty"`
	// The price, in thousandths of the currency.
	Price *int64 `json:"price,omitempty"`
	// The currency, in the letters of ISO 4217.
	Currency *string `json:"currency,omitempty"`
	// The offer that it was bought with.
	OfferID *string `json:"offerId,omitempty"`
	// True where it stands for older ones of the same user too, because too many waited; absent
	// elsewhere.
	Coalesced *bool `json:"coalesced,omitempty"`
}

// CatalogChange: Another catalog holds, which may change the status of anybody.
type CatalogChange struct {
	// Its position in the journal; to go on after it, watch from here.
	Seq int64 `json:"seq"`
	// Counts the catalogs.
	Version int64 `json:"version"`
}

// Heartbeat: The daemon is there, and everything up to this position was told.
type Heartbeat struct {
	// The position.
	Seq int64 `json:"seq"`
}

// Resync: Changes were missed that the daemon no longer keeps in order: ask for the statuses that
// matter.
type Resync struct {
	// What comes after this position is told.
	Oldest int64 `json:"oldest"`
}

// StoreWalk: A walk through the notifications that a store says it sent.
type StoreWalk struct {
	// Whether it asks for failed deliveries alone.
	OnlyFailures bool `json:"onlyFailures"`
	// From when on.
	From string `json:"from"`
	// Until when.
	Until string `json:"until"`
	// The pages that came.
	Pages int64 `json:"pages"`
	// The notifications in them.
	Documents int64 `json:"documents"`
	// How many had something newer.
	Applied int64 `json:"applied"`
	// How many do not verify.
	Refused int64 `json:"refused"`
}

// StoreWalks: The walks of one app in one environment, and what was asked of the store there.
type StoreWalks struct {
	// The one under way.
	Walk *StoreWalk `json:"walk"`
	// When the last completed walk over everything began.
	CompletedAt *string `json:"completedAt"`
	// When the last completed walk over failed deliveries began.
	FailuresCompletedAt *string `json:"failuresCompletedAt"`
	// How many were completed.
	Completed int64 `json:"completed"`
	// How many were not.
	Incomplete int64 `json:"incomplete"`
	// Why the last one was not; null if it was.
	Detail *string `json:"detail"`
	// The requests since the start.
	Requests int64 `json:"requests"`
	// How many of them failed.
	Failures int64 `json:"failures"`
	// How many the store refused because there were too many.
	Limited int64 `json:"limited"`
	// Whether requests are sent: `closed` says yes, `open` says no for a while after failures,
	// `probing` waits for the one that is tried.
	Circuit string `json:"circuit"`
}

// StoreSweep: A sweep: every subscription of which something is due is asked about.
type StoreSweep struct {
	// Whether it is under way.
	IsRunning bool `json:"isRunning"`
	// When it began.
	StartedAt string `json:"startedAt"`
	// The subscriptions looked at.
	Looked int64 `json:"looked"`
	// How many were asked about.
	Asked int64 `json:"asked"`
	// How many had something newer.
	Applied int64 `json:"applied"`
	// How many the store does not know.
	Unknown int64 `json:"unknown"`
	// How many answers do not verify.
	Refused int64 `json:"refused"`
}

// StoreProgress: How one store is asked.
type StoreProgress struct {
	// Whether a store is being asked at this moment.
	Running bool `json:"running"`
	// What is being done.
	Phase string `json:"phase"`
	// The notifications of the walk, or the subscriptions of the sweep, so far.
	Done int64 `json:"done"`
	// All subscriptions that are kept; null where nobody knows.
	Total *int64 `json:"total"`
	// The walks, by app and environment.
	Environments map[string]StoreWalks `json:"environments"`
	// The sweep under way, or the last one.
	Sweep *StoreSweep `json:"sweep"`
	// Why the sweep is interrupted; null if it is not.
	SweepDetail *string `json:"sweepDetail"`
	// When the last sweep was completed.
	SweptAt *string `json:"sweptAt"`
	// Subscriptions that were asked about because no message about them came.
	SilentAsked int64 `json:"silentAsked"`
	// Documents of the store with something newer.
	Applied int64 `json:"applied"`
	// Documents of the store that do not verify.
	Refused int64 `json:"refused"`
	// Renewals that were due and did not come since the store was last heard; counted up to 20.
	RenewalsMissed int64 `json:"renewalsMissed"`
	// Whether the store is unexpectedly silent.
	StoreIsSilent bool `json:"storeIsSilent"`
}

// Reconciling: How the stores are asked: where one store has an API, the members of StoreProgress;
// where several have, `running` and `stores`.
type Reconciling struct {
	// Whether a store is being asked at this moment.
	Running bool `json:"running"`
	// What is being done.
	Phase *string `json:"phase,omitempty"`
	// The notifications of the walk, or the subscriptions of the sweep, so far.
	Done *int64 `json:"done,omitempty"`
	// All subscriptions that are kept; null where nobody knows.
	Total *int64 `json:"total,omitempty"`
	// The walks, by app and environment.
	Environments map[string]StoreWalks `json:"environments,omitempty"`
	// The sweep under way, or the last one.
	Sweep *StoreSweep `json:"sweep,omitempty"`
	// Why the sweep is interrupted; null if it is not.
	SweepDetail *string `json:"sweepDetail,omitempty"`
	// When the last sweep was completed.
	SweptAt *string `json:"sweptAt,omitempty"`
	// Subscriptions that were asked about because no message about them came.
	SilentAsked *int64 `json:"silentAsked,omitempty"`
	// Documents of the store with something newer.
	Applied *int64 `json:"applied,omitempty"`
	// Documents of the store that do not verify.
	Refused *int64 `json:"refused,omitempty"`
	// Renewals that were due and did not come since the store was last heard; counted up to 20.
	RenewalsMissed *int64 `json:"renewalsMissed,omitempty"`
	// Whether the store is unexpectedly silent.
	StoreIsSilent *bool `json:"storeIsSilent,omitempty"`
	// Where several stores have an API: how each is asked, by its name.
	Stores map[string]StoreProgress `json:"stores,omitempty"`
}

// CanRenderParams: The parameters of canRender.
type CanRenderParams struct {
	// The user.
	UserID string `json:"userId"`
	// The price in credits, where credits pay.
	Cost *int64 `json:"cost,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// CanParams: The parameters of can.
type CanParams struct {
	// The user.
	UserID string `json:"userId"`
	// The feature, in the words of the catalog.
	Feature string `json:"feature"`
	// The price in credits, where credits pay.
	Cost *int64 `json:"cost,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetStatusParams: The parameters of getStatus.
type GetStatusParams struct {
	// The user.
	UserID string `json:"userId"`
	// A past moment: what the daemon knew then.
	At *string `json:"at,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetEntitlementParams: The parameters of getEntitlement.
type GetEntitlementParams struct {
	// The user.
	UserID string `json:"userId"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetEntitlementResult: What getEntitlement answers.
type GetEntitlementResult struct {
	// Whether a user has access by a purchase or a grant.
	Entitlement Entitlement `json:"entitlement"`
}

// GetSubscriptionsParams: The parameters of getSubscriptions.
type GetSubscriptionsParams struct {
	// The user.
	UserID string `json:"userId"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetSubscriptionsResult: What getSubscriptions answers.
type GetSubscriptionsResult struct {
	Subscriptions []OwnedSubscription `json:"subscriptions"`
}

// GetCreditsParams: The parameters of getCredits.
type GetCreditsParams struct {
	// The user.
	UserID string `json:"userId"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetCreditsResult: A user's credits.
type GetCreditsResult struct {
	// What can be spent now, holds taken out.
	Balance int64 `json:"balance"`
	// What reservations set aside.
	Held int64 `json:"held"`
	// Where the credits come from, in the order of spending: soonest end first.
	Buckets []GetCreditsBucket `json:"buckets"`
}

// GetCreditsBucket: Credits of one origin.
type GetCreditsBucket struct {
	// How many.
	Amount int64 `json:"amount"`
	// When they end; null for never.
	ExpiresAt *string `json:"expiresAt"`
	// Where they come from: `free`, `pack:PRODUCT`, `period:PRODUCT`, `trial:PRODUCT`, or what an
	// admin said.
	Source string `json:"source"`
}

// GetManagementURLParams: The parameters of getManagementURL.
type GetManagementURLParams struct {
	// The user.
	UserID string `json:"userId"`
	// Where the user reads the page; without it, that of the store of the subscription shown.
	Platform *string `json:"platform,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetManagementURLResult: What getManagementURL answers.
type GetManagementURLResult struct {
	URL *string `json:"url"`
}

// GetHistoryParams: The parameters of getHistory.
type GetHistoryParams struct {
	// The user.
	UserID string `json:"userId"`
	// Events after this position.
	AfterSeq *int64 `json:"afterSeq,omitempty"`
	// How many at most; events of one position are never parted.
	Limit *int64 `json:"limit,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetHistoryResult: A page of what changed for a user.
type GetHistoryResult struct {
	// The changes, oldest first; none after the last one.
	Events []GetHistoryEvent `json:"events"`
	// Where the journal was pruned before this moment, and the user was known then: what changed up to
	// it is not told any more.
	Oldest *string `json:"oldest,omitempty"`
}

// GetHistoryEvent: What changed for a user, when, why, and what was true before and after.
type GetHistoryEvent struct {
	// Its place in the journal.
	Seq int64 `json:"seq"`
	// When it changed.
	At string `json:"at"`
	// Why a status changed.
	Cause string `json:"cause"`
	// The account before it.
	Before Status `json:"before"`
	// The account after it.
	After Status `json:"after"`
	// Who had it done; null where a store, time or the daemon did.
	By *GetHistoryEventBy `json:"by"`
	// What was done: the members that apply.
	Detail GetHistoryEventDetail `json:"detail"`
}

// GetHistoryEventBy: Who had it done.
type GetHistoryEventBy struct {
	// The role in which they called: `reader`, `app`, `support` or `admin`.
	Role string `json:"role"`
	// The user of the system, as the kernel says; absent for a caller over HTTPS.
	UID *int64 `json:"uid,omitempty"`
	// The name of the caller's token; absent for a caller at a socket.
	Token *string `json:"token,omitempty"`
}

// GetHistoryEventDetail: What was done: the members that apply.
type GetHistoryEventDetail struct {
	// The store.
	Store *string `json:"store,omitempty"`
	// The store's word for what happened.
	Type *string `json:"type,omitempty"`
	// The store's word for how.
	Subtype *string `json:"subtype,omitempty"`
	// What was bought.
	ProductID *string `json:"productId,omitempty"`
	// The store's name for the transaction.
	TransactionID *string `json:"transactionId,omitempty"`
	// The price, in thousandths of the currency.
	Price *int64 `json:"price,omitempty"`
	// The currency, in letters of ISO 4217.
	Currency *string `json:"currency,omitempty"`
	// How many credits.
	Amount *int64 `json:"amount,omitempty"`
	// The plan that was given.
	Plan *string `json:"plan,omitempty"`
	// The name of the grant.
	Grant *string `json:"grant,omitempty"`
	// Why an admin did it.
	Reason *string `json:"reason,omitempty"`
	// Where credits come from.
	Source *string `json:"source,omitempty"`
}

// ExplainParams: The parameters of explain.
type ExplainParams struct {
	// The user.
	UserID string `json:"userId"`
	// A past moment.
	At *string `json:"at,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// ExplainResult: Why a status is what it is.
type ExplainResult struct {
	// The moment that it holds for.
	At string `json:"at"`
	// The rule that decided, in one word.
	Rule string `json:"rule"`
	// The same, as a sentence.
	Because string `json:"because"`
	// Counts the catalogs installed.
	CatalogVersion int64 `json:"catalogVersion"`
	// The purchases, with everything that the store said of them.
	Facts []map[string]any `json:"facts"`
	// The grants that were used.
	Grants []map[string]any `json:"grants"`
	// `balance`, `held`, `owed`, and `buckets`, those of paid periods to come included.
	Credits map[string]any `json:"credits"`
	// The account at that moment.
	Status Status `json:"status"`
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
}

// RegisterAccountParams: The parameters of registerAccount.
type RegisterAccountParams struct {
	// The user.
	UserID string `json:"userId"`
	// The token; derived from the user when absent.
	AppAccountToken *string `json:"appAccountToken,omitempty"`
	// The signed app transaction of the user's device.
	SignedAppTransaction *string `json:"signedAppTransaction,omitempty"`
}

// RegisterAccountResult: What registering an account came to.
type RegisterAccountResult struct {
	// The token to hand to the store with every purchase.
	AppAccountToken string `json:"appAccountToken"`
	// Whether this call began the account.
	Created bool `json:"created"`
	// The credits that can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// For `setObfuscatedAccountId` of Google Play: SHA-256 of the namespace, a colon and the user id.
	ObfuscatedAccountID string `json:"obfuscatedAccountId"`
}

// VerifyPurchaseParams: The parameters of verifyPurchase.
type VerifyPurchaseParams struct {
	// The user.
	UserID string `json:"userId"`
	// The signed transaction; without it the store is asked for `transactionId`.
	SignedTransaction *string `json:"signedTransaction,omitempty"`
	// What Google Play gave the device; the store is asked for the purchase.
	PurchaseToken *string `json:"purchaseToken,omitempty"`
	// A visit to Stripe's payment page; Stripe is asked what was bought in it.
	CheckoutSession *string `json:"checkoutSession,omitempty"`
	// A subscription of Stripe's; Stripe is asked for it.
	StripeSubscription *string `json:"stripeSubscription,omitempty"`
	// The store's signed renewal information.
	SignedRenewalInfo *string `json:"signedRenewalInfo,omitempty"`
	// Claim: which product was bought.
	ProductID *string `json:"productId,omitempty"`
	// Claim: the store's name for the transaction.
	TransactionID *string `json:"transactionId,omitempty"`
	// Claim: the store's name for the subscription.
	OriginalTransactionID *string `json:"originalTransactionId,omitempty"`
	// Claim: the token that the purchase was made with; names a signed token of nobody. A UUID, or
	// beside purchaseToken the account id that the app gave Google Play, up to 64 characters.
	AppAccountToken *string `json:"appAccountToken,omitempty"`
}

// VerifyPurchaseResult: What a purchase came to.
type VerifyPurchaseResult struct {
	// The access after it.
	Entitlement Entitlement `json:"entitlement"`
	// The account after it.
	Status Status `json:"status"`
	// Whether a document was newer than what is kept.
	Applied bool `json:"applied"`
}

// RestorePurchasesParams: The parameters of restorePurchases.
type RestorePurchasesParams struct {
	// The user.
	UserID string `json:"userId"`
	// The device's transactions; these and purchaseTokens, or a receipt.
	SignedTransactions []string `json:"signedTransactions,omitempty"`
	// What Google Play gave the device; 1 to 100 with the transactions.
	PurchaseTokens []string `json:"purchaseTokens,omitempty"`
	// An app receipt in their place, base64.
	ReceiptData *string `json:"receiptData,omitempty"`
	// Names a signed token of nobody as the user's, whichever of the documents carries it. A UUID, or
	// beside purchaseTokens an account id that the app gave Google Play, up to 64 characters.
	AppAccountToken *string `json:"appAccountToken,omitempty"`
}

// RestorePurchasesResult: What restoring purchases came to.
type RestorePurchasesResult struct {
	// The access after it.
	Entitlement Entitlement `json:"entitlement"`
	// The account after it.
	Status Status `json:"status"`
	// One for each subscription, in order of appearance.
	Results []RestorePurchasesResultItem `json:"results"`
}

// RestorePurchasesResultItem: One subscription.
type RestorePurchasesResultItem struct {
	// The store's name for it.
	OriginalTransactionID string `json:"originalTransactionId"`
	// What became of the subscription.
	Outcome string `json:"outcome"`
}

// VerifyReceiptParams: The parameters of verifyReceipt.
type VerifyReceiptParams struct {
	// The user.
	UserID string `json:"userId"`
	// The receipt, base64.
	ReceiptData string `json:"receiptData"`
	// The product that is asked about.
	ProductID *string `json:"productId,omitempty"`
	// Names a token of nobody on the receipt's purchases as the user's.
	AppAccountToken *string `json:"appAccountToken,omitempty"`
}

// VerifyReceiptResult: What an app receipt came to.
type VerifyReceiptResult struct {
	// Whether the purchase gives access now.
	IsValid bool `json:"isValid"`
	// Its end.
	ExpiresAt *string `json:"expiresAt"`
	// The tier of the plan that the purchase gives; free where it gives none. That of the user is in
	// `status`.
	Tier string `json:"tier"`
	// One sentence for people.
	Message string `json:"message"`
	// The account after it.
	Status Status `json:"status"`
}

// SignOfferParams: The parameters of signOffer.
type SignOfferParams struct {
	// The user.
	UserID string `json:"userId"`
	// The subscription.
	ProductID string `json:"productId"`
	// The promotional offer, as App Store Connect names it.
	OfferID string `json:"offerId"`
	// The token that the app passes to StoreKit with the purchase; when absent, the one that
	// registerAccount answers.
	AppAccountToken *string `json:"appAccountToken,omitempty"`
	// In place of a token: the user name that the app passes to StoreKit; empty for a purchase with
	// neither.
	ApplicationUsername *string `json:"applicationUsername,omitempty"`
	// For the JWS: any transaction of the customer's, or the appTransactionId; when absent, one that
	// is known.
	TransactionID *string `json:"transactionId,omitempty"`
	// One of the configured apps; the default one when absent.
	BundleID *string `json:"bundleId,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// SignOfferResult: What StoreKit takes with a promotional offer, in both of Apple's forms.
type SignOfferResult struct {
	// The app that it is signed for.
	BundleID string `json:"bundleId"`
	// The key: keyID of StoreKit.
	KeyID string `json:"keyId"`
	// The nonce: a UUID in small letters.
	Nonce string `json:"nonce"`
	// The moment in milliseconds since 1970, as StoreKit takes it.
	Timestamp int64 `json:"timestamp"`
	// What was signed as the customer: the token, the user name, or nothing.
	ApplicationUsername string `json:"applicationUsername"`
	// The older form: a signature in base64.
	Signature string `json:"signature"`
	// The newer form: a compact JWS.
	JWS string `json:"jws"`
}

// SignIntroductoryOfferParams: The parameters of signIntroductoryOffer.
type SignIntroductoryOfferParams struct {
	// The user.
	UserID string `json:"userId"`
	// The subscription.
	ProductID string `json:"productId"`
	// Whether the customer gets the offer; true unless named.
	AllowIntroductoryOffer *bool `json:"allowIntroductoryOffer,omitempty"`
	// Any transaction of the customer's, or the appTransactionId; when absent, one that is known.
	TransactionID *string `json:"transactionId,omitempty"`
	// One of the configured apps; the default one when absent.
	BundleID *string `json:"bundleId,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// SignIntroductoryOfferResult: What StoreKit takes to know whether a customer gets an introductory
// offer.
type SignIntroductoryOfferResult struct {
	// The app that it is signed for.
	BundleID string `json:"bundleId"`
	// The transaction that it names.
	TransactionID string `json:"transactionId"`
	// A compact JWS.
	JWS string `json:"jws"`
}

// ConsumeCreditParams: The parameters of consumeCredit.
type ConsumeCreditParams struct {
	// The user.
	UserID string `json:"userId"`
	// The same key never charges twice.
	IdempotencyKey string `json:"idempotencyKey"`
	// How many.
	Amount *int64 `json:"amount,omitempty"`
}

// ConsumeCreditResult: What a charge, or putting one back, came to.
type ConsumeCreditResult struct {
	// What became of the credits. unlimited: the user's plan renders without counting; nothing was
	// charged or stored.
	Outcome string `json:"outcome"`
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// ReserveCreditsParams: The parameters of reserveCredits.
type ReserveCreditsParams struct {
	// The user.
	UserID string `json:"userId"`
	// The same key never reserves twice.
	IdempotencyKey string `json:"idempotencyKey"`
	// How many.
	Amount int64 `json:"amount"`
	// After so long they return by themselves.
	TtlSeconds int64 `json:"ttlSeconds"`
	// They return when this connection, or the daemon, ends.
	ReleaseOnDisconnect *bool `json:"releaseOnDisconnect,omitempty"`
}

// ReserveCreditsResult: What setting credits aside came to.
type ReserveCreditsResult struct {
	// What became of the credits. released: it was reserved under this key, and returned when its
	// connection ended.
	Outcome string `json:"outcome"`
	// The reservation's name, for commitReservation and releaseReservation; null where nothing is
	// held.
	Reservation *string `json:"reservation"`
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
}

// CommitReservationParams: The parameters of commitReservation.
type CommitReservationParams struct {
	// Its name.
	Reservation string `json:"reservation"`
	// How many of the held credits; all when absent.
	Amount *int64 `json:"amount,omitempty"`
}

// CommitReservationResult: How a reservation ended.
type CommitReservationResult struct {
	// How the reservation ended, whichever came first. A second commit gets the first answer.
	Outcome string `json:"outcome"`
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
}

// ReleaseReservationParams: The parameters of releaseReservation.
type ReleaseReservationParams struct {
	// Its name.
	Reservation string `json:"reservation"`
}

// ReleaseReservationResult: How a reservation ended.
type ReleaseReservationResult struct {
	// How the reservation ended, whichever came first.
	Outcome string `json:"outcome"`
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
}

// ReverseCreditsParams: The parameters of reverseCredits.
type ReverseCreditsParams struct {
	// The user.
	UserID string `json:"userId"`
	// The same key never puts back twice.
	IdempotencyKey string `json:"idempotencyKey"`
	// The key of the consumeCredit.
	ConsumeKey string `json:"consumeKey"`
}

// ReverseCreditsResult: What a charge, or putting one back, came to.
type ReverseCreditsResult struct {
	// What became of the charge. nothing: nothing was charged, or it was put back before.
	Outcome string `json:"outcome"`
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
}

// MergeAccountsParams: The parameters of mergeAccounts.
type MergeAccountsParams struct {
	// The anonymous account; without one, its id leads nowhere from now on.
	FromUserID string `json:"fromUserId"`
	// The account that logged in.
	IntoUserID string `json:"intoUserId"`
	// Of intoUserId. Who went into the same account before is answered as a repetition, whatever the
	// key.
	IdempotencyKey string `json:"idempotencyKey"`
}

// MergeAccountsResult: An account that went into another.
type MergeAccountsResult struct {
	// The account that has everything now.
	Status Status `json:"status"`
	// Whether it was done before.
	Replayed bool `json:"replayed"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// GrantEntitlementParams: The parameters of grantEntitlement.
type GrantEntitlementParams struct {
	// The user.
	UserID string `json:"userId"`
	// A plan of the catalog.
	Plan string `json:"plan"`
	// The same key never makes a second grant.
	IdempotencyKey string `json:"idempotencyKey"`
	// The end.
	ExpiresAt *string `json:"expiresAt,omitempty"`
	// The beginning; now when absent.
	StartsAt *string `json:"startsAt,omitempty"`
	// What `subscriptionMethod` shows instead of grant.
	Store *string `json:"store,omitempty"`
	// Why, for the history.
	Reason *string `json:"reason,omitempty"`
}

// GrantEntitlementResult: A grant that was made.
type GrantEntitlementResult struct {
	// The grant's name, for revokeGrant.
	Grant string `json:"grant"`
	// The account after it.
	Status Status `json:"status"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// RevokeGrantParams: The parameters of revokeGrant.
type RevokeGrantParams struct {
	// The user.
	UserID string `json:"userId"`
	// The grant's name.
	Grant string `json:"grant"`
	// Why, for the history.
	Reason *string `json:"reason,omitempty"`
}

// RevokeGrantResult: A grant that was taken back.
type RevokeGrantResult struct {
	// The account after it.
	Status Status `json:"status"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// MovePurchaseParams: The parameters of movePurchase.
type MovePurchaseParams struct {
	// The store that sold it.
	Store string `json:"store"`
	// What the store calls it. Where both environments have it, the one of Production.
	OriginalTransactionID string `json:"originalTransactionId"`
	// Who is to have it.
	ToUserID string `json:"toUserId"`
	// Why, for the history.
	Reason string `json:"reason"`
}

// MovePurchaseResult: A purchase that was moved to another user.
type MovePurchaseResult struct {
	// The account that has it now.
	Status Status `json:"status"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// FindParams: The parameters of find.
type FindParams struct {
	// What to look for, as it is written.
	Text string `json:"text"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// FindResult: What find answers.
type FindResult struct {
	Matches []FindMatch `json:"matches"`
}

// FindMatch: Something that is called as support has asked.
type FindMatch struct {
	// Whose it is; null for nobody yet.
	UserID *string `json:"userId"`
	// What it is: `user`, `token`, `purchase` or `transaction`.
	What string `json:"what"`
	// The store that sold it; null for what is no purchase.
	Store *string `json:"store"`
	// What the store calls the purchase.
	OriginalTransactionID *string `json:"originalTransactionId"`
}

// GrantCreditsParams: The parameters of grantCredits.
type GrantCreditsParams struct {
	// The user.
	UserID string `json:"userId"`
	// How many.
	Amount int64 `json:"amount"`
	// The same key never counts twice.
	IdempotencyKey string `json:"idempotencyKey"`
	// When they end; never when absent.
	ExpiresAt *string `json:"expiresAt,omitempty"`
	// Where they come from, as getCredits shows it; any word but free, the source at registration.
	Source *string `json:"source,omitempty"`
	// Why, for the history.
	Reason *string `json:"reason,omitempty"`
}

// GrantCreditsResult: Credits that were given or corrected.
type GrantCreditsResult struct {
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// AdjustCreditsParams: The parameters of adjustCredits.
type AdjustCreditsParams struct {
	// The user.
	UserID string `json:"userId"`
	// How many.
	Amount int64 `json:"amount"`
	// The same key never counts twice.
	IdempotencyKey string `json:"idempotencyKey"`
	// When they end; never when absent.
	ExpiresAt *string `json:"expiresAt,omitempty"`
	// Where they come from, as getCredits shows it; any word but free, the source at registration.
	// With free and a negative amount, credits of a registration alone are taken.
	Source *string `json:"source,omitempty"`
	// Why, for the history.
	Reason *string `json:"reason,omitempty"`
}

// AdjustCreditsResult: Credits that were given or corrected.
type AdjustCreditsResult struct {
	// What can be spent now.
	CreditsRemaining int64 `json:"creditsRemaining"`
	// Whether this is the stored first answer to the same key.
	Replayed bool `json:"replayed"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// SendConsumptionParams: The parameters of sendConsumption.
type SendConsumptionParams struct {
	// The purchase.
	TransactionID string `json:"transactionId"`
	// Must be true: without the customer's consent nothing may be sent.
	CustomerConsented bool `json:"customerConsented"`
	// Whether the purchase reached the customer.
	DeliveryStatus string `json:"deliveryStatus"`
	// Whether the customer could try it before.
	SampleContentProvided bool `json:"sampleContentProvided"`
	// How much of it is used, in thousandths of a percent.
	ConsumptionPercentage *int64 `json:"consumptionPercentage,omitempty"`
	// What the app's maker would like.
	RefundPreference *string `json:"refundPreference,omitempty"`
	// One of the configured apps; whichever knows the transaction when absent.
	BundleID *string `json:"bundleId,omitempty"`
}

// SendConsumptionResult: What Apple says of a request that the daemon passed on.
type SendConsumptionResult struct {
	// Whether the store has taken it.
	Success bool `json:"success"`
	// Apple's number of the error, where it has not.
	ErrorCode *int64 `json:"errorCode,omitempty"`
	// Apple's words for it.
	ErrorMessage *string `json:"errorMessage,omitempty"`
}

// ExtendRenewalParams: The parameters of extendRenewal.
type ExtendRenewalParams struct {
	// Any transaction of the subscription, or its originalTransactionId.
	TransactionID string `json:"transactionId"`
	// How many.
	ExtendByDays int64 `json:"extendByDays"`
	// Why: 0 undeclared, 1 customer satisfaction, 2 other, 3 a service issue.
	ExtendReasonCode int64 `json:"extendReasonCode"`
	// What Apple calls this request; made up when absent.
	RequestIdentifier *string `json:"requestIdentifier,omitempty"`
	// One of the configured apps; whichever knows the transaction when absent.
	BundleID *string `json:"bundleId,omitempty"`
}

// ExtendRenewalResult: What Apple says of a request that the daemon passed on.
type ExtendRenewalResult struct {
	// Whether the store has taken it.
	Success bool `json:"success"`
	// The store's name for the subscription.
	OriginalTransactionID *string `json:"originalTransactionId,omitempty"`
	// What Apple calls the period that is prolonged.
	WebOrderLineItemID *string `json:"webOrderLineItemId,omitempty"`
	// Until when the subscription is prolonged.
	EffectiveDate *string `json:"effectiveDate,omitempty"`
	// What Apple calls this request.
	RequestIdentifier *string `json:"requestIdentifier,omitempty"`
	// Apple's number of the error, where it has not.
	ErrorCode *int64 `json:"errorCode,omitempty"`
	// Apple's words for it.
	ErrorMessage *string `json:"errorMessage,omitempty"`
}

// DumpParams: The parameters of dump.
type DumpParams struct {
	// Only this table; all of them when absent.
	Table *string `json:"table,omitempty"`
	// Only keys that begin so.
	Prefix *string `json:"prefix,omitempty"`
	// Where the page before ended.
	Cursor *string `json:"cursor,omitempty"`
	// How many rows at most.
	Limit *int64 `json:"limit,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// DumpResult: A page of rows.
type DumpResult struct {
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
	// The rows.
	Entries []Row `json:"entries"`
	// For the next page; null after the last row.
	Cursor *string `json:"cursor"`
}

// GetParams: The parameters of get.
type GetParams struct {
	// The table.
	Table string `json:"table"`
	// The key, as dump shows it.
	Key any `json:"key"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetResult: What get answers.
type GetResult struct {
	// The decoded value.
	Value any `json:"value"`
}

// LoadParams: The parameters of load.
type LoadParams struct {
	// The rows.
	Entries []Row `json:"entries"`
}

// LoadResult: What load answers.
type LoadResult struct {
	// How many rows are now as they were to be.
	Loaded int64 `json:"loaded"`
}

// PreviewCatalogParams: The parameters of previewCatalog.
type PreviewCatalogParams struct {
	// The content of a catalog file.
	Catalog string `json:"catalog"`
	// As the page before answered.
	Cursor *string `json:"cursor,omitempty"`
	// How many accounts are looked at.
	Limit *int64 `json:"limit,omitempty"`
}

// PreviewCatalogResult: A page of who would win or lose what under another catalog.
type PreviewCatalogResult struct {
	// How many accounts were looked at.
	Looked int64 `json:"looked"`
	// Those whose status would be another.
	Changes []PreviewCatalogChange `json:"changes"`
	// Where the next page begins; null at the end.
	Cursor *string `json:"cursor"`
}

// PreviewCatalogChange: A user whose status would be another.
type PreviewCatalogChange struct {
	// The user.
	UserID string `json:"userId"`
	// The members of the status that would be others, as they are.
	Before map[string]any `json:"before"`
	// The same, as they would be.
	After map[string]any `json:"after"`
}

// EraseUserParams: The parameters of eraseUser.
type EraseUserParams struct {
	// Whom to forget.
	UserID string `json:"userId"`
}

// EraseUserResult: What erasing a user came to.
type EraseUserResult struct {
	// Whether there was somebody to forget.
	Erased bool `json:"erased"`
	// Its place in the journal.
	Seq int64 `json:"seq"`
}

// ExportUserParams: The parameters of exportUser.
type ExportUserParams struct {
	// The user.
	UserID string `json:"userId"`
	// Where the page before ended.
	Cursor *string `json:"cursor,omitempty"`
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// ExportUserResult: Everything that is kept about a person.
type ExportUserResult struct {
	// The user.
	UserID string `json:"userId"`
	// As dump writes it; null, and nothing else, for a user of whom nothing is kept.
	Account map[string]any `json:"account"`
	// The journal position that the answer reflects.
	Seq *int64 `json:"seq,omitempty"`
	// Where the journal was pruned before this moment: earlier events are not kept.
	Oldest *string `json:"oldest,omitempty"`
	// Their tokens.
	Tokens []any `json:"tokens,omitempty"`
	// With their facts, as dump writes them.
	Subscriptions []any `json:"subscriptions,omitempty"`
	// First answers under their keys.
	Settlements []any `json:"settlements,omitempty"`
	// Credits that were held.
	Reservations []any `json:"reservations,omitempty"`
	// Credit packs.
	Packs []any `json:"packs,omitempty"`
	// The journal's entries about them, oldest first.
	Events []any `json:"events,omitempty"`
	// For the next page; null after the last.
	Cursor *string `json:"cursor,omitempty"`
}

// BackupParams: The parameters of backup.
type BackupParams struct {
	// Absolute, on the daemon's host, not there yet; it becomes a data directory.
	Path string `json:"path"`
}

// BackupResult: A backup that the daemon made.
type BackupResult struct {
	// Where it is, on the daemon's host.
	Path string `json:"path"`
	// The bytes of its files.
	Bytes int64 `json:"bytes"`
	// SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where there
	// is one, in hexadecimal digits; `entitld verify` makes the same.
	Digest string `json:"digest"`
	// The journal position that it holds.
	Seq int64 `json:"seq"`
}

// SetLogLevelParams: The parameters of setLogLevel.
type SetLogLevelParams struct {
	// The least level.
	Level string `json:"level"`
}

// SetLogLevelResult: What setLogLevel answers.
type SetLogLevelResult struct {
	Level string `json:"level"`
}

// StatsParams: The parameters of stats.
type StatsParams struct {
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// StatsResult: How the daemon is; the set grows.
type StatsResult struct {
	// The daemon's version.
	Version string `json:"version"`
	// The journal position that the answer reflects.
	Seq int64 `json:"seq"`
	// For how long it has run.
	UptimeSeconds int64 `json:"uptimeSeconds"`
	// Counts the catalogs.
	CatalogVersion int64 `json:"catalogVersion"`
	// The plans of the catalog in force.
	Plans []string `json:"plans"`
	// The commands decided since the start.
	Commands int64 `json:"commands"`
	// The groups in which they were written to disk.
	Groups int64 `json:"groups"`
	// The commands that wait.
	QueueDepth int64 `json:"queueDepth"`
	// Whether writes are refused because the disk is full.
	StorageFull bool `json:"storageFull"`
	// How often the clock jumped by more than a minute.
	ClockJumps int64 `json:"clockJumps"`
	// The journal.
	Journal StatsJournal `json:"journal"`
	// The tables.
	Views StatsViews `json:"views"`
	// The space that is left: `map`, of the views' map, and `disk`.
	Space StatsSpace `json:"space"`
	// How the stores are asked; absent where none has an API.
	Reconcile *Reconciling `json:"reconcile,omitempty"`
}

// StatsJournal: The journal.
type StatsJournal struct {
	// Its size in bytes.
	Bytes int64 `json:"bytes"`
	// The newest position that was pruned; 0 while everything is there.
	PrunedSeq int64 `json:"prunedSeq"`
	// From when on everything is known; null while everything is there.
	Oldest *string `json:"oldest"`
}

// StatsViews: The tables.
type StatsViews struct {
	// The size of the map.
	MapBytes int64 `json:"mapBytes"`
	// How much of it is used.
	UsedBytes int64 `json:"usedBytes"`
	// How many read at the moment.
	Readers int64 `json:"readers"`
}

// StatsSpace: The space that is left: `map`, of the views' map, and `disk`.
type StatsSpace struct {
	// What is left of the map, or of the disk.
	Map *Space `json:"map,omitempty"`
	// What is left of the map, or of the disk.
	Disk *Space `json:"disk,omitempty"`
}

// ReconcileParams: The parameters of reconcile.
type ReconcileParams struct {
	// About this user, and wait; without, begin a round through everything.
	UserID *string `json:"userId,omitempty"`
}

// ReconcileResult: What asking the stores came to.
type ReconcileResult struct {
	// With a user: whether something was newer than what was kept.
	Applied *bool `json:"applied,omitempty"`
	// With a user: the account after it.
	Status *Status `json:"status,omitempty"`
	// Without a user: true; progress is in stats.
	Running *bool `json:"running,omitempty"`
}

// TestNotificationParams: The parameters of testNotification.
type TestNotificationParams struct {
	// Whose; app_store where it is absent.
	Store *string `json:"store,omitempty"`
	// How long.
	TimeoutSeconds *int64 `json:"timeoutSeconds,omitempty"`
}

// TestNotificationResult: What became of a test notification.
type TestNotificationResult struct {
	// Whether it arrived at the daemon.
	Delivered bool `json:"delivered"`
	// What Apple says of the attempt; null for Google.
	SendAttemptResult *string `json:"sendAttemptResult"`
}

// PingParams: The parameters of ping.
type PingParams struct {
}

// PingResult: What ping answers.
type PingResult struct {
}

// VersionParams: The parameters of version.
type VersionParams struct {
}

// VersionResult: Which daemon answers.
type VersionResult struct {
	// The daemon's version.
	Entitld string `json:"entitld"`
	// The major version of the protocol: of frames, methods and words.
	Protocol string `json:"protocol"`
	// The version of what is on disk.
	Format int64 `json:"format"`
}

// GetOutboxesParams: The parameters of getOutboxes.
type GetOutboxesParams struct {
	// A journal position: the answer reflects it, or is -32031 after 200 ms.
	MinSeq *int64 `json:"minSeq,omitempty"`
}

// GetOutboxesResult: What getOutboxes answers.
type GetOutboxesResult struct {
	Outboxes []GetOutboxesOutbox `json:"outboxes"`
}

// GetOutboxesOutbox: How far an outbox is.
type GetOutboxesOutbox struct {
	// What the configuration calls it.
	Name string `json:"name"`
	// The system that is told.
	URL string `json:"url"`
	// `delivering`, or `down` while nothing goes through.
	State string `json:"state"`
	// The journal position up to which it has read.
	Through int64 `json:"through"`
	// Positions of the journal that it has still to read.
	Behind int64 `json:"behind"`
	// Changes that it has read and that are not delivered.
	Waiting int64 `json:"waiting"`
	// Of those, the ones held back by settleSeconds.
	Held int64 `json:"held"`
	// Changes that were given up, mostly after three days.
	Parked int64 `json:"parked"`
	// Whether it tells states, where the journal does not say what changed.
	Retelling bool `json:"retelling"`
	// When a post last went through.
	DeliveredAt *string `json:"deliveredAt"`
	// When a post last failed.
	FailedAt *string `json:"failedAt"`
	// Why the last post that failed did.
	Failure *string `json:"failure"`
	// The oldest 20 that have failed and are tried again.
	Failing []GetOutboxesOutboxFailing `json:"failing"`
	// The newest 20 that were given up.
	ParkedChanges []GetOutboxesOutboxParkedChange `json:"parkedChanges"`
}

// GetOutboxesOutboxFailing: A change that failed and is tried again.
type GetOutboxesOutboxFailing struct {
	// Its `webhook-id`.
	ID string `json:"id"`
	// Whose it is.
	UserID string `json:"userId"`
	// Its position in the journal.
	Seq int64 `json:"seq"`
	// How often it failed.
	Failures int64 `json:"failures"`
	// Why, at the last attempt.
	Failure *string `json:"failure"`
	// When it is tried again.
	NextAttemptAt *string `json:"nextAttemptAt"`
}

// GetOutboxesOutboxParkedChange: A change that was given up.
type GetOutboxesOutboxParkedChange struct {
	// Its `webhook-id`.
	ID string `json:"id"`
	// What it says: a change, a state, or that a person was erased.
	Kind string `json:"kind"`
	// Its position in the journal.
	Seq int64 `json:"seq"`
	// When it was given up.
	ParkedAt *string `json:"parkedAt"`
	// Why it was given up.
	Failure string `json:"failure"`
}

// RetryOutboxParams: The parameters of retryOutbox.
type RetryOutboxParams struct {
	// The outbox, as the configuration calls it.
	Name string `json:"name"`
	// This change alone.
	ID *string `json:"id,omitempty"`
	// The state of every account.
	Everything *bool `json:"everything,omitempty"`
}

// RetryOutboxResult: What retryOutbox answers.
type RetryOutboxResult struct {
	// How many parked changes are told again.
	Retried int64 `json:"retried"`
	// How many of those asked for stay parked: they cannot be told again, or not be read now.
	StillParked int64 `json:"stillParked"`
}

// SkipOutboxParams: The parameters of skipOutbox.
type SkipOutboxParams struct {
	// The outbox, as the configuration calls it.
	Name string `json:"name"`
	// The webhook-id, as getOutboxes shows it.
	ID string `json:"id"`
}

// SkipOutboxResult: What skipOutbox answers.
type SkipOutboxResult struct {
}

// TestOutboxParams: The parameters of testOutbox.
type TestOutboxParams struct {
	// The outbox, as the configuration calls it.
	Name string `json:"name"`
}

// TestOutboxResult: Whether a system takes a test message.
type TestOutboxResult struct {
	// Whether it answered 2xx.
	Delivered bool `json:"delivered"`
	// Why not.
	Failure *string `json:"failure"`
}

// CanRender: Whether a user may render now. True if any owned subscription or grant gives access
// and its plan is unlimited for render, or if the credits cover the cost. `cost` is 1 unless
// given.
func (c *Client) CanRender(ctx context.Context, params CanRenderParams) (*RenderAnswer, error) {
	var result RenderAnswer
	if err := c.call(ctx, "canRender", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Can: Whether a user may use a feature now. What canRender answers, for any feature that the
// catalog's plans name in `unlimited`. Credits cover `cost` where `creditsPayFor` names the
// feature. One that nobody names is not allowed.
func (c *Client) Can(ctx context.Context, params CanParams) (*FeatureAnswer, error) {
	var result FeatureAnswer
	if err := c.call(ctx, "can", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetStatus: All that is said about a user at once.
func (c *Client) GetStatus(ctx context.Context, params GetStatusParams) (*Status, error) {
	var result Status
	if err := c.call(ctx, "getStatus", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetEntitlement: The access by a purchase or a grant.
func (c *Client) GetEntitlement(ctx context.Context, params GetEntitlementParams) (*GetEntitlementResult, error) {
	var result GetEntitlementResult
	if err := c.call(ctx, "getEntitlement", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetSubscriptions: All subscriptions of a user, the best first.
func (c *Client) GetSubscriptions(ctx context.Context, params GetSubscriptionsParams) (*GetSubscriptionsResult, error) {
	var result GetSubscriptionsResult
	if err := c.call(ctx, "getSubscriptions", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetCredits: A user's credits.
func (c *Client) GetCredits(ctx context.Context, params GetCreditsParams) (*GetCreditsResult, error) {
	var result GetCreditsResult
	if err := c.call(ctx, "getCredits", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetManagementURL: Where a user manages the subscription.
func (c *Client) GetManagementURL(ctx context.Context, params GetManagementURLParams) (*GetManagementURLResult, error) {
	var result GetManagementURLResult
	if err := c.call(ctx, "getManagementURL", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetHistory: What changed for a user, oldest first. A page ends early where the reply would be
// longer than a frame, so only an empty one says that it was the last.
func (c *Client) GetHistory(ctx context.Context, params GetHistoryParams) (*GetHistoryResult, error) {
	var result GetHistoryResult
	if err := c.call(ctx, "getHistory", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Explain: Why a user's status is what it is.
func (c *Client) Explain(ctx context.Context, params ExplainParams) (*ExplainResult, error) {
	var result ExplainResult
	if err := c.call(ctx, "explain", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// RegisterAccount: Begin a user's account, or link another token to it. Free credits come with the
// first call for a user or, where the catalog says `freeCreditsOnce: appTransaction`, with the
// first that shows a signed app transaction, once for each of these. One that does not verify is
// refused. Purchases with the token that nobody owns become the user's. Repeating it is safe.
func (c *Client) RegisterAccount(ctx context.Context, params RegisterAccountParams) (*RegisterAccountResult, error) {
	var result RegisterAccountResult
	if err := c.call(ctx, "registerAccount", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// VerifyPurchase: Link a signed purchase to a user. A claim that differs from what is signed is
// refused. A purchase is never taken from another user, and one whose newest token is nobody's
// must be named in appAccountToken or be derived. Repeating it is safe.
func (c *Client) VerifyPurchase(ctx context.Context, params VerifyPurchaseParams) (*VerifyPurchaseResult, error) {
	var result VerifyPurchaseResult
	if err := c.call(ctx, "verifyPurchase", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// RestorePurchases: Link what a user's device knows of their purchases. A purchase of another user
// goes by accounts.transferPolicy; where what is shown was signed before they bought or showed it,
// it is `refused`. One whose newest token is nobody's is `refused`, unless the token is named or
// derived. Credit packs are credited to whom they belong and are not listed. One document that
// does not verify fails the call, with its place in data.index, and nothing is applied.
func (c *Client) RestorePurchases(ctx context.Context, params RestorePurchasesParams) (*RestorePurchasesResult, error) {
	var result RestorePurchasesResult
	if err := c.call(ctx, "restorePurchases", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// VerifyReceipt: Link the purchases of an app receipt of the time before StoreKit 2. The receipt
// is verified here; Apple's verifyReceipt is not called. A receipt carries no token: where a
// notification brought one that is nobody's, it must be named or derived. Of a receipt that also
// holds another user's purchases, what may be the caller's is linked; where nothing may, the call
// fails with -32021.
func (c *Client) VerifyReceipt(ctx context.Context, params VerifyReceiptParams) (*VerifyReceiptResult, error) {
	var result VerifyReceiptResult
	if err := c.call(ctx, "verifyReceipt", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// SignOffer: Sign a promotional offer, as StoreKit asks the server to. In both of Apple's forms,
// with the key of apple.api; the nonce and the moment are the daemon's, and count for 24 hours.
// Whether the user may have the offer is for the caller to decide. Needs apple.api in the
// configuration.
func (c *Client) SignOffer(ctx context.Context, params SignOfferParams) (*SignOfferResult, error) {
	var result SignOfferResult
	if err := c.call(ctx, "signOffer", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// SignIntroductoryOffer: Sign who gets an introductory offer, as StoreKit asks the server to.
// Overrules what StoreKit would decide by itself, for one transaction's customer and a product. A
// JWS with the key of apple.api; the nonce and the moment are the daemon's. Needs apple.api in the
// configuration.
func (c *Client) SignIntroductoryOffer(ctx context.Context, params SignIntroductoryOfferParams) (*SignIntroductoryOfferResult, error) {
	var result SignIntroductoryOfferResult
	if err := c.call(ctx, "signIntroductoryOffer", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ConsumeCredit: Spend credits, once per key. The first answer under a key, also insufficient, is
// kept for 30 days and given again.
func (c *Client) ConsumeCredit(ctx context.Context, params ConsumeCreditParams) (*ConsumeCreditResult, error) {
	var result ConsumeCreditResult
	if err := c.call(ctx, "consumeCredit", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ReserveCredits: Set credits aside for a render whose success is not known yet.
func (c *Client) ReserveCredits(ctx context.Context, params ReserveCreditsParams) (*ReserveCreditsResult, error) {
	var result ReserveCreditsResult
	if err := c.call(ctx, "reserveCredits", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// CommitReservation: Spend what is held, or a part of it; the rest returns.
func (c *Client) CommitReservation(ctx context.Context, params CommitReservationParams) (*CommitReservationResult, error) {
	var result CommitReservationResult
	if err := c.call(ctx, "commitReservation", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ReleaseReservation: Give back what is held.
func (c *Client) ReleaseReservation(ctx context.Context, params ReleaseReservationParams) (*ReleaseReservationResult, error) {
	var result ReleaseReservationResult
	if err := c.call(ctx, "releaseReservation", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ReverseCredits: Put a charge back into the buckets that it came from; what has ended stays
// ended.
func (c *Client) ReverseCredits(ctx context.Context, params ReverseCreditsParams) (*ReverseCreditsResult, error) {
	var result ReverseCreditsResult
	if err := c.call(ctx, "reverseCredits", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// MergeAccounts: Give what an anonymous account has to the one that logged in, in one commit.
// Purchases, tokens, grants, credits, holds and the history go; free credits stay once. The first
// account is gone: its tokens lead to the second, registerAccount and every other write that names
// it is ownership_conflict with the reason merged, and keys that were used under it keep their
// first answers: the same method and parameters replay under the second id, too, unless that has
// used the key itself. A charge of the first one is put back by reverseCredits of the second.
func (c *Client) MergeAccounts(ctx context.Context, params MergeAccountsParams) (*MergeAccountsResult, error) {
	var result MergeAccountsResult
	if err := c.call(ctx, "mergeAccounts", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GrantEntitlement: Give a user the access of a plan. An unknown plan is invalid_params. A
// repeated key with the same parameters gets the first answer, with others idempotency_mismatch.
func (c *Client) GrantEntitlement(ctx context.Context, params GrantEntitlementParams) (*GrantEntitlementResult, error) {
	var result GrantEntitlementResult
	if err := c.call(ctx, "grantEntitlement", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// RevokeGrant: Take a grant back; one that was taken back before is not_found.
func (c *Client) RevokeGrant(ctx context.Context, params RevokeGrantParams) (*RevokeGrantResult, error) {
	var result RevokeGrantResult
	if err := c.call(ctx, "revokeGrant", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// MovePurchase: Give a purchase to a user, whoever has it now; whoever buys it anew later has it
// then.
func (c *Client) MovePurchase(ctx context.Context, params MovePurchaseParams) (*MovePurchaseResult, error) {
	var result MovePurchaseResult
	if err := c.call(ctx, "movePurchase", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Find: Whose something is: a user id, a token, an account id, or an order, transaction or
// purchase number of any store. A user id is looked for first, then a token, then what a store
// calls a purchase. For the number of an order or a transaction all purchases are looked through,
// which takes seconds where there are millions.
func (c *Client) Find(ctx context.Context, params FindParams) (*FindResult, error) {
	var result FindResult
	if err := c.call(ctx, "find", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GrantCredits: Give a user credits.
func (c *Client) GrantCredits(ctx context.Context, params GrantCreditsParams) (*GrantCreditsResult, error) {
	var result GrantCreditsResult
	if err := c.call(ctx, "grantCredits", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// AdjustCredits: Correct a user's credits, up or down; stops at 0.
func (c *Client) AdjustCredits(ctx context.Context, params AdjustCreditsParams) (*AdjustCreditsResult, error) {
	var result AdjustCreditsResult
	if err := c.call(ctx, "adjustCredits", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// SendConsumption: Answer Apple's question about a purchase whose refund is asked for. Apple asks
// with CONSUMPTION_REQUEST and waits for 12 hours. The consent and the data are the caller's.
// Where several apps are configured and none is named, each is asked in turn until one knows the
// transaction. Needs apple.api in the configuration.
func (c *Client) SendConsumption(ctx context.Context, params SendConsumptionParams) (*SendConsumptionResult, error) {
	var result SendConsumptionResult
	if err := c.call(ctx, "sendConsumption", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ExtendRenewal: Give a subscriber days, by the store itself. Apple does so for a subscription
// that is paid, twice in 365 days for a customer. A request that Apple did not answer is not
// repeated, because it may have been carried out. Needs apple.api in the configuration.
func (c *Client) ExtendRenewal(ctx context.Context, params ExtendRenewalParams) (*ExtendRenewalResult, error) {
	var result ExtendRenewalResult
	if err := c.call(ctx, "extendRenewal", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Dump: A page of what is kept. Values are decoded. A page ends early where the reply would be
// longer than a frame, so only a null cursor says that it was the last.
func (c *Client) Dump(ctx context.Context, params DumpParams) (*DumpResult, error) {
	var result DumpResult
	if err := c.call(ctx, "dump", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Get: One row.
func (c *Client) Get(ctx context.Context, params GetParams) (*GetResult, error) {
	var result GetResult
	if err := c.call(ctx, "get", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Load: Take in rows as dump writes them. One call is one entry of the journal: all of it or
// nothing. A row that is here with another value refuses the call, with its place in data.index;
// one that is equal counts as loaded. Rows of meta, alarms, ticks and tombstones are passed over.
// Load every page of a dump before the users come.
func (c *Client) Load(ctx context.Context, params LoadParams) (*LoadResult, error) {
	var result LoadResult
	if err := c.call(ctx, "load", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// PreviewCatalog: Whose status would be another one if a catalog were in force. Accounts are
// looked at under the present catalog and under the one given, page by page. Credits that a new
// catalog gives for earlier purchases are not in it.
func (c *Client) PreviewCatalog(ctx context.Context, params PreviewCatalogParams) (*PreviewCatalogResult, error) {
	var result PreviewCatalogResult
	if err := c.call(ctx, "previewCatalog", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// EraseUser: Forgets a person. Every row about the person goes; the rows of the journal keep
// amounts, and a pseudonym in the place of the user id, the tokens and the ids of the store. What
// stores say of the person later is answered and not kept, until registerAccount names the person
// again; then free credits are not given a second time. Backups made before still hold the person.
func (c *Client) EraseUser(ctx context.Context, params EraseUserParams) (*EraseUserResult, error) {
	var result EraseUserResult
	if err := c.call(ctx, "eraseUser", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ExportUser: Everything kept about a person. One reply for most people. Where it would be longer
// than a frame, the lists go on on the next page; the account stands on every page.
func (c *Client) ExportUser(ctx context.Context, params ExportUserParams) (*ExportUserResult, error) {
	var result ExportUserResult
	if err := c.call(ctx, "exportUser", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Backup: Copy one consistent state into a new directory. Made under another name, flushed,
// verified by replaying its journal, then renamed. Writes go on meanwhile. One at a time.
func (c *Client) Backup(ctx context.Context, params BackupParams) (*BackupResult, error) {
	var result BackupResult
	if err := c.call(ctx, "backup", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// SetLogLevel: Change what is logged, until the configuration is read again.
func (c *Client) SetLogLevel(ctx context.Context, params SetLogLevelParams) (*SetLogLevelResult, error) {
	var result SetLogLevelResult
	if err := c.call(ctx, "setLogLevel", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Stats: Figures about the daemon.
func (c *Client) Stats(ctx context.Context, params StatsParams) (*StatsResult, error) {
	var result StatsResult
	if err := c.call(ctx, "stats", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Reconcile: Ask the store what was missed. Needs the API of a store in the configuration. Without
// a user it is for support. About one user the stores are asked at most once in 60 s; in between
// the present status is answered, and applied is false.
func (c *Client) Reconcile(ctx context.Context, params ReconcileParams) (*ReconcileResult, error) {
	var result ReconcileResult
	if err := c.call(ctx, "reconcile", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// TestNotification: Wait for a test notification of a store. The check of the set-up that every
// new operator wants. Apple is asked to send one, which needs apple.api in the configuration.
// Google sends one when somebody presses a button in the Play Console, meanwhile. Stripe has none.
func (c *Client) TestNotification(ctx context.Context, params TestNotificationParams) (*TestNotificationResult, error) {
	var result TestNotificationResult
	if err := c.call(ctx, "testNotification", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Ping: Whether the daemon answers. Answers before the daemon is ready, too.
func (c *Client) Ping(ctx context.Context, params PingParams) (*PingResult, error) {
	var result PingResult
	if err := c.call(ctx, "ping", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Version: Which daemon answers. Answers before the daemon is ready, too.
func (c *Client) Version(ctx context.Context, params VersionParams) (*VersionResult, error) {
	var result VersionResult
	if err := c.call(ctx, "version", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// GetOutboxes: How far each outbox is, what fails in it and what is parked.
func (c *Client) GetOutboxes(ctx context.Context, params GetOutboxesParams) (*GetOutboxesResult, error) {
	var result GetOutboxesResult
	if err := c.call(ctx, "getOutboxes", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// RetryOutbox: Tell a system again what was given up. Everything that is parked, or one of it;
// what failed is tried at once. Of a user the newest change alone is told, or the present state,
// which say all. What cannot be told again stays parked: an erasure, because nothing says any more
// whose it was. With everything the state of every account is told.
func (c *Client) RetryOutbox(ctx context.Context, params RetryOutboxParams) (*RetryOutboxResult, error) {
	var result RetryOutboxResult
	if err := c.call(ctx, "retryOutbox", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// SkipOutbox: Give up a change that an outbox tells, so that the user's next one is told.
func (c *Client) SkipOutbox(ctx context.Context, params SkipOutboxParams) (*SkipOutboxResult, error) {
	var result SkipOutboxResult
	if err := c.call(ctx, "skipOutbox", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// TestOutbox: Post a message of type entitlement.test to a system that is told of changes, now.
func (c *Client) TestOutbox(ctx context.Context, params TestOutboxParams) (*TestOutboxResult, error) {
	var result TestOutboxResult
	if err := c.call(ctx, "testOutbox", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}
