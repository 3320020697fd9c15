import Entitlements
import Threads

/// One order on its way to the writer, and whom to tell.
package struct WriteOrder: Sendable {
    /// Told once: on the writer's thread when the answer is on disk and every reader sees it, or at
    /// once where the order cannot be taken.
    package typealias Completion = @Sendable (Result<Receipt, LedgerFailure>) -> Void

    let kind: Kind
    /// Who asks, for the history.
    let author: Author?
    let completion: Completion

    init(kind: Kind, by author: Author? = nil, completion: @escaping Completion) {
        self.kind = kind
        self.author = author
        self.completion = completion
    }

    /// Asks for `command`.
    package init(
        _ command: Command.Kind,
        by author: Author? = nil,
        _ completion: @escaping Completion
    ) {
        self.init(kind: .command(command), by: author, completion: completion)
    }

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
    /// Takes `orders` in, or answers them at once.
    func submit(_ orders: [WriteOrder]) {
        let (taken, refusal) = offer(contentsOf: orders)
        guard let refusal else { return }
        for order in orders.dropFirst(taken) {
            switch refusal {
            case .full: order.completion(.failure(.overloaded))
            case .closed: order.completion(.failure(.shuttingDown))
            }
        }
    }
}
