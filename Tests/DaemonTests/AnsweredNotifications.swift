import Fixtures
import Foundation
import Synchronization

/// A stream of notifications from several senders, and what of it was answered 200.
final class AnsweredNotifications: Sendable {
    /// One of them, and whose purchase it tells of.
    struct Notification: Sendable {
        let user: String
        let originalID: String
        let body: [UInt8]
    }

    private struct State {
        var answered: [Notification] = []
        var others: [Int] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let senders = DispatchGroup()

    /// Sends to `port` until the daemon is gone or `finish` is called.
    init(from voice: StoreVoice, port: UInt16, senders count: Int) {
        for _ in 0..<count {
            senders.enter()
            Thread { [self] in
                defer { senders.leave() }
                while !state.withLock({ $0.isOver }) {
                    guard (try? sendOne(from: voice, port: port)) != nil else { return }
                }
            }
            .start()
        }
    }

    /// How many were answered 200.
    var count: Int { state.withLock { $0.answered.count } }

    /// Those that were answered 200.
    var answered: [Notification] { state.withLock { $0.answered } }

    /// Every other status that was answered.
    var others: [Int] { state.withLock { $0.others } }

    /// Waits until no sender sends any more.
    func finish() {
        state.withLock { $0.isOver = true }
        senders.wait()
    }

    private func sendOne(from voice: StoreVoice, port: UInt16) throws {
        let user = UUID().uuidString.lowercased()
        let life = StoreLife(token: user)
        let body = try voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        let reply = try HTTPExchange.post(body, port: port)
        state.withLock { state in
            if reply.status == 200 {
                let sent = Notification(user: user, originalID: life.originalID, body: body)
                state.answered.append(sent)
            } else {
                state.others.append(reply.status)
            }
        }
    }
}
