import AppStoreSimulator
import Foundation
import JSON
import PlayStoreSimulator
import StripeSimulator
import Synchronization

/// A stream of purchases at Google Play or Stripe, and what of it was answered 200.
final class AnsweredPurchases: Sendable {
    /// A purchase, and the messages that tell of it.
    struct Told: Sendable {
        let user: String
        let id: String
        let messages: [Message]
    }

    /// A webhook's request.
    struct Message: Sendable {
        let path: String
        let field: String
        let body: [UInt8]
    }

    private struct State {
        var applied: [String: String] = [:]
        var accepted: [String: String] = [:]
        var others: [Int] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let sender = DispatchGroup()

    /// Sends what `next` makes to `port` until the daemon is gone or `finish` is called.
    init(port: UInt16, _ next: @escaping @Sendable () throws -> Told) {
        sender.enter()
        Thread { [self] in
            defer { sender.leave() }
            while !state.withLock({ $0.isOver }) {
                guard let told = try? next(), (try? send(told, port)) != nil else { return }
            }
        }
        .start()
    }

    /// Subscriptions of the Google Play in `directory`.
    static func googlePlay(_ directory: String, port: UInt16) throws -> AnsweredPurchases {
        let store = PlayDirectory(directory)
        let signer = try store.pushSigner()
        return AnsweredPurchases(port: port) {
            let user = UUID().uuidString.lowercased()
            var words = PlayWords()
            words.accountID = user
            let now = StoreTime.now()
            let (notices, token) = try store.change { [words] books in
                let notices = try books.perform(.buy, user, words, at: now)
                return (notices, books.newest(of: user)?.token ?? "")
            }
            let bearer = "Authorization: Bearer \(try signer.token(at: now))"
            let messages = notices.map { notice in
                let id = "\(UInt64.random(in: 1...UInt64.max))"
                return Message(
                    path: "/webhooks/google",
                    field: bearer,
                    body: signer.body(notice, id: id, at: now)
                )
            }
            return Told(user: user, id: token, messages: messages)
        }
    }

    /// Subscriptions of the Stripe account in `directory`.
    static func stripe(_ directory: String, port: UInt16) throws -> AnsweredPurchases {
        let account = StripeDirectory(directory)
        let settings = try account.books().settings
        return AnsweredPurchases(port: port) {
            let user = UUID().uuidString.lowercased()
            let now = StoreTime.now() / 1_000
            let (events, id) = try account.change { books in
                let events = try books.perform(.subscribe, user, StripeWords(), at: now)
                return (events, books.newest(of: user)?.id ?? "")
            }
            let messages = events.map { event in
                let body = EventDelivery.body(event, settings)
                let signature = EventDelivery.signature(over: body, settings, at: now)
                return Message(
                    path: "/webhooks/stripe",
                    field: "Stripe-Signature: \(signature)",
                    body: body
                )
            }
            return Told(user: user, id: id, messages: messages)
        }
    }

    /// How many purchases a message told of that was answered 200.
    var count: Int { state.withLock { $0.applied.count + $0.accepted.count } }

    /// The purchases, and whose they are, that the daemon said it had applied.
    var applied: [String: String] { state.withLock { $0.applied } }

    /// Those about which it said that it would still ask, and nothing more.
    var accepted: [String: String] {
        state.withLock { state in state.accepted.filter { state.applied[$0.key] == nil } }
    }

    /// Every other status that was answered.
    var others: [Int] { state.withLock { $0.others } }

    /// Waits until nothing is sent any more.
    func finish() {
        state.withLock { $0.isOver = true }
        sender.wait()
    }

    private func send(_ told: Told, _ port: UInt16) throws {
        for message in told.messages {
            let reply = try HTTPExchange.request(
                "POST",
                message.path,
                message.body,
                port: port,
                type: "application/json",
                field: message.field
            )
            state.withLock { state in
                switch (reply.status, reply.json?["result"]?.string) {
                case (200, "applied"): state.applied[told.id] = told.user
                case (200, "accepted"): state.accepted[told.id] = told.user
                case (200, _): break
                case (let status, _): state.others.append(status)
                }
            }
        }
    }
}
