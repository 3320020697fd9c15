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
    static func word(
        _ state: String,
        acknowledgement isUnacknowledged: Bool,
        consumption isUnconsumed: Bool = false
    ) -> String {
        [state, isUnacknowledged ? acknowledgement : nil, isUnconsumed ? consumption : nil]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Whether `word` says that `awaited` is still required.
    static func isAwaited(_ awaited: String, in word: String) -> Bool {
        word.split(separator: " ").dropFirst().contains { $0 == awaited }
    }
}
