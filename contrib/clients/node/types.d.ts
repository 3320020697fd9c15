// Made by contrib/clients/generate.py from proto/openrpc.json.

/** A word that a newer daemon may add to. */
export type Word<Known extends string> = Known | (string & {});

/** Whether a user may render. */
export interface RenderAnswer {
  /** Whether the user may render. */
  canRender: boolean;
  /** What lets the user in; null where nothing does. free: the plan free names the feature. */
  via: Word<"subscription" | "grace" | "grant" | "credits" | "free"> | null;
  /**
   * What an account is, in one word, the first that matches: trial also when cancelled during the
   * trial; subscribed is any other access by subscription, grace or grant.
   */
  state: Word<"no_account" | "trial" | "subscribed" | "free_with_credits" | "free_no_credits">;
  /**
   * Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by
   * a plan that does not name the feature. unknown_product: something is paid for that no plan
   * names. sandbox_not_admitted: apple.sandboxAccess does not let this user in.
   */
  reason: Word<"no_account" | "not_in_plan" | "unknown_product" | "sandbox_not_admitted" | "revoked" | "pending" | "paused" | "billing_retry" | "expired" | "credits_exhausted" | "never_subscribed"> | null;
  /** The first moment at which the answer changes if nothing more is heard. */
  nextChangeAt: string | null;
  /** The journal position that the answer reflects. */
  seq: number;
}

/** Whether a user may use a feature. */
export interface FeatureAnswer {
  /** Whether the user may use it. */
  allowed: boolean;
  /** What lets the user in; null where nothing does. free: the plan free names the feature. */
  via: Word<"subscription" | "grace" | "grant" | "credits" | "free"> | null;
  /**
   * What an account is, in one word, the first that matches: trial also when cancelled during the
   * trial; subscribed is any other access by subscription, grace or grant.
   */
  state: Word<"no_account" | "trial" | "subscribed" | "free_with_credits" | "free_no_credits">;
  /**
   * Why not, the first that matches; null where allowed is true. not_in_plan: there is access, by a
   * plan that does not name the feature. unknown_product: something is paid for that no plan names.
   * sandbox_not_admitted: apple.sandboxAccess does not let this user in.
   */
  reason: Word<"no_account" | "not_in_plan" | "unknown_product" | "sandbox_not_admitted" | "revoked" | "pending" | "paused" | "billing_retry" | "expired" | "credits_exhausted" | "never_subscribed"> | null;
  /** The first moment at which the answer changes if nothing more is heard. */
  nextChangeAt: string | null;
  /** The journal position that the answer reflects. */
  seq: number;
}

/** All that is said about a user at once. */
export interface Status {
  /** The user. */
  userId: string;
  /**
   * What an account is, in one word, the first that matches: trial also when cancelled during the
   * trial; subscribed is any other access by subscription, grace or grant.
   */
  state: Word<"no_account" | "trial" | "subscribed" | "free_with_credits" | "free_no_credits">;
  /** Whether the user may render once. */
  canRender: boolean;
  /** Access by subscription, grace or grant, trials included. */
  isSubscriber: boolean;
  /** Whether the user ever owned a subscription. */
  hadSubscription: boolean;
  /** The credits that can be spent now. */
  creditsRemaining: number;
  /** The plan that holds; null without an account. */
  plan: string | null;
  /** The tier of the plan. */
  tier: string;
  /** The limits of the plan, as the catalog has them; `null` is no limit. */
  limits: Record<string, unknown>;
  /**
   * What gives access now: app_store_subscription, google_play, stripe, grant, or the store that a
   * grant names; null where nothing does.
   */
  subscriptionMethod: string | null;
  /** The end of what is paid, or of the grant. */
  expiresAt: string | null;
  /** The first moment at which the answer changes if nothing more is heard. */
  nextChangeAt: string | null;
  /**
   * Which paywall to show: none with access by subscription, grace or grant, and to somebody who
   * pays for a product that no plan names.
   */
  paywall: Word<"none" | "resubscribe" | "start_trial" | "subscribe">;
  /**
   * Whether two subscriptions of one environment renew: the user pays twice. The daemon cancels
   * neither.
   */
  duplicateSubscriptions: boolean;
  /** The subscription shown, if there is one. */
  subscription: Subscription | null;
  /** The journal position that the answer reflects. */
  seq: number;
}

/** One subscription. */
export interface Subscription {
  /** What a subscription is, in one word. */
  status: Word<"revoked" | "pending" | "cancelled" | "trial" | "subscribed" | "grace_period" | "paused" | "billing_retry" | "expired">;
  /** The product of the current transaction. */
  productId: string;
  /** The product from the next renewal on, if it changes. */
  pendingProductId: string | null;
  /** The store that sold it. */
  store: string;
  /** Production or Sandbox. */
  environment: Word<"Production" | "Sandbox">;
  /** The store's name for the subscription. */
  originalTransactionId: string;
  /** The store's name for the current transaction. */
  transactionId: string | null;
  /** When the current transaction was made. */
  purchasedAt: string | null;
  /** The end of what is paid. */
  expiresAt: string | null;
  /** The end of the grace period, if there is one. */
  gracePeriodExpiresAt: string | null;
  /** Whether it renews; null if the store has not said. */
  autoRenew: boolean | null;
  /** Whether the current period is a free trial. */
  isTrial: boolean;
  /** When the renewal was turned off. */
  cancelledAt: string | null;
  /** When the store took it back. */
  revokedAt: string | null;
  /** Whether a renewal is due and the store has not been heard. */
  stale: boolean;
}

/** One of all subscriptions of a user, with what its current period was bought for. */
export interface OwnedSubscription {
  /** What a subscription is, in one word. */
  status: Word<"revoked" | "pending" | "cancelled" | "trial" | "subscribed" | "grace_period" | "paused" | "billing_retry" | "expired">;
  /** The product of the current transaction. */
  productId: string;
  /** The product from the next renewal on, if it changes. */
  pendingProductId: string | null;
  /** The store that sold it. */
  store: string;
  /** Production or Sandbox. */
  environment: Word<"Production" | "Sandbox">;
  /** The store's name for the subscription. */
  originalTransactionId: string;
  /** The store's name for the current transaction. */
  transactionId: string | null;
  /** When the current transaction was made. */
  purchasedAt: string | null;
  /** The end of what is paid. */
  expiresAt: string | null;
  /** The end of the grace period, if there is one. */
  gracePeriodExpiresAt: string | null;
  /** Whether it renews; null if the store has not said. */
  autoRenew: boolean | null;
  /** Whether the current period is a free trial. */
  isTrial: boolean;
  /** When the renewal was turned off. */
  cancelledAt: string | null;
  /** When the store took it back. */
  revokedAt: string | null;
  /** Whether a renewal is due and the store has not been heard. */
  stale: boolean;
  /** The group of subscriptions of which a customer has one at a time. */
  group: string | null;
  /** PURCHASED or FAMILY_SHARED, as the store writes it. */
  ownership: string | null;
  /** The offer, if there was one. */
  offer: OwnedSubscriptionOffer | null;
  /** The price, in thousandths of the currency. */
  price: number | null;
  /** The currency, in letters of ISO 4217. */
  currency: string | null;
  /** The country of the storefront, in letters of ISO 3166. */
  storefront: string | null;
  /** BILLED_UPFRONT or MONTHLY, as the store writes it. */
  billingPlan: string | null;
  /** The end of the payments to which the customer is bound. */
  commitmentExpiresAt: string | null;
  /** Whether it gives access now. */
  givesAccess: boolean;
}

/** An offer under which a period was bought. */
export interface OwnedSubscriptionOffer {
  /** 1 introductory, 2 promotional, 3 offer code, 4 win-back. */
  type: number | null;
  /** Which one, as you named it. */
  id: string | null;
  /** What it does to the price: FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME. */
  discount: string | null;
  /** How long it lasts: a duration of ISO 8601. */
  period: string | null;
}

/** Whether a user has access by a purchase or a grant. */
export interface Entitlement {
  /** Whether the user has access. */
  isActive: boolean;
  /** The product that gives it. */
  productId?: string;
  /** Its end. */
  expiresAt?: string;
  /** The store's name for the subscription. */
  originalTransactionId?: string;
  /** Production or Sandbox. */
  environment?: Word<"Production" | "Sandbox">;
}

/** A row of the daemon's tables, as dump writes it and load takes it. */
export interface Row {
  /** Its table. */
  table: string;
  /** Its key in that table: text, or base64 where it is not UTF-8. */
  key: unknown;
  /** The decoded value. */
  value: unknown;
}

/** What is left of the map, or of the disk. */
export interface Space {
  /** The whole. */
  bytes: number;
  /** What is free. */
  freeBytes: number;
  /** What is taken in a day, less what is given back; null in the first hour. */
  bytesPerDay: number | null;
  /** How many days the rest lasts at that rate; null where nothing is taken, or in the first hour. */
  daysLeft: number | null;
}

/** A change of one user's status, as a watch is told of it. */
export interface EntitlementChange {
  /** Its position in the journal; to go on after it, watch from here. */
  seq: number;
  /** The user. */
  userId: string;
  /** Why a status changed. */
  cause: Word<"registered" | "notification" | "verified" | "restored" | "transferred" | "reconciled" | "granted" | "grant_revoked" | "credits_granted" | "credits_adjusted" | "consumed" | "reserved" | "committed" | "released" | "reversed" | "clock" | "erased">;
  /** The account after it. */
  status: Status;
  /**
   * True where it stands for older changes of the same user too, because too many waited; absent
   * elsewhere.
   */
  coalesced?: boolean;
}

/**
 * What a store said of a user's purchase and what changed no status: a price that will rise, a
 * question about consumption, a refund that was declined. It goes to watchers of the owner.
 */
export interface StoreEvent {
  /** Its position in the journal; to go on after it, watch from here. */
  seq: number;
  /** Whose purchase it is. */
  userId: string;
  /** The store, for example `app_store`. */
  store: string;
  /** The store's word for what happened, for example `CONSUMPTION_REQUEST`. */
  type: string;
  /** The store's word for how; absent for none. */
  subtype?: string;
  /** What was bought. */
  productId: string;
  /** The store's name for the transaction. */
  transactionId: string;
  /** The store's name for the purchase, over all its transactions. */
  originalTransactionId: string;
  /** Production or Sandbox. */
  environment: Word<"Production" | "Sandbox">;
  /** When the transaction's period began. */
  purchasedAt: string;
  /** When it ends; absent for what does not end. */
  expiresAt?: string;
  /** When it was refunded or withdrawn. */
  revokedAt?: string;
  /** The price, in thousandths of the currency. */
  price?: number;
  /** The currency, in the letters of ISO 4217. */
  currency?: string;
  /** The offer that it was bought with. */
  offerId?: string;
  /**
   * True where it stands for older ones of the same user too, because too many waited; absent
   * elsewhere.
   */
  coalesced?: boolean;
}

/** Another catalog holds, which may change the status of anybody. */
export interface CatalogChange {
  /** Its position in the journal; to go on after it, watch from here. */
  seq: number;
  /** Counts the catalogs. */
  version: number;
}

/** The daemon is there, and everything up to this position was told. */
export interface Heartbeat {
  /** The position. */
  seq: number;
}

/** Changes were missed that the daemon no longer keeps in order: ask for the statuses that matter. */
export interface Resync {
  /** What comes after this position is told. */
  oldest: number;
}

/** A walk through the notifications that a store says it sent. */
export interface StoreWalk {
  /** Whether it asks for failed deliveries alone. */
  onlyFailures: boolean;
  /** From when on. */
  from: string;
  /** Until when. */
  until: string;
  /** The pages that came. */
  pages: number;
  /** The notifications in them. */
  documents: number;
  /** How many had something newer. */
  applied: number;
  /** How many do not verify. */
  refused: number;
}

/** The walks of one app in one environment, and what was asked of the store there. */
export interface StoreWalks {
  /** The one under way. */
  walk: StoreWalk | null;
  /** When the last completed walk over everything began. */
  completedAt: string | null;
  /** When the last completed walk over failed deliveries began. */
  failuresCompletedAt: string | null;
  /** How many were completed. */
  completed: number;
  /** How many were not. */
  incomplete: number;
  /** Why the last one was not; null if it was. */
  detail: string | null;
  /** The requests since the start. */
  requests: number;
  /** How many of them failed. */
  failures: number;
  /** How many the store refused because there were too many. */
  limited: number;
  /**
   * Whether requests are sent: `closed` says yes, `open` says no for a while after failures,
   * `probing` waits for the one that is tried.
   */
  circuit: string;
}

/** A sweep: every subscription of which something is due is asked about. */
export interface StoreSweep {
  /** Whether it is under way. */
  isRunning: boolean;
  /** When it began. */
  startedAt: string;
  /** The subscriptions looked at. */
  looked: number;
  /** How many were asked about. */
  asked: number;
  /** How many had something newer. */
  applied: number;
  /** How many the store does not know. */
  unknown: number;
  /** How many answers do not verify. */
  refused: number;
}

/** How one store is asked. */
export interface StoreProgress {
  /** Whether a store is being asked at this moment. */
  running: boolean;
  /** What is being done. */
  phase: Word<"idle" | "sweep" | "failures" | "history">;
  /** The notifications of the walk, or the subscriptions of the sweep, so far. */
  done: number;
  /** All subscriptions that are kept; null where nobody knows. */
  total: number | null;
  /** The walks, by app and environment. */
  environments: Record<string, StoreWalks>;
  /** The sweep under way, or the last one. */
  sweep: StoreSweep | null;
  /** Why the sweep is interrupted; null if it is not. */
  sweepDetail: string | null;
  /** When the last sweep was completed. */
  sweptAt: string | null;
  /** Subscriptions that were asked about because no message about them came. */
  silentAsked: number;
  /** Documents of the store with something newer. */
  applied: number;
  /** Documents of the store that do not verify. */
  refused: number;
  /** Renewals that were due and did not come since the store was last heard; counted up to 20. */
  renewalsMissed: number;
  /** Whether the store is unexpectedly silent. */
  storeIsSilent: boolean;
}

/**
 * How the stores are asked: where one store has an API, the members of StoreProgress; where
 * several have, `running` and `stores`.
 */
export interface Reconciling {
  /** Whether a store is being asked at this moment. */
  running: boolean;
  /** What is being done. */
  phase?: Word<"idle" | "sweep" | "failures" | "history">;
  /** The notifications of the walk, or the subscriptions of the sweep, so far. */
  done?: number;
  /** All subscriptions that are kept; null where nobody knows. */
  total?: number | null;
  /** The walks, by app and environment. */
  environments?: Record<string, StoreWalks>;
  /** The sweep under way, or the last one. */
  sweep?: StoreSweep | null;
  /** Why the sweep is interrupted; null if it is not. */
  sweepDetail?: string | null;
  /** When the last sweep was completed. */
  sweptAt?: string | null;
  /** Subscriptions that were asked about because no message about them came. */
  silentAsked?: number;
  /** Documents of the store with something newer. */
  applied?: number;
  /** Documents of the store that do not verify. */
  refused?: number;
  /** Renewals that were due and did not come since the store was last heard; counted up to 20. */
  renewalsMissed?: number;
  /** Whether the store is unexpectedly silent. */
  storeIsSilent?: boolean;
  /** Where several stores have an API: how each is asked, by its name. */
  stores?: Record<string, StoreProgress>;
}

/** The parameters of canRender. */
export interface CanRenderParams {
  /** The user. */
  userId: string;
  /** The price in credits, where credits pay. */
  cost?: number;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** The parameters of can. */
export interface CanParams {
  /** The user. */
  userId: string;
  /** The feature, in the words of the catalog. */
  feature: string;
  /** The price in credits, where credits pay. */
  cost?: number;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** The parameters of getStatus. */
export interface GetStatusParams {
  /** The user. */
  userId: string;
  /** A past moment: what the daemon knew then. */
  at?: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** The parameters of getEntitlement. */
export interface GetEntitlementParams {
  /** The user. */
  userId: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What getEntitlement answers. */
export interface GetEntitlementResult {
  /** Whether a user has access by a purchase or a grant. */
  entitlement: Entitlement;
}

/** The parameters of getSubscriptions. */
export interface GetSubscriptionsParams {
  /** The user. */
  userId: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What getSubscriptions answers. */
export interface GetSubscriptionsResult {
  subscriptions: Array<OwnedSubscription>;
}

/** The parameters of getCredits. */
export interface GetCreditsParams {
  /** The user. */
  userId: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** A user's credits. */
export interface GetCreditsResult {
  /** What can be spent now, holds taken out. */
  balance: number;
  /** What reservations set aside. */
  held: number;
  /** Where the credits come from, in the order of spending: soonest end first. */
  buckets: Array<GetCreditsBucket>;
}

/** Credits of one origin. */
export interface GetCreditsBucket {
  /** How many. */
  amount: number;
  /** When they end; null for never. */
  expiresAt: string | null;
  /**
   * Where they come from: `free`, `pack:PRODUCT`, `period:PRODUCT`, `trial:PRODUCT`, or what an
   * admin said.
   */
  source: string;
}

/** The parameters of getManagementURL. */
export interface GetManagementURLParams {
  /** The user. */
  userId: string;
  /** Where the user reads the page; without it, that of the store of the subscription shown. */
  platform?: "ios" | "android" | "web";
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What getManagementURL answers. */
export interface GetManagementURLResult {
  url: string | null;
}

/** The parameters of getHistory. */
export interface GetHistoryParams {
  /** The user. */
  userId: string;
  /** Events after this position. */
  afterSeq?: number;
  /** How many at most; events of one position are never parted. */
  limit?: number;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** A page of what changed for a user. */
export interface GetHistoryResult {
  /** The changes, oldest first; none after the last one. */
  events: Array<GetHistoryEvent>;
  /**
   * Where the journal was pruned before this moment, and the user was known then: what changed up to
   * it is not told any more.
   */
  oldest?: string;
}

/** What changed for a user, when, why, and what was true before and after. */
export interface GetHistoryEvent {
  /** Its place in the journal. */
  seq: number;
  /** When it changed. */
  at: string;
  /** Why a status changed. */
  cause: Word<"registered" | "notification" | "verified" | "restored" | "transferred" | "reconciled" | "granted" | "grant_revoked" | "credits_granted" | "credits_adjusted" | "consumed" | "reserved" | "committed" | "released" | "reversed" | "clock" | "erased">;
  /** The account before it. */
  before: Status;
  /** The account after it. */
  after: Status;
  /** Who had it done; null where a store, time or the daemon did. */
  by: GetHistoryEventBy | null;
  /** What was done: the members that apply. */
  detail: GetHistoryEventDetail;
}

/** Who had it done. */
export interface GetHistoryEventBy {
  /** The role in which they called: `reader`, `app`, `support` or `admin`. */
  role: Word<"reader" | "app" | "support" | "admin">;
  /** The user of the system, as the kernel says; absent for a caller over HTTPS. */
  uid?: number;
  /** The name of the caller's token; absent for a caller at a socket. */
  token?: string;
}

/** What was done: the members that apply. */
export interface GetHistoryEventDetail {
  /** The store. */
  store?: string;
  /** The store's word for what happened. */
  type?: string;
  /** The store's word for how. */
  subtype?: string;
  /** What was bought. */
  productId?: string;
  /** The store's name for the transaction. */
  transactionId?: string;
  /** The price, in thousandths of the currency. */
  price?: number;
  /** The currency, in letters of ISO 4217. */
  currency?: string;
  /** How many credits. */
  amount?: number;
  /** The plan that was given. */
  plan?: string;
  /** The name of the grant. */
  grant?: string;
  /** Why an admin did it. */
  reason?: string;
  /** Where credits come from. */
  source?: string;
}

/** The parameters of explain. */
export interface ExplainParams {
  /** The user. */
  userId: string;
  /** A past moment. */
  at?: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** Why a status is what it is. */
export interface ExplainResult {
  /** The moment that it holds for. */
  at: string;
  /** The rule that decided, in one word. */
  rule: string;
  /** The same, as a sentence. */
  because: string;
  /** Counts the catalogs installed. */
  catalogVersion: number;
  /** The purchases, with everything that the store said of them. */
  facts: Array<Record<string, unknown>>;
  /** The grants that were used. */
  grants: Array<Record<string, unknown>>;
  /** `balance`, `held`, `owed`, and `buckets`, those of paid periods to come included. */
  credits: Record<string, unknown>;
  /** The account at that moment. */
  status: Status;
  /** The journal position that the answer reflects. */
  seq: number;
}

/** The parameters of registerAccount. */
export interface RegisterAccountParams {
  /** The user. */
  userId: string;
  /** The token; derived from the user when absent. */
  appAccountToken?: string;
  /** The signed app transaction of the user's device. */
  signedAppTransaction?: string;
}

/** What registering an account came to. */
export interface RegisterAccountResult {
  /** The token to hand to the store with every purchase. */
  appAccountToken: string;
  /** Whether this call began the account. */
  created: boolean;
  /** The credits that can be spent now. */
  creditsRemaining: number;
  /** For `setObfuscatedAccountId` of Google Play: SHA-256 of the namespace, a colon and the user id. */
  obfuscatedAccountId: string;
}

/** The parameters of verifyPurchase. */
export interface VerifyPurchaseParams {
  /** The user. */
  userId: string;
  /** The signed transaction; without it the store is asked for `transactionId`. */
  signedTransaction?: string;
  /** What Google Play gave the device; the store is asked for the purchase. */
  purchaseToken?: string;
  /** A visit to Stripe's payment page; Stripe is asked what was bought in it. */
  checkoutSession?: string;
  /** A subscription of Stripe's; Stripe is asked for it. */
  stripeSubscription?: string;
  /** The store's signed renewal information. */
  signedRenewalInfo?: string;
  /** Claim: which product was bought. */
  productId?: string;
  /** Claim: the store's name for the transaction. */
  transactionId?: string;
  /** Claim: the store's name for the subscription. */
  originalTransactionId?: string;
  /**
   * Claim: the token that the purchase was made with; names a signed token of nobody. A UUID, or
   * beside purchaseToken the account id that the app gave Google Play, up to 64 characters.
   */
  appAccountToken?: string;
}

/** What a purchase came to. */
export interface VerifyPurchaseResult {
  /** The access after it. */
  entitlement: Entitlement;
  /** The account after it. */
  status: Status;
  /** Whether a document was newer than what is kept. */
  applied: boolean;
}

/** The parameters of restorePurchases. */
export interface RestorePurchasesParams {
  /** The user. */
  userId: string;
  /** The device's transactions; these and purchaseTokens, or a receipt. */
  signedTransactions?: Array<string>;
  /** What Google Play gave the device; 1 to 100 with the transactions. */
  purchaseTokens?: Array<string>;
  /** An app receipt in their place, base64. */
  receiptData?: string;
  /**
   * Names a signed token of nobody as the user's, whichever of the documents carries it. A UUID, or
   * beside purchaseTokens an account id that the app gave Google Play, up to 64 characters.
   */
  appAccountToken?: string;
}

/** What restoring purchases came to. */
export interface RestorePurchasesResult {
  /** The access after it. */
  entitlement: Entitlement;
  /** The account after it. */
  status: Status;
  /** One for each subscription, in order of appearance. */
  results: Array<RestorePurchasesResultItem>;
}

/** One subscription. */
export interface RestorePurchasesResultItem {
  /** The store's name for it. */
  originalTransactionId: string;
  /** What became of the subscription. */
  outcome: Word<"linked" | "already_owned" | "moved" | "shared" | "refused">;
}

/** The parameters of verifyReceipt. */
export interface VerifyReceiptParams {
  /** The user. */
  userId: string;
  /** The receipt, base64. */
  receiptData: string;
  /** The product that is asked about. */
  productId?: string;
  /** Names a token of nobody on the receipt's purchases as the user's. */
  appAccountToken?: string;
}

/** What an app receipt came to. */
export interface VerifyReceiptResult {
  /** Whether the purchase gives access now. */
  isValid: boolean;
  /** Its end. */
  expiresAt: string | null;
  /**
   * The tier of the plan that the purchase gives; free where it gives none. That of the user is in
   * `status`.
   */
  tier: string;
  /** One sentence for people. */
  message: string;
  /** The account after it. */
  status: Status;
}

/** The parameters of signOffer. */
export interface SignOfferParams {
  /** The user. */
  userId: string;
  /** The subscription. */
  productId: string;
  /** The promotional offer, as App Store Connect names it. */
  offerId: string;
  /**
   * The token that the app passes to StoreKit with the purchase; when absent, the one that
   * registerAccount answers.
   */
  appAccountToken?: string;
  /**
   * In place of a token: the user name that the app passes to StoreKit; empty for a purchase with
   * neither.
   */
  applicationUsername?: string;
  /**
   * For the JWS: any transaction of the customer's, or the appTransactionId; when absent, one that
   * is known.
   */
  transactionId?: string;
  /** One of the configured apps; the default one when absent. */
  bundleId?: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What StoreKit takes with a promotional offer, in both of Apple's forms. */
export interface SignOfferResult {
  /** The app that it is signed for. */
  bundleId: string;
  /** The key: keyID of StoreKit. */
  keyId: string;
  /** The nonce: a UUID in small letters. */
  nonce: string;
  /** The moment in milliseconds since 1970, as StoreKit takes it. */
  timestamp: number;
  /** What was signed as the customer: the token, the user name, or nothing. */
  applicationUsername: string;
  /** The older form: a signature in base64. */
  signature: string;
  /** The newer form: a compact JWS. */
  jws: string;
}

/** The parameters of signIntroductoryOffer. */
export interface SignIntroductoryOfferParams {
  /** The user. */
  userId: string;
  /** The subscription. */
  productId: string;
  /** Whether the customer gets the offer; true unless named. */
  allowIntroductoryOffer?: boolean;
  /** Any transaction of the customer's, or the appTransactionId; when absent, one that is known. */
  transactionId?: string;
  /** One of the configured apps; the default one when absent. */
  bundleId?: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What StoreKit takes to know whether a customer gets an introductory offer. */
export interface SignIntroductoryOfferResult {
  /** The app that it is signed for. */
  bundleId: string;
  /** The transaction that it names. */
  transactionId: string;
  /** A compact JWS. */
  jws: string;
}

/** The parameters of consumeCredit. */
export interface ConsumeCreditParams {
  /** The user. */
  userId: string;
  /** The same key never charges twice. */
  idempotencyKey: string;
  /** How many. */
  amount?: number;
}

/** What a charge, or putting one back, came to. */
export interface ConsumeCreditResult {
  /**
   * What became of the credits. unlimited: the user's plan renders without counting; nothing was
   * charged or stored.
   */
  outcome: Word<"consumed" | "insufficient" | "unlimited">;
  /** What can be spent now. */
  creditsRemaining: number;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of reserveCredits. */
export interface ReserveCreditsParams {
  /** The user. */
  userId: string;
  /** The same key never reserves twice. */
  idempotencyKey: string;
  /** How many. */
  amount: number;
  /** After so long they return by themselves. */
  ttlSeconds: number;
  /** They return when this connection, or the daemon, ends. */
  releaseOnDisconnect?: boolean;
}

/** What setting credits aside came to. */
export interface ReserveCreditsResult {
  /**
   * What became of the credits. released: it was reserved under this key, and returned when its
   * connection ended.
   */
  outcome: Word<"reserved" | "insufficient" | "unlimited" | "released">;
  /**
   * The reservation's name, for commitReservation and releaseReservation; null where nothing is
   * held.
   */
  reservation: string | null;
  /** What can be spent now. */
  creditsRemaining: number;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
}

/** The parameters of commitReservation. */
export interface CommitReservationParams {
  /** Its name. */
  reservation: string;
  /** How many of the held credits; all when absent. */
  amount?: number;
}

/** How a reservation ended. */
export interface CommitReservationResult {
  /** How the reservation ended, whichever came first. A second commit gets the first answer. */
  outcome: Word<"committed" | "expired" | "released">;
  /** What can be spent now. */
  creditsRemaining: number;
}

/** The parameters of releaseReservation. */
export interface ReleaseReservationParams {
  /** Its name. */
  reservation: string;
}

/** How a reservation ended. */
export interface ReleaseReservationResult {
  /** How the reservation ended, whichever came first. */
  outcome: Word<"released" | "expired" | "committed">;
  /** What can be spent now. */
  creditsRemaining: number;
}

/** The parameters of reverseCredits. */
export interface ReverseCreditsParams {
  /** The user. */
  userId: string;
  /** The same key never puts back twice. */
  idempotencyKey: string;
  /** The key of the consumeCredit. */
  consumeKey: string;
}

/** What a charge, or putting one back, came to. */
export interface ReverseCreditsResult {
  /** What became of the charge. nothing: nothing was charged, or it was put back before. */
  outcome: Word<"reversed" | "nothing">;
  /** What can be spent now. */
  creditsRemaining: number;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
}

/** The parameters of mergeAccounts. */
export interface MergeAccountsParams {
  /** The anonymous account; without one, its id leads nowhere from now on. */
  fromUserId: string;
  /** The account that logged in. */
  intoUserId: string;
  /**
   * Of intoUserId. Who went into the same account before is answered as a repetition, whatever the
   * key.
   */
  idempotencyKey: string;
}

/** An account that went into another. */
export interface MergeAccountsResult {
  /** The account that has everything now. */
  status: Status;
  /** Whether it was done before. */
  replayed: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of grantEntitlement. */
export interface GrantEntitlementParams {
  /** The user. */
  userId: string;
  /** A plan of the catalog. */
  plan: string;
  /** The same key never makes a second grant. */
  idempotencyKey: string;
  /** The end. */
  expiresAt?: string;
  /** The beginning; now when absent. */
  startsAt?: string;
  /** What `subscriptionMethod` shows instead of grant. */
  store?: "app_store" | "google_play" | "stripe";
  /** Why, for the history. */
  reason?: string;
}

/** A grant that was made. */
export interface GrantEntitlementResult {
  /** The grant's name, for revokeGrant. */
  grant: string;
  /** The account after it. */
  status: Status;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of revokeGrant. */
export interface RevokeGrantParams {
  /** The user. */
  userId: string;
  /** The grant's name. */
  grant: string;
  /** Why, for the history. */
  reason?: string;
}

/** A grant that was taken back. */
export interface RevokeGrantResult {
  /** The account after it. */
  status: Status;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of movePurchase. */
export interface MovePurchaseParams {
  /** The store that sold it. */
  store: "app_store" | "google_play" | "stripe";
  /** What the store calls it. Where both environments have it, the one of Production. */
  originalTransactionId: string;
  /** Who is to have it. */
  toUserId: string;
  /** Why, for the history. */
  reason: string;
}

/** A purchase that was moved to another user. */
export interface MovePurchaseResult {
  /** The account that has it now. */
  status: Status;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of find. */
export interface FindParams {
  /** What to look for, as it is written. */
  text: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What find answers. */
export interface FindResult {
  matches: Array<FindMatch>;
}

/** Something that is called as support has asked. */
export interface FindMatch {
  /** Whose it is; null for nobody yet. */
  userId: string | null;
  /** What it is: `user`, `token`, `purchase` or `transaction`. */
  what: Word<"user" | "token" | "purchase" | "transaction">;
  /** The store that sold it; null for what is no purchase. */
  store: Word<"app_store" | "google_play" | "stripe"> | null;
  /** What the store calls the purchase. */
  originalTransactionId: string | null;
}

/** The parameters of grantCredits. */
export interface GrantCreditsParams {
  /** The user. */
  userId: string;
  /** How many. */
  amount: number;
  /** The same key never counts twice. */
  idempotencyKey: string;
  /** When they end; never when absent. */
  expiresAt?: string;
  /** Where they come from, as getCredits shows it; any word but free, the source at registration. */
  source?: string;
  /** Why, for the history. */
  reason?: string;
}

/** Credits that were given or corrected. */
export interface GrantCreditsResult {
  /** What can be spent now. */
  creditsRemaining: number;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of adjustCredits. */
export interface AdjustCreditsParams {
  /** The user. */
  userId: string;
  /** How many. */
  amount: number;
  /** The same key never counts twice. */
  idempotencyKey: string;
  /** When they end; never when absent. */
  expiresAt?: string;
  /**
   * Where they come from, as getCredits shows it; any word but free, the source at registration.
   * With free and a negative amount, credits of a registration alone are taken.
   */
  source?: string;
  /** Why, for the history. */
  reason?: string;
}

/** Credits that were given or corrected. */
export interface AdjustCreditsResult {
  /** What can be spent now. */
  creditsRemaining: number;
  /** Whether this is the stored first answer to the same key. */
  replayed: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of sendConsumption. */
export interface SendConsumptionParams {
  /** The purchase. */
  transactionId: string;
  /** Must be true: without the customer's consent nothing may be sent. */
  customerConsented: true;
  /** Whether the purchase reached the customer. */
  deliveryStatus: "DELIVERED" | "UNDELIVERED_QUALITY_ISSUE" | "UNDELIVERED_WRONG_ITEM" | "UNDELIVERED_SERVER_OUTAGE" | "UNDELIVERED_OTHER";
  /** Whether the customer could try it before. */
  sampleContentProvided: boolean;
  /** How much of it is used, in thousandths of a percent. */
  consumptionPercentage?: number;
  /** What the app's maker would like. */
  refundPreference?: "DECLINE" | "GRANT_FULL" | "GRANT_PRORATED";
  /** One of the configured apps; whichever knows the transaction when absent. */
  bundleId?: string;
}

/** What Apple says of a request that the daemon passed on. */
export interface SendConsumptionResult {
  /** Whether the store has taken it. */
  success: boolean;
  /** Apple's number of the error, where it has not. */
  errorCode?: number;
  /** Apple's words for it. */
  errorMessage?: string;
}

/** The parameters of extendRenewal. */
export interface ExtendRenewalParams {
  /** Any transaction of the subscription, or its originalTransactionId. */
  transactionId: string;
  /** How many. */
  extendByDays: number;
  /** Why: 0 undeclared, 1 customer satisfaction, 2 other, 3 a service issue. */
  extendReasonCode: number;
  /** What Apple calls this request; made up when absent. */
  requestIdentifier?: string;
  /** One of the configured apps; whichever knows the transaction when absent. */
  bundleId?: string;
}

/** What Apple says of a request that the daemon passed on. */
export interface ExtendRenewalResult {
  /** Whether the store has taken it. */
  success: boolean;
  /** The store's name for the subscription. */
  originalTransactionId?: string;
  /** What Apple calls the period that is prolonged. */
  webOrderLineItemId?: string | null;
  /** Until when the subscription is prolonged. */
  effectiveDate?: string | null;
  /** What Apple calls this request. */
  requestIdentifier?: string;
  /** Apple's number of the error, where it has not. */
  errorCode?: number;
  /** Apple's words for it. */
  errorMessage?: string;
}

/** The parameters of dump. */
export interface DumpParams {
  /** Only this table; all of them when absent. */
  table?: string;
  /** Only keys that begin so. */
  prefix?: string;
  /** Where the page before ended. */
  cursor?: string;
  /** How many rows at most. */
  limit?: number;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** A page of rows. */
export interface DumpResult {
  /** The journal position that the answer reflects. */
  seq: number;
  /** The rows. */
  entries: Array<Row>;
  /** For the next page; null after the last row. */
  cursor: string | null;
}

/** The parameters of get. */
export interface GetParams {
  /** The table. */
  table: string;
  /** The key, as dump shows it. */
  key: unknown;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What get answers. */
export interface GetResult {
  /** The decoded value. */
  value: unknown;
}

/** The parameters of load. */
export interface LoadParams {
  /** The rows. */
  entries: Array<Row>;
}

/** What load answers. */
export interface LoadResult {
  /** How many rows are now as they were to be. */
  loaded: number;
}

/** The parameters of previewCatalog. */
export interface PreviewCatalogParams {
  /** The content of a catalog file. */
  catalog: string;
  /** As the page before answered. */
  cursor?: string;
  /** How many accounts are looked at. */
  limit?: number;
}

/** A page of who would win or lose what under another catalog. */
export interface PreviewCatalogResult {
  /** How many accounts were looked at. */
  looked: number;
  /** Those whose status would be another. */
  changes: Array<PreviewCatalogChange>;
  /** Where the next page begins; null at the end. */
  cursor: string | null;
}

/** A user whose status would be another. */
export interface PreviewCatalogChange {
  /** The user. */
  userId: string;
  /** The members of the status that would be others, as they are. */
  before: Record<string, unknown>;
  /** The same, as they would be. */
  after: Record<string, unknown>;
}

/** The parameters of eraseUser. */
export interface EraseUserParams {
  /** Whom to forget. */
  userId: string;
}

/** What erasing a user came to. */
export interface EraseUserResult {
  /** Whether there was somebody to forget. */
  erased: boolean;
  /** Its place in the journal. */
  seq: number;
}

/** The parameters of exportUser. */
export interface ExportUserParams {
  /** The user. */
  userId: string;
  /** Where the page before ended. */
  cursor?: string;
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** Everything that is kept about a person. */
export interface ExportUserResult {
  /** The user. */
  userId: string;
  /** As dump writes it; null, and nothing else, for a user of whom nothing is kept. */
  account: Record<string, unknown> | null;
  /** The journal position that the answer reflects. */
  seq?: number;
  /** Where the journal was pruned before this moment: earlier events are not kept. */
  oldest?: string;
  /** Their tokens. */
  tokens?: Array<unknown>;
  /** With their facts, as dump writes them. */
  subscriptions?: Array<unknown>;
  /** First answers under their keys. */
  settlements?: Array<unknown>;
  /** Credits that were held. */
  reservations?: Array<unknown>;
  /** Credit packs. */
  packs?: Array<unknown>;
  /** The journal's entries about them, oldest first. */
  events?: Array<unknown>;
  /** For the next page; null after the last. */
  cursor?: string | null;
}

/** The parameters of backup. */
export interface BackupParams {
  /** Absolute, on the daemon's host, not there yet; it becomes a data directory. */
  path: string;
}

/** A backup that the daemon made. */
export interface BackupResult {
  /** Where it is, on the daemon's host. */
  path: string;
  /** The bytes of its files. */
  bytes: number;
  /**
   * SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where there
   * is one, in hexadecimal digits; `entitld verify` makes the same.
   */
  digest: string;
  /** The journal position that it holds. */
  seq: number;
}

/** The parameters of setLogLevel. */
export interface SetLogLevelParams {
  /** The least level. */
  level: "trace" | "debug" | "info" | "notice" | "warning" | "error" | "critical";
}

/** What setLogLevel answers. */
export interface SetLogLevelResult {
  level: string;
}

/** The parameters of stats. */
export interface StatsParams {
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** How the daemon is; the set grows. */
export interface StatsResult {
  /** The daemon's version. */
  version: string;
  /** The journal position that the answer reflects. */
  seq: number;
  /** For how long it has run. */
  uptimeSeconds: number;
  /** Counts the catalogs. */
  catalogVersion: number;
  /** The plans of the catalog in force. */
  plans: Array<string>;
  /** The commands decided since the start. */
  commands: number;
  /** The groups in which they were written to disk. */
  groups: number;
  /** The commands that wait. */
  queueDepth: number;
  /** Whether writes are refused because the disk is full. */
  storageFull: boolean;
  /** How often the clock jumped by more than a minute. */
  clockJumps: number;
  /** The journal. */
  journal: StatsJournal;
  /** The tables. */
  views: StatsViews;
  /** The space that is left: `map`, of the views' map, and `disk`. */
  space: StatsSpace;
  /** How the stores are asked; absent where none has an API. */
  reconcile?: Reconciling;
}

/** The journal. */
export interface StatsJournal {
  /** Its size in bytes. */
  bytes: number;
  /** The newest position that was pruned; 0 while everything is there. */
  prunedSeq: number;
  /** From when on everything is known; null while everything is there. */
  oldest: string | null;
}

/** The tables. */
export interface StatsViews {
  /** The size of the map. */
  mapBytes: number;
  /** How much of it is used. */
  usedBytes: number;
  /** How many read at the moment. */
  readers: number;
}

/** The space that is left: `map`, of the views' map, and `disk`. */
export interface StatsSpace {
  /** What is left of the map, or of the disk. */
  map?: Space;
  /** What is left of the map, or of the disk. */
  disk?: Space;
}

/** The parameters of reconcile. */
export interface ReconcileParams {
  /** About this user, and wait; without, begin a round through everything. */
  userId?: string;
}

/** What asking the stores came to. */
export interface ReconcileResult {
  /** With a user: whether something was newer than what was kept. */
  applied?: boolean;
  /** With a user: the account after it. */
  status?: Status;
  /** Without a user: true; progress is in stats. */
  running?: boolean;
}

/** The parameters of testNotification. */
export interface TestNotificationParams {
  /** Whose; app_store where it is absent. */
  store?: "app_store" | "google_play";
  /** How long. */
  timeoutSeconds?: number;
}

/** What became of a test notification. */
export interface TestNotificationResult {
  /** Whether it arrived at the daemon. */
  delivered: boolean;
  /** What Apple says of the attempt; null for Google. */
  sendAttemptResult: string | null;
}

/** The parameters of ping. */
export interface PingParams {
}

/** What ping answers. */
export interface PingResult {
}

/** The parameters of version. */
export interface VersionParams {
}

/** Which daemon answers. */
export interface VersionResult {
  /** The daemon's version. */
  entitld: string;
  /** The major version of the protocol: of frames, methods and words. */
  protocol: string;
  /** The version of what is on disk. */
  format: number;
}

/** The parameters of getOutboxes. */
export interface GetOutboxesParams {
  /** A journal position: the answer reflects it, or is -32031 after 200 ms. */
  minSeq?: number;
}

/** What getOutboxes answers. */
export interface GetOutboxesResult {
  outboxes: Array<GetOutboxesOutbox>;
}

/** How far an outbox is. */
export interface GetOutboxesOutbox {
  /** What the configuration calls it. */
  name: string;
  /** The system that is told. */
  url: string;
  /** `delivering`, or `down` while nothing goes through. */
  state: Word<"delivering" | "down">;
  /** The journal position up to which it has read. */
  through: number;
  /** Positions of the journal that it has still to read. */
  behind: number;
  /** Changes that it has read and that are not delivered. */
  waiting: number;
  /** Of those, the ones held back by settleSeconds. */
  held: number;
  /** Changes that were given up, mostly after three days. */
  parked: number;
  /** Whether it tells states, where the journal does not say what changed. */
  retelling: boolean;
  /** When a post last went through. */
  deliveredAt: string | null;
  /** When a post last failed. */
  failedAt: string | null;
  /** Why the last post that failed did. */
  failure: string | null;
  /** The oldest 20 that have failed and are tried again. */
  failing: Array<GetOutboxesOutboxFailing>;
  /** The newest 20 that were given up. */
  parkedChanges: Array<GetOutboxesOutboxParkedChange>;
}

/** A change that failed and is tried again. */
export interface GetOutboxesOutboxFailing {
  /** Its `webhook-id`. */
  id: string;
  /** Whose it is. */
  userId: string;
  /** Its position in the journal. */
  seq: number;
  /** How often it failed. */
  failures: number;
  /** Why, at the last attempt. */
  failure: string | null;
  /** When it is tried again. */
  nextAttemptAt: string | null;
}

/** A change that was given up. */
export interface GetOutboxesOutboxParkedChange {
  /** Its `webhook-id`. */
  id: string;
  /** What it says: a change, a state, or that a person was erased. */
  kind: Word<"change" | "state" | "erasure">;
  /** Its position in the journal. */
  seq: number;
  /** When it was given up. */
  parkedAt: string | null;
  /** Why it was given up. */
  failure: string;
}

/** The parameters of retryOutbox. */
export interface RetryOutboxParams {
  /** The outbox, as the configuration calls it. */
  name: string;
  /** This change alone. */
  id?: string;
  /** The state of every account. */
  everything?: boolean;
}

/** What retryOutbox answers. */
export interface RetryOutboxResult {
  /** How many parked changes are told again. */
  retried: number;
  /** How many of those asked for stay parked: they cannot be told again, or not be read now. */
  stillParked: number;
}

/** The parameters of skipOutbox. */
export interface SkipOutboxParams {
  /** The outbox, as the configuration calls it. */
  name: string;
  /** The webhook-id, as getOutboxes shows it. */
  id: string;
}

/** What skipOutbox answers. */
export interface SkipOutboxResult {
}

/** The parameters of testOutbox. */
export interface TestOutboxParams {
  /** The outbox, as the configuration calls it. */
  name: string;
}

/** Whether a system takes a test message. */
export interface TestOutboxResult {
  /** Whether it answered 2xx. */
  delivered: boolean;
  /** Why not. */
  failure: string | null;
}

/** Every method: what it takes, and what it answers. */
export interface Methods {
  canRender: { params: CanRenderParams; result: RenderAnswer };
  can: { params: CanParams; result: FeatureAnswer };
  getStatus: { params: GetStatusParams; result: Status };
  getEntitlement: { params: GetEntitlementParams; result: GetEntitlementResult };
  getSubscriptions: { params: GetSubscriptionsParams; result: GetSubscriptionsResult };
  getCredits: { params: GetCreditsParams; result: GetCreditsResult };
  getManagementURL: { params: GetManagementURLParams; result: GetManagementURLResult };
  getHistory: { params: GetHistoryParams; result: GetHistoryResult };
  explain: { params: ExplainParams; result: ExplainResult };
  registerAccount: { params: RegisterAccountParams; result: RegisterAccountResult };
  verifyPurchase: { params: VerifyPurchaseParams; result: VerifyPurchaseResult };
  restorePurchases: { params: RestorePurchasesParams; result: RestorePurchasesResult };
  verifyReceipt: { params: VerifyReceiptParams; result: VerifyReceiptResult };
  signOffer: { params: SignOfferParams; result: SignOfferResult };
  signIntroductoryOffer: { params: SignIntroductoryOfferParams; result: SignIntroductoryOfferResult };
  consumeCredit: { params: ConsumeCreditParams; result: ConsumeCreditResult };
  reserveCredits: { params: ReserveCreditsParams; result: ReserveCreditsResult };
  commitReservation: { params: CommitReservationParams; result: CommitReservationResult };
  releaseReservation: { params: ReleaseReservationParams; result: ReleaseReservationResult };
  reverseCredits: { params: ReverseCreditsParams; result: ReverseCreditsResult };
  mergeAccounts: { params: MergeAccountsParams; result: MergeAccountsResult };
  grantEntitlement: { params: GrantEntitlementParams; result: GrantEntitlementResult };
  revokeGrant: { params: RevokeGrantParams; result: RevokeGrantResult };
  movePurchase: { params: MovePurchaseParams; result: MovePurchaseResult };
  find: { params: FindParams; result: FindResult };
  grantCredits: { params: GrantCreditsParams; result: GrantCreditsResult };
  adjustCredits: { params: AdjustCreditsParams; result: AdjustCreditsResult };
  sendConsumption: { params: SendConsumptionParams; result: SendConsumptionResult };
  extendRenewal: { params: ExtendRenewalParams; result: ExtendRenewalResult };
  dump: { params: DumpParams; result: DumpResult };
  get: { params: GetParams; result: GetResult };
  load: { params: LoadParams; result: LoadResult };
  previewCatalog: { params: PreviewCatalogParams; result: PreviewCatalogResult };
  eraseUser: { params: EraseUserParams; result: EraseUserResult };
  exportUser: { params: ExportUserParams; result: ExportUserResult };
  backup: { params: BackupParams; result: BackupResult };
  setLogLevel: { params: SetLogLevelParams; result: SetLogLevelResult };
  stats: { params: StatsParams; result: StatsResult };
  reconcile: { params: ReconcileParams; result: ReconcileResult };
  testNotification: { params: TestNotificationParams; result: TestNotificationResult };
  ping: { params: PingParams; result: PingResult };
  version: { params: VersionParams; result: VersionResult };
  getOutboxes: { params: GetOutboxesParams; result: GetOutboxesResult };
  retryOutbox: { params: RetryOutboxParams; result: RetryOutboxResult };
  skipOutbox: { params: SkipOutboxParams; result: SkipOutboxResult };
  testOutbox: { params: TestOutboxParams; result: TestOutboxResult };
}
