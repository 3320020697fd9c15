import Chance
import EntitlementsClient
import Fixtures
import Foundation
import JSON

/// Puts the steps of a story about credits to a running daemon: what `CreditClerk` does to the
/// core, done over a socket and HTTP with signed documents, many steps at a time.
final class LiveCreditClerk {
    private let daemon: TestDaemon
    /// Makes its users and purchases others than those of the clerks beside it.
    private let lane: Int
    private let bought: Int64
    private var socket: StreamSocket?
    private var calls: Int64 = 0
    /// The names of the reservations, in the order in which they were made.
    private var names: [String] = []
    private var numbers: [String: Int] = [:]

    init(_ daemon: TestDaemon, lane: Int) {
        self.daemon = daemon
        self.lane = lane
        // Long ago: the words of a long story are signed seconds apart.
        bought = StoreVoice.now - 300 * StoreLife.day
    }

    /// The catalog of every story.
    static func catalog(owesRefunds: Bool) -> String {
        """
        freeCredits: 3
        refundedCredits: \(owesRefunds ? "debt" : "floor")
        plans:
          pro: { products: [com.example.monthly], unlimited: [render] }
        creditPacks: { pack.ten: 10, pack.two: 2 }
        """
    }

    /// What the daemon answers to each of `steps`, all of which are sent before the first answer is
    /// awaited.
    ///
    /// A notification goes another way in, and waits for those before it.
    func perform(_ steps: [CreditStep]) throws -> [CreditAnswer] {
        var answers: [CreditAnswer] = []
        var waiting: [CreditStep] = []
        for step in steps {
            if case .notice(let id, let words) = step {
                answers += try performTogether(waiting)
                waiting = []
                answers.append(try notice(id, words))
            } else {
                waiting.append(step)
            }
        }
        return answers + (try performTogether(waiting))
    }

    /// What `getCredits` says of every user of the story.
    func credits() throws -> [Credits] {
        let users = 0..<CreditStory<SplitMix64>.users
        let replies = try replies(to: users.map { ("getCredits", "{\(user($0))}") })
        return replies.map { Credits($0["result"] ?? .null) }
    }

    /// What `getCredits` says: balance, held, and the buckets as piles.
    struct Credits {
        let balance: Int64
        let held: Int64
        let piles: [CreditModel.Pile]

        fileprivate init(_ credits: JSONValue) {
            balance = credits["balance"]?.int64 ?? -1
            held = credits["held"]?.int64 ?? -1
            piles = (credits["buckets"]?.array ?? [])
                .map { bucket in
                    CreditModel.Pile(
                        source: bucket["source"]?.string ?? "",
                        until: bucket["expiresAt"]?.string.flatMap(LiveCreditClerk.moment) ?? .max,
                        amount: bucket["amount"]?.int64 ?? -1
                    )
                }
        }
    }

    /// The connection ends, and with it its leases.
    func disconnect() { socket = nil }

    private func performTogether(_ steps: [CreditStep]) throws -> [CreditAnswer] {
        let replies = try replies(to: try steps.map(request))
        return zip(steps, replies).map(answer)
    }

    /// The replies to calls that are sent together, in the order of the calls.
    private func replies(to requests: [(method: String, params: String)]) throws -> [JSONValue] {
        guard !requests.isEmpty else { return [] }
        // An admin may ask whatever an app may.
        let socket = try socket ?? StreamSocket.unix(daemon.adminSocket)
        self.socket = socket
        let first = calls
        var bytes: [UInt8] = []
        for (method, params) in requests {
            let frame =
                #"{"jsonrpc":"2.0","id":\#(calls),"method":"\#(method)","params":\#(params)}"#
            bytes += StreamSocket.length(frame.utf8.count)
            bytes += Array(frame.utf8)
            calls += 1
        }
        socket.send(bytes)
        var replies = [JSONValue](repeating: .null, count: requests.count)
        for _ in requests {
            let reply = try socket.receiveReply()
            guard let id = reply["id"]?.int64, replies.indices.contains(Int(id - first)) else {
                throw DaemonProblem("a reply to nothing: \(reply)")
            }
            replies[Int(id - first)] = reply
        }
        return replies
    }

    private func request(_ step: CreditStep) throws -> (method: String, params: String) {
        switch step {
        case .register(let user):
            return ("registerAccount", "{\(self.user(user)),\(token(user))}")
        case .grant(let user, let amount, let until, let source, let key):
            let end = until.map { #","expiresAt":"\#(Self.time($0))""# } ?? ""
            return ("grantCredits", charge(user, amount, key, #","source":"\#(source)"\#(end)"#))
        case .adjust(let user, let amount, let key):
            return ("adjustCredits", charge(user, amount, key))
        case .consume(let user, let amount, let key):
            return ("consumeCredit", charge(user, amount, key))
        case .reserve(let user, let amount, let milliseconds, let isLease, let key):
            let rest =
                #","ttlSeconds":\#(milliseconds / 1_000),"releaseOnDisconnect":\#(isLease)"#
            return ("reserveCredits", charge(user, amount, key, rest))
        case .commit(let number, let amount):
            let part = amount.map { #","amount":\#($0)"# } ?? ""
            return ("commitReservation", #"{"reservation":"\#(name(number))"\#(part)}"#)
        case .release(let number):
            return ("releaseReservation", #"{"reservation":"\#(name(number))"}"#)
        case .reverse(let user, let charge, let key):
            let keys = #""idempotencyKey":"\#(key)","consumeKey":"\#(charge)""#
            return ("reverseCredits", "{\(self.user(user)),\(keys)}")
        case .verify(let user, let word):
            // Who names another's token is refused for that alone.
            let claim = word.buyer == user ? ",\(token(user))" : ""
            let shown = #""signedTransaction":"\#(try document(word))""#
            return ("verifyPurchase", "{\(self.user(user)),\(shown)\(claim)}")
        case .restore(let user, let words):
            let shown = try words.map { #""\#(try document($0))""# }.joined(separator: ",")
            let claim = words.contains { $0.buyer == user } ? ",\(token(user))" : ""
            let parameters = #"{\#(self.user(user)),"signedTransactions":[\#(shown)]\#(claim)}"#
            return ("restorePurchases", parameters)
        case .disconnect, .unlimited, .notice:
            throw DaemonProblem("no call: \(step)")
        }
    }

    private func answer(_ step: CreditStep, _ reply: JSONValue) -> CreditAnswer {
        if let error = reply["error"] {
            return .refused(error["data"]?["code"]?.string ?? "\(error)")
        }
        let result = reply["result"] ?? .null
        let left = result["creditsRemaining"]?.int64 ?? -1
        let isReplay = result["replayed"]?.bool ?? false
        let outcome = result["outcome"]?.string ?? ""
        switch step {
        case .register: return .registered(remaining: left)
        case .grant, .adjust: return .credited(remaining: left, replayed: isReplay)
        case .consume: return .charged(outcome, remaining: left, replayed: isReplay)
        case .reserve:
            let number = result["reservation"]?.string.map(number)
            return .reserved(outcome, number, remaining: left, replayed: isReplay)
        case .commit, .release: return .ended(outcome, remaining: left)
        case .reverse: return .reversed(outcome, remaining: left, replayed: isReplay)
        case .verify, .restore, .disconnect, .unlimited, .notice: return .done
        }
    }

    private func notice(_ id: Int, _ words: [CreditPackWord]) throws -> CreditAnswer {
        guard let word = words.first else { return .done }
        let body = try daemon.voice.body(
            "ONE_TIME_CHARGE",
            saying: [
                "appAppleId": .integer(TestDaemon.appAppleID),
                "bundleId": .string(TestDaemon.bundleID),
                "bundleVersion": "1",
                "environment": "Production",
                "signedTransactionInfo": .string(try document(word)),
            ],
            signed: bought + 298 * StoreLife.day + Int64(id),
            id: "00000000-0000-4000-800\(lane)-" + String(String(id + 1_000_000_000_000).suffix(12))
        )
        let status = try daemon.deliver(body).status
        return status == 200 ? .done : .refused("status \(status)")
    }

    private func document(_ word: CreditPackWord) throws -> String {
        let id = String(700_000_000_000 + lane * 1_000_000_000 + word.pack)
        var payload: JSONObject = [
            "transactionId": .string(id),
            "originalTransactionId": .string(id),
            "bundleId": .string(TestDaemon.bundleID),
            "productId": .string(word.product),
            "purchaseDate": .integer(bought),
            "originalPurchaseDate": .integer(bought),
            "quantity": .integer(word.quantity),
            "type": "Consumable",
            "inAppOwnershipType": "PURCHASED",
            "appAccountToken": .string(tokenText(word.buyer)),
            "signedDate": .integer(bought + word.signed),
            "environment": "Production",
            "transactionReason": "PURCHASE",
            "storefront": "USA",
            "storefrontId": "143441",
        ]
        if word.isRevoked {
            payload["revocationDate"] = .integer(bought + 1)
            payload["revocationReason"] = 0
            payload["revocationPercentage"] = .integer(word.share)
        }
        return try daemon.voice.sign(payload)
    }

    private func user(_ number: Int) -> String { #""userId":"l\#(lane)u\#(number)""# }

    private func token(_ user: Int) -> String { #""appAccountToken":"\#(tokenText(user))""# }

    private func tokenText(_ user: Int) -> String {
        "00000000-0000-4000-800\(lane)-00000000000\(user + 1)"
    }

    private func charge(
        _ user: Int,
        _ amount: Int64,
        _ key: String,
        _ rest: String = ""
    ) -> String {
        #"{\#(self.user(user)),"amount":\#(amount),"idempotencyKey":"\#(key)"\#(rest)}"#
    }

    private func name(_ number: Int) -> String {
        names.indices.contains(number - 1) ? names[number - 1] : "r999999999"
    }

    private func number(_ name: String) -> Int {
        if let number = numbers[name] { return number }
        names.append(name)
        numbers[name] = names.count
        return names.count
    }

    private static func time(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func moment(_ text: String) -> Int64? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? style.parse(text)).map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}
