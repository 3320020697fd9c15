/// Every method there is.
package enum Calls {
    /// In the order in which they are looked for: what is asked most stands first.
    package static let all: [Call] = [
        .canRender, .can, .getStatus, .consumeCredit,
        .getEntitlement, .getSubscriptions, .getCredits, .getManagementURL, .getHistory, .explain,
        .watch, .ping, .version, .discover,
        .registerAccount, .verifyPurchase, .restorePurchases, .verifyReceipt,
        .signOffer, .signIntroductoryOffer,
        .reserveCredits, .commitReservation, .releaseReservation, .reverseCredits, .mergeAccounts,
        .grantEntitlement, .revokeGrant, .movePurchase, .find, .grantCredits, .adjustCredits,
        .sendConsumption, .extendRenewal,
        .dump, .get, .load, .previewCatalog, .eraseUser, .exportUser, .backup, .setLogLevel,
        .reconcile, .testNotification, .stats,
        .getOutboxes, .retryOutbox, .skipOutbox, .testOutbox,
    ]

    /// Their names, which are labels of metrics.
    package static var names: [String] { all.map(\.description) }
}
