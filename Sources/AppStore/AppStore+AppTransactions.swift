import Entitlements
import JSON
import Signatures

/// App transactions: the download of an app by an Apple account, as StoreKit's `AppTransaction` has
/// it.
extension AppStore {
    /// Judges an app transaction.
    ///
    /// The first match decides: not genuine, or of Xcode; no app transaction; of Xcode; another
    /// app's; an environment that is not admitted; another app's by its Apple id, in Production;
    /// made in the future.
    package func verdict(
        onAppTransaction document: [UInt8],
        at now: Moment
    ) -> AppTransactionVerdict {
        do throws(Refusal) {
            let verified = try verifiedAppTransaction(document)
            let payload = verified.payload
            guard let type = payload["receiptType"]?.string, payload["transactionId"] == nil,
                payload["notificationType"] == nil
            else { throw Refusal(.wrongDocument, "not an app transaction") }
            if type == Self.xcode { throw Refusal(.xcode, "made by Xcode") }
            try checking(verified) { (document) throws(DocumentFault) in
                try identity.check(document)
            }
            let environment = AppStoreDecoder.environment(named: type)
            guard let environment, identity.environments.contains(environment) else {
                throw Refusal(.environment, "not an environment of this daemon")
            }
            let app = identity.app(of: payload["bundleId"]?.string)
            if environment == .production, let id = app?.appAppleID,
                payload["appAppleId"]?.int64 != id
            {
                throw Refusal(.app, "another app's Apple id")
            }
            if let claim = verified.claimAgainst(now) { throw Refusal(.signature, claim) }
            let latest = now.advanced(byMilliseconds: Limits.futureMilliseconds)
            guard let created = verified.moment(Self.timeClaim), created <= latest else {
                throw Refusal(.futureDate, "made in the future")
            }
            let mark = Self.mark(of: payload["appTransactionId"]?.string, in: environment)
            return .genuine(AppTransaction(environment: environment, mark: mark))
        } catch {
            return .refused(error.fault, detail: error.detail)
        }
    }

    private static let timeClaim = "receiptCreationDate"

    /// The stored form of the app transaction id; nil for documents that have none, because they
    /// are older than these ids, or where it is no valid text.
    private static func mark(
        of id: String?,
        in environment: StoreEnvironment
    ) -> AppTransactionMark? {
        guard let id, DecodedDocument.isName(id) else { return nil }
        let name = "\(Store.appStore.name)/\(environment.name)/\(id)"
        let digest = Digest256(bytes: Digest.sha256(Array(name.utf8)))
        return AppTransactionMark(Digest128(digest))
    }

    /// A document with a `signedDate` may be genuine, but it is not an app transaction.
    private func verifiedAppTransaction(
        _ compact: [UInt8]
    ) throws(Refusal) -> DecodedDocument {
        do throws(Refusal) {
            return try verified(compact, dated: Self.timeClaim)
        } catch {
            if error.fault == .malformed, (try? verified(compact)) != nil {
                throw Refusal(.wrongDocument, "not an app transaction")
            }
            if Self.claimsXcode("receiptType", of: compact) {
                throw Refusal(.xcode, error.detail)
            }
            throw error
        }
    }
}
