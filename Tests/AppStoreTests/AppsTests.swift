import AppStore
import Entitlements
import Fixtures
import JSON
import Signatures
import Testing

/// Several apps of one developer account: each is known by its own ids, and none passes for
/// another.
@Suite struct `Several apps` {
    private static let other = "com.example.other"
    private static let otherID: Int64 = 111_222_333

    private let trusting: TrustingStore
    private let store: AppStore

    init() throws {
        trusting = try TrustingStore()
        store = AppStore(
            verifier: try DocumentVerifier(roots: trusting.set.roots),
            identity: AppStoreIdentity(
                apps: [
                    .init(
                        bundleID: HostileNotification.bundleID,
                        appAppleID: HostileNotification.appAppleID
                    ),
                    .init(bundleID: Self.other, appAppleID: Self.otherID),
                ],
                environments: [.production]
            )
        )
    }

    /// A notification about this app, with documents of that one.
    private func verdict(
        outer bundle: String,
        _ id: Int64,
        inner: String? = nil
    ) throws -> NotificationVerdict {
        var notification = trusting.good
        notification.object["bundleId"] = .string(bundle)
        notification.object["appAppleId"] = .integer(id)
        notification.transaction?["bundleId"] = .string(inner ?? bundle)
        return store.verdict(
            onNotification: Array(try trusting.set.sign(notification).utf8),
            at: Moment(trusting.set.now)
        )
    }

    @Test func `notifications of each are taken, of no other`() throws {
        let first = HostileNotification.bundleID
        let id = HostileNotification.appAppleID
        #expect(try verdict(outer: first, id).notification != nil)
        #expect(try verdict(outer: Self.other, Self.otherID).notification != nil)
        #expect(try verdict(outer: "com.example.third", id).fault == .bundle)
        #expect(try verdict(outer: Self.other, id).fault == .app, "the id of the first")
        #expect(try verdict(outer: first, Self.otherID).fault == .app)
    }

    @Test func `a notification about one app carries no purchase of another`() throws {
        let first = HostileNotification.bundleID
        let id = HostileNotification.appAppleID
        #expect(try verdict(outer: first, id, inner: Self.other).fault == .bundle)
        #expect(try verdict(outer: Self.other, Self.otherID, inner: first).fault == .bundle)
    }

    @Test(arguments: [(other, nil), ("com.example.third", DocumentFault.bundle)])
    func `a purchase that is shown is of one of them`(
        bundle: String,
        fault: DocumentFault?
    ) throws {
        var transaction = trusting.good.transaction
        transaction?["bundleId"] = .string(bundle)
        let document = try trusting.signed(transaction)
        let verdict = store.verdict(
            onPurchase: document,
            renewal: nil,
            at: Moment(trusting.set.now)
        )
        #expect(verdict.fault == fault)
        #expect((verdict.fact != nil) == (fault == nil))
    }
}
