/// Which kind of work a lane does; also the label of its metrics.
package enum LaneName: String, CaseIterable, Sendable {
    /// Notifications of stores: signatures.
    case webhooks
    /// Notifications that are longer than those of stores: mostly garbage of strangers.
    case longWebhooks = "webhooks_long"
    /// Purchases and receipts that callers show: signatures.
    case purchases
    /// Questions that take longer than a look-up: histories, explanations, heavy accounts.
    case questions
    /// What admins read and write in bulk: dumps, exports, rows to load.
    case rows
    /// Backups, which take minutes. Erasures wait in the ledger, which does many at once.
    case upkeep
    /// What the views say after a write.
    case answers

    /// How much it does at once, and how much may wait.
    var bounds: MethodLimits.LaneBounds {
        switch self {
        case .webhooks: MethodLimits.webhooksLane
        case .longWebhooks: MethodLimits.longWebhooksLane
        case .answers: MethodLimits.answersLane
        case .purchases: MethodLimits.purchasesLane
        case .questions: MethodLimits.questionsLane
        case .rows: MethodLimits.rowsLane
        case .upkeep: MethodLimits.upkeepLane
        }
    }
}
