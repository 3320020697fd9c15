import EntitlementsClient
import Glibc
import JSON

/// Puts users in, one after the other, over one connection.
///
/// Every call can be repeated: tokens and purchases are linked once, and grants and credits have
/// keys that follow from the record. So the same file can be put in again.
struct Importer: ~Copyable {
    /// Something of a record that was not taken.
    struct Failure: Sendable {
        let user: String
        /// Which part of the record, such as `purchases[0]`.
        let what: String
        let error: ClientError

        var isOfPurchase: Bool { what.hasPrefix("purchases") }

        var json: JSONObject {
            var object: JSONObject = [
                "userId": .string(user), "what": .string(what), "code": .string(error.name),
            ]
            object["reason"] = error.object["data"]?["reason"]
            object["message"] = .string(error.message)
            return object
        }
    }

    /// How long a daemon that cannot be asked is waited for.
    static let patience = Duration.seconds(60)

    private let connect: () throws(ClientError) -> Session
    private var session: Session?

    init(_ connect: @escaping () throws(ClientError) -> Session) { self.connect = connect }

    /// Puts in all of a record; answers what was not taken.
    ///
    /// - Throws: where the daemon cannot be asked, or lets nobody do this.
    mutating func put(_ record: ImportRecord) throws(ClientError) -> [Failure] {
        var failures: [Failure] = []
        let user = JSONValue.string(record.user)
        let tokens = record.tokens.isEmpty ? [nil] : record.tokens.map { Optional($0) }
        for (index, token) in tokens.enumerated() {
            var order: JSONObject = ["userId": user]
            order["appAccountToken"] = token.map { .string($0) }
            let isDone = try done("tokens[\(index)]", record, &failures, "registerAccount", order)
            // Without the account nothing else can be put in.
            if !isDone, index == 0 { return failures }
        }
        if record.hadFreeCredits, record.credits == nil {
            _ = try takes(from: record, "import:free", ["free"], &failures)
        }
        for (index, purchase) in record.purchases.enumerated() {
            var order = purchase
            order["userId"] = user
            // Neither takes a purchase from another user.
            let method = purchase["receiptData"] == nil ? "verifyPurchase" : "verifyReceipt"
            _ = try done("purchases[\(index)]", record, &failures, method, order)
        }
        for (index, grant) in record.grants.enumerated() {
            var order = grant
            order["userId"] = user
            order["reason"] = grant["reason"] ?? "import"
            order["idempotencyKey"] = grant["idempotencyKey"] ?? .string("import:grant:\(index)")
            _ = try done("grants[\(index)]", record, &failures, "grantEntitlement", order)
        }
        guard let buckets = record.credits else { return failures }
        if let late = failures.first(where: { $0.isOfPurchase && $0.error.retryable }) {
            // A pack that is taken only by the next import would come on top of the balance.
            failures.append(Failure(user: record.user, what: "credits", error: late.error))
            return failures
        }
        guard try takes(from: record, "import:zero", nil, &failures) else { return failures }
        for (index, bucket) in buckets.enumerated() {
            var order = bucket
            order["userId"] = user
            order["reason"] = "import"
            order["idempotencyKey"] = .string("import:credits:\(index)")
            _ = try done("credits[\(index)]", record, &failures, "grantCredits", order)
        }
        return failures
    }

    /// Takes the credits that the account and its packs gave, or those of some sources, since they
    /// were spent, or the record says how many there are; once, whatever happened to them since.
    private mutating func takes(
        from record: ImportRecord,
        _ key: String,
        _ sources: Set<String>?,
        _ failures: inout [Failure]
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            var order: JSONObject = ["userId": .string(record.user)]
            let buckets = try call("getCredits", order)["buckets"]?.array ?? []
            let taken = buckets.filter { sources?.contains($0["source"]?.string ?? "") ?? true }
            let has = taken.reduce(0) { $0 + ($1["amount"]?.int64 ?? 0) }
            // Of all, also where there are none: a later run finds by the key that this was done.
            guard has > 0 || sources == nil else { return true }
            order["amount"] = .integer(-max(has, 1))
            order["idempotencyKey"] = .string(key)
            order["reason"] = "import"
            _ = try call("adjustCredits", order)
        } catch  where error.name == "idempotency_mismatch" {
            return true
        } catch  where Self.isAboutRecord(error) {
            failures.append(Failure(user: record.user, what: "credits", error: error))
            return false
        }
        return true
    }

    /// Calls `method`; answers whether it was taken.
    private mutating func done(
        _ what: String,
        _ record: ImportRecord,
        _ failures: inout [Failure],
        _ method: String,
        _ order: JSONObject
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            _ = try call(method, order)
            return true
        } catch  where Self.isAboutRecord(error) {
            failures.append(Failure(user: record.user, what: what, error: error))
            return false
        }
    }

    /// Whether another record may fare better.
    private static func isAboutRecord(_ error: ClientError) -> Bool {
        error.code != 0 && error.name != ClientError.LocalName.permissionDenied
    }

    /// Calls `method`, again and again while the daemon is away or has no time.
    private mutating func call(
        _ method: String,
        _ parameters: JSONObject
    ) throws(ClientError) -> JSONObject {
        let end = ContinuousClock.now + Self.patience
        while true {
            do throws(ClientError) {
                var session: Session
                if let kept = self.session.take() {
                    session = kept
                } else {
                    session = try connect()
                }
                // Kept where the daemon answered, whatever it said.
                let answer = Self.answer(of: method, parameters, &session)
                if case .failure(let error) = answer, error.code == 0 { throw error }
                self.session = consume session
                return try answer.get()
            } catch {
                let isAway = error.code == 0 && error.name != ClientError.LocalName.permissionDenied
                guard isAway || error.retryable, ContinuousClock.now < end else { throw error }
                usleep(UInt32(error.retryAfterMilliseconds ?? 200) * 1_000)
            }
        }
    }

    private static func answer(
        of method: String,
        _ parameters: JSONObject,
        _ session: inout Session
    ) -> Result<JSONObject, ClientError> {
        do throws(ClientError) {
            return .success(try session.call(method, parameters))
        } catch {
            return .failure(error)
        }
    }
}
