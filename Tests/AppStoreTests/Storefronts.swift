import AppStore
import Entitlements
import Fixtures
import JSON
import Signatures

/// A storefront that trusts the shared set's chain, or `roots` alone.
struct TrustingStore {
    let set: HostileSet
    let store: AppStore

    init(
        environments: Set<StoreEnvironment> = [.production],
        appAppleID: Int64? = nil,
        roots: [[UInt8]]? = nil
    ) throws {
        set = try HostileJudge.shared.get()
        store = AppStore(
            verifier: try DocumentVerifier(roots: roots ?? set.roots),
            identity: AppStoreIdentity(
                bundleID: HostileNotification.bundleID,
                appAppleID: appAppleID,
                environments: environments
            )
        )
    }

    var good: HostileNotification { HostileNotification(signed: set.signed) }

    func signed(_ object: JSONObject?) throws -> [UInt8] {
        Array(try set.sign(JSONValue.object(object ?? [:]).bytes).utf8)
    }

    func purchase(
        _ document: [UInt8],
        renewal: [UInt8]? = nil
    ) -> PurchaseVerdict {
        store.verdict(onPurchase: document, renewal: renewal, at: Moment(set.now))
    }

    func notification(_ notification: HostileNotification) throws -> NotificationVerdict {
        store.verdict(
            onNotification: Array(try set.sign(notification).utf8),
            at: Moment(set.now)
        )
    }
}

extension PurchaseVerdict {
    var fact: Fact? { if case .genuine(let fact) = self { fact } else { nil } }
    var fault: DocumentFault? { if case .refused(let fault, _) = self { fault } else { nil } }
}

extension NotificationVerdict {
    var notification: Entitlements.Notification? {
        if case .genuine(let notification) = self { notification } else { nil }
    }
    var fault: DocumentFault? { if case .refused(let fault, _) = self { fault } else { nil } }
}
