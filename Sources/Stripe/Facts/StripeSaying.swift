import Entitlements
import JSON
import Signatures

/// The moment and the digest of a statement of Stripe's, which become the version of its facts.
struct StripeSaying: Hashable, Sendable {
    /// When Stripe answered, or when the event happened.
    let moment: Moment
    /// SHA-256 of the statement.
    let digest: Digest256
    /// Whether it is the first one about its object.
    private let isFirst: Bool

    /// Creates the statement of `object` at `moment`.
    init(_ object: StripeObject, at moment: Moment, isFirst: Bool = false) {
        self.moment = moment
        self.isFirst = isFirst
        digest = Digest256(bytes: Digest.sha256(object.value.bytes))
    }

    /// The version of a fact about an object in the state `rank`, whose period ends at `end`.
    ///
    /// Event times are whole seconds, and several events may happen in the same second. The first
    /// one about an object is then the oldest; of others the one with the greater rank is the
    /// newer, next the one with the later period. Between equal ones the digest decides, which does
    /// not depend on the order of arrival.
    func version(rank: UInt64 = 0, until end: Moment = .distantPast) -> Version {
        Version(
            signed: moment,
            digest: Digest256(
                isFirst ? rank : rank + Self.behindFirst,
                UInt64(max(0, end.milliseconds)),
                digest.words.0,
                digest.words.1
            )
        )
    }

    /// More than any rank.
    private static let behindFirst: UInt64 = 1 << 8
}

extension StripeSubscription.Status {
    /// The order of a subscription's states within one second: final states come last.
    var rank: UInt64 {
        switch self {
        case .unknown: 0
        case .incomplete: 1
        case .trialing: 2
        case .paused: 3
        case .pastDue: 4
        case .unpaid: 5
        case .active: 6
        case .incompleteExpired: 7
        case .canceled: 8
        }
    }
}
