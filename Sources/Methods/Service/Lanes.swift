import Ledger

/// All that is done neither by an RPC thread nor by the writer, in lanes of its own, so that no
/// kind of work keeps another waiting.
final class Lanes: Sendable {
    private let webhooks: Lane
    private let longWebhooks: Lane
    private let answers: Lane
    private let purchases: Lane
    private let questions: Lane
    private let rows: Lane
    private let upkeep: Lane

    init(_ ledger: Ledger) throws {
        webhooks = try Lane(.webhooks, ledger)
        longWebhooks = try Lane(.longWebhooks, ledger)
        answers = try Lane(.answers, ledger)
        purchases = try Lane(.purchases, ledger)
        questions = try Lane(.questions, ledger)
        rows = try Lane(.rows, ledger)
        upkeep = try Lane(.upkeep, ledger)
    }

    subscript(name: LaneName) -> Lane {
        switch name {
        case .webhooks: webhooks
        case .longWebhooks: longWebhooks
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
