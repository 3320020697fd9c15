import EntitlementsClient
import Foundation
import JSON
import Synchronization

/// A stream of registrations over the app socket, and those that were answered.
final class AnsweredRegistrations: Sendable {
    private let state = Mutex<(answered: [String], isOver: Bool)>(([], false))
    private let sender = DispatchGroup()

    /// Registers users until the daemon is gone or `finish` is called.
    init(socket: String) {
        sender.enter()
        Thread { [self] in
            defer { sender.leave() }
            guard var connection = try? Connection(to: socket, timeout: .seconds(120)) else {
                return
            }
            while !state.withLock({ $0.isOver }) {
                let user = UUID().uuidString.lowercased()
                let reply = try? connection.call("registerAccount", ["userId": .string(user)])
                guard reply != nil else { return }
                state.withLock { $0.answered.append(user) }
            }
        }
        .start()
    }

    var count: Int { state.withLock { $0.answered.count } }

    var answered: [String] { state.withLock { $0.answered } }

    /// Waits until nothing is sent any more.
    func finish() {
        state.withLock { $0.isOver = true }
        sender.wait()
    }
}
