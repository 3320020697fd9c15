import Entitlements
import Threads

/// One order on its way to the writer, and whom to tell.
struct WriteOrder: Sendable {
    let kind: Kind
    let completion: @Sendable (Result<Receipt, LedgerFailure>) -> Void

    /// What the writer is asked to do.
    enum Kind: Sendable {
        case command(Command.Kind)
        case install(Policy.Source, CatalogStamp)
    }

    /// Whether it is a group of its own, so that no group outgrows a segment of the journal.
    var isLarge: Bool {
        switch kind {
        case .command(.load), .command(.erase): true
        case .command, .install: false
        }
    }

    var isCommand: Bool {
        switch kind {
        case .command: true
        case .install: false
        }
    }
}

typealias WriteQueue = BlockingQueue<WriteOrder>

extension WriteQueue {
    /// Takes `order` in, or answers it at once.
    func submit(_ order: WriteOrder) {
        switch offer(order) {
        case nil: break
        case .full: order.completion(.failure(.overloaded))
        case .closed: order.completion(.failure(.shuttingDown))
        }
    }
}
