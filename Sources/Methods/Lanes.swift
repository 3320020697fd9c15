import Ledger

/// Which kind of work a lane does; also the label of its metrics.
package enum LaneName: String, CaseIterable, Sendable {
    /// Notifications of stores: signatures.
    case webhooks
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
    var bounds: MethodLimits.Lane {
        switch self {
        case .webhooks: MethodLimits.webhooksLane
        case .answers: MethodLimits.answersLane
        case .purchases: MethodLimits.purchasesLane
        case .questions: MethodLimits.questionsLane
        case .rows: MethodLimits.rowsLane
        case .upkeep: MethodLimits.upkeepLane
        }
    }
}

/// All that is done neither by an RPC thread nor by the writer, in lanes of its own, so that no
/// kind of work keeps another waiting.
final class Lanes: Sendable {
    private let webhooks: Lane
    private let answers: Lane
    private let purchases: Lane
    private let questions: Lane
    private let rows: Lane
    private let upkeep: Lane

    init(_ ledger: Ledger) throws {
        webhooks = try Lane(.webhooks, ledger)
        answers = try Lane(.answers, ledger)
        purchases = try Lane(.purchases, ledger)
        questions = try Lane(.questions, ledger)
        rows = try Lane(.rows, ledger)
        upkeep = try Lane(.upkeep, ledger)
    }

    subscript(name: LaneName) -> Lane {
        switch name {
        case .webhooks: webhooks
        case .answers: answers
        case .purchases: purchases
        case .questions: questions
        case .rows: rows
        case .upkeep: upkeep
        }
    }

    /// Ends all of them once nothing waits.
    func stop() {
        // In their order: what the others still decide is answered in the last one.
        for name in LaneName.allCases { self[name].stop() }
    }
}
