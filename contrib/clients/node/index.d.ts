import type {
  CatalogChange,
  Entitlement,
  EntitlementChange,
  FeatureAnswer,
  FindMatch,
  GetHistoryEvent,
  Methods,
  OwnedSubscription,
  RenderAnswer,
  Resync,
  SendConsumptionParams,
  Status,
  StoreEvent,
} from "./types.js";

export * from "./types.js";

type Result<Name extends keyof Methods> = Methods[Name]["result"];
/** The parameters that a call takes among its options: those named. */
type Given<Name extends keyof Methods, Keys extends keyof Methods[Name]["params"]> = Pick<
  Partial<Methods[Name]["params"]>,
  Keys
>;

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  /** A position of the journal, such as a write's `seq`, that the answer must reflect. */
  minSeq?: number;
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
  /** How long it may take where the daemon may ask a store, or go through all accounts: 30,000. */
  storeTimeoutMs?: number;
  /** The daemon's `rpc.maxFrameBytes`. */
  frameBytesMax?: number;
}

/** What a watch is told; `resync` where changes were missed. A newer daemon may tell more. */
export type WatchEvent =
  | { event: "entitlementChanged"; params: EntitlementChange }
  | { event: "storeEvent"; params: StoreEvent }
  | { event: "catalogChanged"; params: CatalogChange }
  | { event: "resync"; params: Resync };

/** The daemon's error; or, with code 0, what kept it from answering. */
export class EntitldError extends Error {
  readonly code: number;
  readonly name: string;
  readonly retryable: boolean;
  readonly data: Record<string, unknown>;
  /** The call's key, given or made up, with which it can be repeated safely; undefined where it has none. */
  readonly idempotencyKey: string | undefined;
}

/** No answer came. Unless it is an `UnknownOutcome`, the daemon has not carried the call out. */
export class Unavailable extends EntitldError {}

/** The call was sent, and nobody can tell what became of it: a write may have been kept. */
export class UnknownOutcome extends Unavailable {}

/** Every call rejects with a TypeError, and sends nothing, where an argument is not of its type. */
export class Client {
  constructor(options?: ClientOptions);
  canRender(
    userId: string,
    options?: ReadOptions & { cost?: number },
  ): Promise<RenderAnswer>;
  can(
    userId: string,
    feature: string,
    options?: ReadOptions & { cost?: number },
  ): Promise<FeatureAnswer>;
  find(text: string, options?: ReadOptions): Promise<FindMatch[]>;
  /** `at`: what was known at a past moment. */
  status(userId: string, options?: ReadOptions & { at?: string | Date }): Promise<Status>;
  entitlement(userId: string, options?: ReadOptions): Promise<Entitlement>;
  subscriptions(userId: string, options?: ReadOptions): Promise<OwnedSubscription[]>;
  managementURL(
    userId: string,
    options?: ReadOptions & { platform?: "ios" | "android" | "web" },
  ): Promise<string | null>;
  credits(userId: string, options?: ReadOptions): Promise<Result<"getCredits">>;
  history(
    userId: string,
    options?: ReadOptions & { afterSeq?: number; limit?: number },
  ): Promise<GetHistoryEvent[]>;
  explain(
    userId: string,
    options?: ReadOptions & { at?: string | Date },
  ): Promise<Result<"explain">>;
  /** For ever; ends with `signal`, or when the client is closed. */
  watch(options?: {
    /** Not an empty list; everybody when absent. */
    userIds?: string[];
    /** Behind which position to begin: then the first connection is waited for. */
    fromSeq?: number;
    signal?: AbortSignal;
  }): AsyncGenerator<WatchEvent, never, void>;
  ping(options?: CallOptions): Promise<void>;
  version(options?: CallOptions): Promise<Result<"version">>;
  registerAccount(
    userId: string,
    options?: CallOptions & { appAccountToken?: string; signedAppTransaction?: string },
  ): Promise<Result<"registerAccount">>;
  verifyPurchase(
    userId: string,
    signedTransaction: string | null | undefined,
    claims?: Omit<Partial<Methods["verifyPurchase"]["params"]>, "userId" | "signedTransaction">,
    options?: CallOptions,
  ): Promise<Result<"verifyPurchase">>;
  restorePurchases(
    userId: string,
    signedTransactions: string[] | null | undefined,
    options?: CallOptions &
      Given<"restorePurchases", "purchaseTokens" | "receiptData" | "appAccountToken">,
  ): Promise<Result<"restorePurchases">>;
  verifyReceipt(
    userId: string,
    receiptData: string,
    options?: CallOptions & Given<"verifyReceipt", "productId" | "appAccountToken">,
  ): Promise<Result<"verifyReceipt">>;
  consumeCredit(
    userId: string,
    options?: KeyedOptions & { amount?: number },
  ): Promise<Result<"consumeCredit">>;
  reserveCredits(
    userId: string,
    amount: number,
    ttlSeconds: number,
    options?: KeyedOptions & { releaseOnDisconnect?: boolean },
  ): Promise<Result<"reserveCredits">>;
  commitReservation(
    reservation: string,
    options?: CallOptions & { amount?: number },
  ): Promise<Result<"commitReservation">>;
  releaseReservation(
    reservation: string,
    options?: CallOptions,
  ): Promise<Result<"releaseReservation">>;
  mergeAccounts(
    fromUserId: string,
    intoUserId: string,
    options?: KeyedOptions,
  ): Promise<Result<"mergeAccounts">>;
  reverseCredits(
    userId: string,
    consumeKey: string,
    options?: KeyedOptions,
  ): Promise<Result<"reverseCredits">>;
  reconcile(userId: string, options?: CallOptions): Promise<Result<"reconcile">>;
  signOffer(
    userId: string,
    productId: string,
    offerId: string,
    options?: ReadOptions &
      Given<"signOffer", "appAccountToken" | "applicationUsername" | "transactionId" | "bundleId">,
  ): Promise<Result<"signOffer">>;
  signIntroductoryOffer(
    userId: string,
    productId: string,
    allowIntroductoryOffer?: boolean,
    options?: ReadOptions & { transactionId?: string; bundleId?: string },
  ): Promise<Result<"signIntroductoryOffer">>;
  sendConsumption(
    transactionId: string,
    report: Omit<SendConsumptionParams, "transactionId">,
    options?: CallOptions,
  ): Promise<Result<"sendConsumption">>;
  extendRenewal(
    transactionId: string,
    extendByDays: number,
    extendReasonCode: 0 | 1 | 2 | 3,
    options?: CallOptions & { requestIdentifier?: string; bundleId?: string },
  ): Promise<Result<"extendRenewal">>;
  testNotification(
    options?: CallOptions & { store?: "app_store" | "google_play"; timeoutSeconds?: number },
  ): Promise<Result<"testNotification">>;
  grantCredits(
    userId: string,
    amount: number,
    members?: { idempotencyKey?: string; expiresAt?: string | Date; source?: string; reason?: string },
    options?: CallOptions,
  ): Promise<Result<"grantCredits">>;
  adjustCredits(
    userId: string,
    amount: number,
    members?: { idempotencyKey?: string; expiresAt?: string | Date; source?: string; reason?: string },
    options?: CallOptions,
  ): Promise<Result<"adjustCredits">>;
  grantEntitlement(
    userId: string,
    plan: string,
    grant?: {
      idempotencyKey?: string;
      expiresAt?: string | Date;
      startsAt?: string | Date;
      store?: string;
      reason?: string;
    },
    options?: CallOptions,
  ): Promise<Result<"grantEntitlement">>;
  revokeGrant(
    userId: string,
    grant: string,
    members?: { reason?: string },
    options?: CallOptions,
  ): Promise<Result<"revokeGrant">>;
  movePurchase(
    originalTransactionId: string,
    toUserId: string,
    reason: string,
    options?: CallOptions & { store?: string },
  ): Promise<Result<"movePurchase">>;
  eraseUser(userId: string, options?: CallOptions): Promise<Result<"eraseUser">>;
  exportUser(
    userId: string,
    options?: ReadOptions & { cursor?: string },
  ): Promise<Result<"exportUser">>;
  dump(
    options?: ReadOptions & Given<"dump", "table" | "prefix" | "cursor" | "limit">,
  ): Promise<Result<"dump">>;
  get(table: string, key: string | { base64: string }, options?: ReadOptions): Promise<unknown>;
  load(entries: object[], options?: CallOptions): Promise<number>;
  backup(path: string, options?: CallOptions): Promise<Result<"backup">>;
  stats(options?: ReadOptions): Promise<Result<"stats">>;
  setLogLevel(level: string, options?: CallOptions): Promise<Result<"setLogLevel">>;
  previewCatalog(
    catalog: string,
    options?: CallOptions & Given<"previewCatalog", "cursor" | "limit">,
  ): Promise<Result<"previewCatalog">>;
  outboxes(options?: ReadOptions): Promise<Result<"getOutboxes">["outboxes"]>;
  retryOutbox(
    name: string,
    options?: CallOptions & Given<"retryOutbox", "id" | "everything">,
  ): Promise<Result<"retryOutbox">>;
  skipOutbox(name: string, id: string, options?: CallOptions): Promise<Result<"skipOutbox">>;
  testOutbox(name: string, options?: CallOptions): Promise<Result<"testOutbox">>;
  /** Any method that changes nothing. */
  read<Name extends keyof Methods>(
    method: Name,
    params?: Methods[Name]["params"],
    options?: CallOptions,
  ): Promise<Result<Name>>;
  read(method: string, params?: object, options?: CallOptions): Promise<unknown>;
  /** `repeatable`: it is safe to send twice. So it is with an idempotencyKey. */
  write<Name extends keyof Methods>(
    method: Name,
    params?: Methods[Name]["params"],
    options?: CallOptions & { repeatable?: boolean },
  ): Promise<Result<Name>>;
  write(
    method: string,
    params?: object,
    options?: CallOptions & { repeatable?: boolean },
  ): Promise<unknown>;
  close(): void;
}
