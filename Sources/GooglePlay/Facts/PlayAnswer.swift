import Entitlements
import Signatures

/// The moment and the version that all facts of one answer share.
struct PlayAnswer {
    /// The version of all of them.
    let version: Version
    /// When Google was asked.
    let asked: Moment

    /// An answer with this body to a question that was sent at `asked`.
    ///
    /// Google does not number versions, so the answer to the later question is the newer one. Of
    /// two questions of the same moment the digest decides, whichever was answered first.
    init(_ body: [UInt8], at asked: Moment) {
        self.asked = asked
        version = Version(signed: asked, digest: Digest256(bytes: Digest.sha256(body)))
    }

    /// The key of a purchase.
    static func key(_ token: PurchaseToken, isTest: Bool) -> SubscriptionKey {
        SubscriptionKey(
            store: .googlePlay,
            environment: isTest ? .sandbox : .production,
            originalID: token.text
        )
    }

    /// The token that represents an account id.
    static func token(ofAccount id: String?) -> Token? {
        id.flatMap { Token(accountID: $0, sha256: Digest256(bytes: Digest.sha256($0))) }
    }

    /// Whether that token was made from the account id, which is no UUID itself.
    static func isDerived(fromAccount id: String?) -> Bool { id.map { Token($0) == nil } ?? false }
}

/// Marks in a stored state word that show which acknowledgement Google still requires.
enum AwaitedWord {
    static let acknowledgement = "ACKNOWLEDGEMENT_STATE_PENDING"
    static let consumption = "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"

    /// `state`, followed by what is awaited.
    ///
    /// - Parameters:
    ///   - state: the state as Google writes it.
    ///   - isUnacknowledged: whether the purchase is not acknowledged yet.
    ///   - items: whether each product still has to be consumed; if some are consumed, the numbers
    ///     of the others follow.
    /// - Returns: the word.
    static func word(
        _ state: String,
        acknowledgement isUnacknowledged: Bool,
        consumption items: [Bool] = []
    ) -> String {
        let left = items.indices.filter { items[$0] }
        let numbers = left.count < items.count ? left.map { "\($0)" } : []
        let awaited = [
            isUnacknowledged ? acknowledgement : nil, left.isEmpty ? nil : consumption,
        ]
        return ([state] + awaited.compactMap { $0 } + numbers).joined(separator: " ")
    }

    /// Of the products that the newest state names, oldest first, those that `word` says are not
    /// consumed; the first one begins last (`PlayProduct`).
    static func unconsumed(_ stated: [TransactionFact], in word: String) -> [TransactionFact] {
        guard isAwaited(consumption, in: word) else { return [] }
        let items = Array(stated.reversed())
        let numbers = word.split(separator: " ").compactMap { Int($0) }
        if numbers.isEmpty { return items }
        return numbers.compactMap { items.indices.contains($0) ? items[$0] : nil }
    }

    /// Whether `word` says that `awaited` is still required.
    static func isAwaited(_ awaited: String, in word: String) -> Bool {
        word.split(separator: " ").dropFirst().contains { $0 == awaited }
    }
}
