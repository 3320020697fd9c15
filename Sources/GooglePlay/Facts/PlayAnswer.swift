import Entitlements
import Signatures

/// When and how Google said something: what all facts out of one answer have in common.
struct PlayAnswer {
    /// The version of all of them.
    let version: Version
    /// When Google answered.
    let answered: Moment

    /// An answer with this body, received at `answered`.
    ///
    /// Google numbers no versions, so that the later answer is the newer one; of two at the same
    /// moment one is taken, whichever came first.
    init(_ body: [UInt8], at answered: Moment) {
        self.answered = answered
        version = Version(signed: answered, digest: Digest256(bytes: Digest.sha256(body)))
    }

    /// The key of a purchase.
    static func key(_ token: PurchaseToken, isTest: Bool) -> SubscriptionKey {
        SubscriptionKey(
            store: .googlePlay,
            environment: isTest ? .sandbox : .production,
            originalID: token.text
        )
    }

    /// The token that stands for an account id.
    static func token(ofAccount id: String?) -> Token? {
        id.flatMap { Token(accountID: $0, sha256: Digest256(bytes: Digest.sha256($0))) }
    }
}

/// What Google still wants to hear, behind the state in the word that is kept.
enum AwaitedWord {
    static let acknowledgement = "ACKNOWLEDGEMENT_STATE_PENDING"
    static let consumption = "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"

    /// `state`, and behind it what is awaited.
    static func word(
        _ state: String,
        acknowledgement isUnacknowledged: Bool,
        consumption isUnconsumed: Bool = false
    ) -> String {
        [state, isUnacknowledged ? acknowledgement : nil, isUnconsumed ? consumption : nil]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Whether `word` says that this is awaited.
    static func isAwaited(_ awaited: String, in word: String) -> Bool {
        word.split(separator: " ").dropFirst().contains { $0 == awaited }
    }
}
