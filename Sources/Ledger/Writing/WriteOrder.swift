import Entitlements
import Threads

/// One order for the writer, with the completion to call.
package struct WriteOrder: Sendable {
    /// Called once: on the writer's thread when the answer is on disk and visible to every reader,
    /// or immediately if the order cannot be accepted.
    package typealias Completion = @Sendable (Result<Receipt, LedgerFailure>) -> Void

    let kind: Kind
    /// The author of the command, for the history.
    let author: Author?
    let completion: Completion

    init(kind: Kind, by author: Author? = nil, completion: @escaping Completion) {
        self.kind = kind
        self.author = author
        self.completion = completion
    }

    /// Creates an order for `command`.
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

    /// Whether the order needs a group of its own, so that no group outgrows a journal segment.
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
    /// Queues `orders`, or answers them immediately if they cannot be queued.
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
