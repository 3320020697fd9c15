import AppStore
import Entitlements
import JSON
import Ledger
import Methods
import Reconciler
import Synchronization
import Wire

/// Where the reconciler and the methods meet: each sees of the other what it needs.
final class StoreDesk: Sendable {
    let bundleIDs: [String]
    private let offers: OfferSigner
    private let parts = Mutex<(reconciler: Reconciler?, service: MethodService?)>((nil, nil))

    /// A desk at which nobody answers yet; signing needs nobody.
    init(_ settings: ReconcilerSettings) throws(ReconcilerSettings.Fault) {
        bundleIDs = [settings.bundleID] + settings.otherBundleIDs
        offers = OfferSigner(
            try settings.signer(),
            keyID: settings.keyID,
            issuerID: settings.issuerID
        )
    }

    /// Begins to pass on; before, the store cannot be reached.
    func connect(_ reconciler: Reconciler) { parts.withLock { $0.reconciler = reconciler } }

    /// The methods, once there are any.
    func connect(_ service: MethodService) { parts.withLock { $0.service = service } }

    private func reconciler() throws(StoreClientFailure) -> Reconciler {
        guard let reconciler = parts.withLock({ $0.reconciler }) else {
            throw .unreachable(retryAfterMilliseconds: 1_000)
        }
        return reconciler
    }

    private func service() throws(BookFailure) -> MethodService {
        guard let service = parts.withLock({ $0.service }) else { throw BookFailure("starting") }
        return service
    }
}

extension StoreDesk: ReconciledBook {
    func take(_ notification: Notification) async throws(BookFailure) -> Reception {
        let service = try service()
        do throws(LedgerFailure) {
            return try await service.take(notification)
        } catch {
            throw BookFailure("\(error)")
        }
    }

    func take(_ facts: [Fact]) async throws(BookFailure) -> Bool {
        let service = try service()
        do throws(LedgerFailure) {
            return try await service.take(facts)
        } catch {
            throw BookFailure("\(error)")
        }
    }

    func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(BookFailure) -> [Subscription] {
        let service = try service()
        do throws(LedgerFailure) {
            return try await service.subscriptions(after: key, limit: limit)
        } catch {
            throw BookFailure("\(error)")
        }
    }

    func subscriptions(of keys: [SubscriptionKey]) async throws(BookFailure) -> [Subscription] {
        let service = try service()
        do throws(LedgerFailure) {
            return try await service.subscriptions(of: keys)
        } catch {
            throw BookFailure("\(error)")
        }
    }
}

extension StoreDesk: StoreClient {
    func transaction(id: String) async throws(StoreClientFailure) -> [UInt8] {
        let reconciler = try reconciler()
        do throws(StoreAPIFailure) {
            return try await reconciler.transaction(id: id)
        } catch {
            throw StoreClientFailure(error)
        }
    }

    func reconcile(_ keys: [SubscriptionKey]) async throws(StoreClientFailure) -> Bool {
        let reconciler = try reconciler()
        do throws(StoreAPIFailure) {
            return try await reconciler.reconcile(keys)
        } catch {
            throw StoreClientFailure(error)
        }
    }

    func startRound() { _ = parts.withLock { $0.reconciler }?.startRound() }

    func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreClientFailure) -> (delivered: Bool, sendAttemptResult: String?) {
        let reconciler = try reconciler()
        do throws(StoreAPIFailure) {
            let result = try await reconciler.testNotification(timeoutSeconds: timeoutSeconds)
            return (result.delivered, result.sendAttemptResult)
        } catch {
            throw StoreClientFailure(error)
        }
    }

    func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer {
        let promotion = OfferSigner.Promotion(
            bundleID: wish.bundleID,
            productID: wish.productID,
            offerID: wish.offerID,
            customer: wish.customer,
            transactionID: wish.transactionID
        )
        return SignedOffer(
            keyID: offers.keyID,
            signature: offers.signature(of: promotion, nonce: nonce, at: now),
            token: offers.token(of: promotion, nonce: nonce, at: now)
        )
    }

    func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String {
        offers.eligibility(
            wish.isEligible,
            for: wish.productID,
            of: wish.bundleID,
            transactionID: wish.transactionID,
            nonce: nonce,
            at: now
        )
    }

    func send(_ report: ConsumptionReport) async throws(StoreClientFailure) {
        let reconciler = try reconciler()
        let info = ConsumptionInfo(
            delivery: .init(report.delivery),
            sampleProvided: report.sampleProvided,
            consumedMilliPercent: report.consumedMilliPercent.map { Int($0) },
            preference: report.preference.map { .init($0) }
        )
        do throws(StoreAPIFailure) {
            try await reconciler.send(info, of: report.transactionID, bundleID: report.bundleID)
        } catch {
            throw StoreClientFailure(error)
        }
    }

    func extend(_ wish: ExtensionWish) async throws(StoreClientFailure) -> RenewalExtension {
        let reconciler = try reconciler()
        do throws(StoreAPIFailure) {
            let done = try await reconciler.extend(
                RenewalWish(days: wish.days, reason: wish.reason, requestID: wish.requestID),
                of: wish.transactionID,
                bundleID: wish.bundleID
            )
            return RenewalExtension(
                originalTransactionID: done.originalID,
                webOrderLineItemID: done.webOrderLineItemID,
                isSuccess: done.isSuccess,
                effective: done.effective
            )
        } catch {
            throw StoreClientFailure(error)
        }
    }

    var progress: JSONObject {
        guard let progress = reconcilerProgress else { return ["running": false] }
        let walk = progress.walks.values.lazy.compactMap(\.present).first
        let phase = walk.map { $0.onlyFailures ? "failures" : "history" }
        var object: JSONObject = [
            "running": .bool(progress.isRunning),
            "phase": .string(phase ?? (progress.isSweeping ? "sweep" : "idle")),
            "done": .integer(Int64(walk?.documents ?? progress.sweep?.looked ?? 0)),
            // Nobody knows how long a history is before its last page.
            "total": walk == nil ? subscriptionsKept.map { .integer(Int64($0)) } ?? .null : .null,
        ]
        for member in progress.object(time: { TimeText.text($0.milliseconds) }).members {
            object[member.key] = member.value
        }
        return object
    }

    private var subscriptionsKept: Int? {
        parts.withLock { $0.service }?.subscriptionsKept
    }

    /// How the reconciler is getting on; nil where there is none yet.
    var reconcilerProgress: ReconcilerProgress? {
        parts.withLock { $0.reconciler }?.progress
    }

    /// A genuine notification came in by itself.
    func heardNotification() { parts.withLock { $0.reconciler }?.heardNotification() }
}

extension StoreClientFailure {
    fileprivate init(_ failure: StoreAPIFailure) {
        switch failure.kind {
        case .unknown: self = .unknown
        case .refused where failure.code >= Self.firstCode:
            self = .declined(code: failure.code, words: failure.detail)
        case .unauthorized, .refused, .malformed: self = .refused(failure.description)
        case .uncertain: self = .uncertain(failure.description)
        case .pagingExpired, .limited, .unreachable, .cancelled:
            self = .unreachable(
                retryAfterMilliseconds: failure.retryAfterMilliseconds ?? 1_000
            )
        }
    }

    /// Apple's own numbers of errors are longer than HTTP's.
    private static let firstCode: Int64 = 1_000_000
}

extension ConsumptionInfo.Delivery {
    fileprivate init(_ delivery: ConsumptionReport.Delivery) {
        switch delivery {
        case .delivered: self = .delivered
        case .qualityIssue: self = .qualityIssue
        case .wrongItem: self = .wrongItem
        case .serverOutage: self = .serverOutage
        case .other: self = .other
        }
    }
}

extension ConsumptionInfo.RefundPreference {
    fileprivate init(_ preference: ConsumptionReport.Preference) {
        switch preference {
        case .decline: self = .decline
        case .full: self = .full
        case .prorated: self = .prorated
        }
    }
}
