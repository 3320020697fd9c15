/** What StoreKit takes with a promotional offer, in both of Apple's forms. */
export interface SignedOffer {
  bundleId: string;
  keyId: string;
  nonce: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  applicationUsername: string;
  signature: string;
  jws: string;
}

export interface ConsumptionReport {
  customerConsented: true;
  deliveryStatus:
    | "DELIVERED"
    | "UNDELIVERED_QUALITY_ISSUE"
    | "UNDELIVERED_WRONG_ITEM"
    | "UNDELIVERED_SERVER_OUTAGE"
    | "UNDELIVERED_OTHER";
  sampleContentProvided: boolean;
  /** In thousandths of a percent. */
  consumptionPercentage?: number;
  refundPreference?: "DECLINE" | "GRANT_FULL" | "GRANT_PRORATED";
  bundleId?: string;
}

/** What Apple says: where it says no, with its number and its words. */
export interface StoreReply {
  success: boolean;
  errorCode?: number;
  errorMessage?: string;
}

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface KeyedOptions extends CallOptions {
  idempotencyKey?: string;
}

export interface ClientOptions {
  /** Where the daemon listens; else ENTITLD_SOCKET, else /run/entitld/entitld.sock. */
  path?: string;
  /** The daemon's HTTPS door, from another host: https://HOST:PORT; excludes `path`. */
  url?: string;
  /** With `url`: the token. */
  token?: string;
  /** With `url`: the certificate to trust, in PEM; those of the system when absent. */
  ca?: string | Uint8Array;
  /** How long a question may take: 250. */
  timeoutMs?: number;
  /** How long a command, or a question about the past, may take: 2,000. */
  writeTimeoutMs?: number;
  /** How long a command may take for which the daemon may ask the store: 30,000. */
  storeTimeoutMs?: number;
  /** The daemon's `rpc.maxFrameBytes`. */
  frameBytesMax?: number;
}

/** A word that a newer daemon may add to. */
type Word<Known extends string> = Known | (string & {});

export type State = Word<
  "no_account" | "trial" | "subscribed" | "free_with_credits" | "free_no_credits"
>;

export interface RenderAnswer {
  canRender: boolean;
  via: Word<"subscription" | "grace" | "grant" | "credits" | "free"> | null;
  state: State;
  reason: Word<
    | "no_account"
    | "not_in_plan"
    | "unknown_product"
    | "sandbox_not_admitted"
    | "revoked"
    | "pending"
    | "paused"
    | "billing_retry"
    | "expired"
    | "credits_exhausted"
    | "never_subscribed"
  > | null;
  nextChangeAt: string | null;
  seq: number;
}

export interface FoundName {
  userId: string | null;
  what: Word<"user" | "token" | "purchase" | "transaction">;
  store: string | null;
  originalTransactionId: string | null;
}

/** As `RenderAnswer`, for any feature. */
export interface FeatureAnswer extends Omit<RenderAnswer, "canRender"> {
  allowed: boolean;
}

export interface Subscription {
  status: Word<
    "revoked" | "pending" | "cancelled" | "trial" | "subscribed" | "grace_period" | "paused"
    | "billing_retry" | "expired"
  >;
  productId: string;
  pendingProductId: string | null;
  store: string;
  environment: Word<"Production" | "Sandbox">;
  originalTransactionId: string;
  transactionId: string | null;
  purchasedAt: string | null;
  expiresAt: string | null;
  gracePeriodExpiresAt: string | null;
  autoRenew: boolean | null;
  isTrial: boolean;
  cancelledAt: string | null;
  revokedAt: string | null;
  stale: boolean;
}

export interface Status {
  userId: string;
  state: State;
  canRender: boolean;
  isSubscriber: boolean;
  hadSubscription: boolean;
  creditsRemaining: number;
  plan: string | null;
  tier: string;
  limits: Record<string, number | string | boolean | null>;
  subscriptionMethod: string | null;
  expiresAt: string | null;
  nextChangeAt: string | null;
  paywall: Word<"none" | "resubscribe" | "start_trial" | "subscribe">;
  duplicateSubscriptions: boolean;
  subscription: Subscription | null;
  seq: number;
}

/** One of all subscriptions, with what was paid for its current period. */
export interface OwnedSubscription extends Subscription {
  group: string | null;
  ownership: string | null;
  offer: {
    type: number | null;
    id: string | null;
    discount: string | null;
    period: string | null;
  } | null;
  /** In thousandths of the currency. */
  price: number | null;
  currency: string | null;
  storefront: string | null;
  billingPlan: string | null;
  commitmentExpiresAt: string | null;
  givesAccess: boolean;
}

export interface Entitlement {
  isActive: boolean;
  productId?: string;
  expiresAt?: string;
  originalTransactionId?: string;
  environment?: string;
}

export interface Credits {
  balance: number;
  held: number;
  buckets: { amount: number; expiresAt: string | null; source: string }[];
}

export interface HistoryEvent {
  seq: number;
  at: string;
  cause: string;
  before: object | null;
  after: object | null;
  /** Who had it done; null where a store or time did it. */
  by: { role: string; uid?: number; token?: string } | null;
  /** What was done: `store`, `type`, `productId`, `amount`, … as far as they apply. */
  detail: Record<string, string | number>;
}

/** `entitlementChanged`, `storeEvent`, `catalogChanged`, or `resync` where changes were missed. */
export interface WatchEvent {
  event: Word<"entitlementChanged" | "storeEvent" | "catalogChanged" | "resync">;
  params: { seq?: number; userId?: string; cause?: string; status?: Status } & Record<string, unknown>;
}

export interface Charge {
  outcome: string;
  creditsRemaining: number;
  replayed?: boolean;
}

export interface Claims {
  /** One of these three leads to the purchase where no signed transaction is shown. */
  purchaseToken?: string;
  checkoutSession?: string;
  stripeSubscription?: string;
  signedRenewalInfo?: string;
  productId?: string;
  transactionId?: string;
  originalTransactionId?: string;
  appAccountToken?: string;
}

export interface Grant {
  idempotencyKey?: string;
  expiresAt?: string | Date;
  startsAt?: string | Date;
  store?: string;
  reason?: string;
}

/** The daemon's error; or, with code 0, what kept it from answering. */
export class EntitldError extends Error {
  readonly code: number;
  readonly retryable: boolean;
  readonly data: Record<string, unknown>;
}

/** No answer came. Unless it is an `UnknownOutcome`, the daemon has not carried the call out. */
export class Unavailable extends EntitldError {}

/** The call was sent, and nobody can tell what became of it: a write may have been kept. */
export class UnknownOutcome extends Unavailable {}

/** Every call rejects with a TypeError, and sends nothing, where an argument is not of its type. */
export class Client {
  constructor(options?: ClientOptions);
  canRender(userId: string, options?: CallOptions & { cost?: number }): Promise<RenderAnswer>;
  can(
    userId: string,
    feature: string,
    options?: CallOptions & { cost?: number },
  ): Promise<FeatureAnswer>;
  find(text: string, options?: CallOptions): Promise<FoundName[]>;
  status(userId: string, options?: CallOptions): Promise<Status>;
  entitlement(userId: string, options?: CallOptions): Promise<Entitlement>;
  subscriptions(userId: string, options?: CallOptions): Promise<OwnedSubscription[]>;
  managementURL(
    userId: string,
    options?: CallOptions & { platform?: "ios" | "android" | "web" },
  ): Promise<string | null>;
  credits(userId: string, options?: CallOptions): Promise<Credits>;
  history(
    userId: string,
    options?: CallOptions & { afterSeq?: number; limit?: number },
  ): Promise<HistoryEvent[]>;
  /** For ever; ends with `signal`, or when the client is closed. */
  watch(options?: {
    userIds?: string[];
    fromSeq?: number;
    signal?: AbortSignal;
  }): AsyncGenerator<WatchEvent, never, void>;
  ping(options?: CallOptions): Promise<void>;
  version(options?: CallOptions): Promise<{ entitld: string; protocol: string; format: number }>;
  registerAccount(
    userId: string,
    options?: CallOptions & { appAccountToken?: string; signedAppTransaction?: string },
  ): Promise<{
    appAccountToken: string;
    created: boolean;
    creditsRemaining: number;
    obfuscatedAccountId: string;
  }>;
  verifyPurchase(
    userId: string,
    signedTransaction: string | null | undefined,
    claims?: Claims,
    options?: CallOptions,
  ): Promise<{ entitlement: Entitlement; status: Status; applied: boolean }>;
  restorePurchases(
    userId: string,
    signedTransactions: string[],
    options?: CallOptions & { purchaseTokens?: string[]; appAccountToken?: string },
  ): Promise<any>;
  verifyReceipt(
    userId: string,
    receiptData: string,
    options?: CallOptions & { productId?: string; appAccountToken?: string },
  ): Promise<any>;
  consumeCredit(userId: string, options?: KeyedOptions & { amount?: number }): Promise<Charge>;
  reserveCredits(
    userId: string,
    amount: number,
    ttlSeconds: number,
    options?: KeyedOptions & { releaseOnDisconnect?: boolean },
  ): Promise<Charge & { reservation?: string | null }>;
  commitReservation(
    reservation: string,
    options?: CallOptions & { amount?: number },
  ): Promise<Charge>;
  releaseReservation(reservation: string, options?: CallOptions): Promise<Charge>;
  mergeAccounts(
    fromUserId: string,
    intoUserId: string,
    options?: KeyedOptions,
  ): Promise<{ status: Status; replayed: boolean; seq: number }>;
  reverseCredits(userId: string, consumeKey: string, options?: KeyedOptions): Promise<Charge>;
  reconcile(userId: string, options?: CallOptions): Promise<{ applied: boolean; status: Status }>;
  signOffer(
    userId: string,
    productId: string,
    offerId: string,
    options?: CallOptions & {
      appAccountToken?: string;
      applicationUsername?: string;
      transactionId?: string;
      bundleId?: string;
    },
  ): Promise<SignedOffer>;
  signIntroductoryOffer(
    userId: string,
    productId: string,
    allowIntroductoryOffer: boolean,
    options?: CallOptions & { transactionId?: string; bundleId?: string },
  ): Promise<{ bundleId: string; transactionId: string; jws: string }>;
  sendConsumption(
    transactionId: string,
    report: ConsumptionReport,
    options?: CallOptions,
  ): Promise<StoreReply>;
  extendRenewal(
    transactionId: string,
    extendByDays: number,
    extendReasonCode: 0 | 1 | 2 | 3,
    options?: CallOptions & { requestIdentifier?: string; bundleId?: string },
  ): Promise<
    StoreReply & {
      originalTransactionId?: string;
      webOrderLineItemId?: string | null;
      effectiveDate?: string | null;
      requestIdentifier?: string;
    }
  >;
  testNotification(
    options?: CallOptions & { store?: "app_store" | "google_play"; timeoutSeconds?: number },
  ): Promise<{ delivered: boolean; sendAttemptResult: string | null }>;
  grantCredits(
    userId: string,
    amount: number,
    members?: { idempotencyKey?: string; expiresAt?: string | Date; source?: string; reason?: string },
    options?: CallOptions,
  ): Promise<{ creditsRemaining: number; replayed: boolean; seq: number }>;
  grantEntitlement(
    userId: string,
    plan: string,
    grant?: Grant,
    options?: CallOptions,
  ): Promise<{ grant: string; status: Status; replayed: boolean; seq: number }>;
  revokeGrant(
    userId: string,
    grant: string,
    members?: { reason?: string },
    options?: CallOptions,
  ): Promise<{ status: Status; seq: number }>;
  movePurchase(
    originalTransactionId: string,
    toUserId: string,
    reason: string,
    options?: CallOptions & { store?: string },
  ): Promise<{ status: Status; seq: number }>;
  read(method: string, params?: object, options?: CallOptions): Promise<any>;
  /** `repeatable`: it is safe to send twice. So it is with an idempotencyKey. */
  write(
    method: string,
    params?: object,
    options?: CallOptions & { repeatable?: boolean },
  ): Promise<any>;
  close(): void;
}
