import AppStore
import Entitlements
import Fixtures
import FoundationEssentials
import Signatures

/// Answers a case as the daemon does, with a ledger in memory.
struct HostileJudge {
    let set: HostileSet

    /// A set judged at this moment of the real clock.
    static let shared: Result<HostileSet, any Error> = Result {
        try HostileSet(now: Int64(Date().timeIntervalSince1970 * 1000))
    }

    static let policy = Policy(Policy.Source())

    init() throws { set = try Self.shared.get() }

    func store(for hostile: HostileCase) throws -> AppStore {
        AppStore(
            verifier: try DocumentVerifier(
                roots: set.roots,
                blockedSerials: hostile.blockedSerials
            ),
            identity: AppStoreIdentity(
                bundleID: HostileNotification.bundleID,
                appAppleID: HostileNotification.appAppleID,
                environments: hostile.environments
            )
        )
    }

    /// The verdict on the case itself; nil where its body holds no document.
    func verdict(on hostile: HostileCase) throws -> NotificationVerdict? {
        guard let payload = HostileCase.signedPayload(in: hostile.body) else { return nil }
        return try store(for: hostile).verdict(onNotification: payload, at: Moment(set.now))
    }

    /// The right answer to the case, after what came before it, with a detail for the reader.
    func answer(to hostile: HostileCase) throws -> (answer: HostileCase.Answer, detail: String) {
        let store = try store(for: hostile)
        var ledger = MemoryLedger()
        for body in hostile.before { _ = answer(to: body, store, &ledger) }
        return answer(to: hostile.body, store, &ledger)
    }

    private func answer(
        to body: [UInt8],
        _ store: AppStore,
        _ ledger: inout MemoryLedger
    ) -> (HostileCase.Answer, String) {
        guard let payload = HostileCase.signedPayload(in: body) else { return (.malformed, "body") }
        let now = Moment(set.now)
        switch store.verdict(onNotification: payload, at: now) {
        case .refused(.futureDate, let detail): return (.unavailable, detail)
        case .refused(let fault, let detail): return (.unauthorized, "\(fault): \(detail)")
        case .foreign(let type): return (.ignored, type)
        case .unreadable(let type, _, _): return (.ignored, type)
        case .malformed: return (.malformed, "payload")
        case .announced, .undecided: return (.unavailable, "not a kind that Apple sends")
        case .genuine(let notification):
            let outcome = ledger.submit(.record(notification), at: now, under: Self.policy)
            guard case .recorded(let reception) = outcome else {
                return (.unavailable, "\(outcome)")
            }
            return switch reception {
            case .applied: (.applied, "")
            case .stale: (.stale, "")
            case .duplicate: (.duplicate, "")
            case .ignored, .accepted: (.ignored, "")
            }
        }
    }
}
