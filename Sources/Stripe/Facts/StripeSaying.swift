import Entitlements
import JSON
import Signatures

/// When and by what something was said: it becomes the version of the facts in it.
struct StripeSaying: Hashable, Sendable {
    /// When Stripe answered; of an event, when it happened.
    let moment: Moment
    /// SHA-256 of what was said.
    let digest: Digest256

    /// `object` was said then.
    init(_ object: StripeObject, at moment: Moment) {
        self.moment = moment
        digest = Digest256(bytes: Digest.sha256(object.value.bytes))
    }

    /// The version of what was said about a thing in the state `rank`, until `end`.
    ///
    /// Events have whole seconds, and several happen in one. Of those the one with the greater rank
    /// is the newer, then the one of the later period; between equal ones anything decides that
    /// does not depend on arrival.
    func version(rank: UInt64 = 0, until end: Moment = .distantPast) -> Version {
        Version(
            signed: moment,
            digest: Digest256(
                rank,
                UInt64(max(0, end.milliseconds)),
                digest.words.0,
                digest.words.1
            )
        )
    }
}

extension StripeSubscription.Status {
    /// The order in which a subscription goes through states within one second: those from which
    /// there is no way back are last.
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
