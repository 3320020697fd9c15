import EntitlementsClient
import Glibc
import JSON

/// Puts users in, one after the other, over one connection.
///
/// Every call can be repeated: tokens and purchases are linked once, and grants and credits have
/// keys that follow from the record; where the daemon has forgotten those, the user's history tells
/// of them. So the same file can be put in again.
struct Importer: ~Copyable {
    /// Something of a record that was not taken.
    struct Failure: Sendable {
        let user: String
        /// Which part of the record, such as `purchases[0]`.
        let what: String
        let error: ClientError

        var isOfPurchase: Bool { what.hasPrefix("purchases") }

        /// Whether a later import may take it: when a store answers, or once the operator has put a
        /// key, a section of the configuration or the file right.
        ///
        /// What is another's stays so, and what does not verify, but for the reasons that the
        /// configuration or a clock may have.
        var mayBeCured: Bool {
            let reason = error.object["data"]?["reason"]?.string ?? ""
            return switch error.name {
            case "ownership_conflict": reason == "unknown_token"
            case "verification_failed":
                ["bundle", "app", "environment", "future_date"].contains(reason)
            default: true
            }
        }

        var json: JSONObject {
            var object: JSONObject = [
                "userId": .string(user), "what": .string(what), "code": .string(error.name),
            ]
            object["reason"] = error.object["data"]?["reason"]
            object["message"] = .string(error.message)
            return object
        }
    }

    /// What became of a record.
    struct Outcome: Sendable {
        /// Whether there is an account, without which nothing can be put in.
        var isBegun = false
        /// How many purchases, and how many grants, the user has now.
        var purchases = 0
        var grants = 0
        /// What was not taken.
        var failures: [Failure] = []
    }

    /// How long a daemon that cannot be asked is waited for.
    static let patience = Duration.seconds(60)
    /// How long one pause is at most, whatever the daemon asks for.
    private static let pauseMillisecondsMax = 5_000

    private let connect: () throws(ClientError) -> Session
    private var session: Session?

    init(_ connect: @escaping () throws(ClientError) -> Session) { self.connect = connect }

    /// Puts in all of a record.
    ///
    /// - Throws: where the daemon cannot be asked, or lets nobody do this.
    mutating func put(_ record: ImportRecord) throws(ClientError) -> Outcome {
        var outcome = Outcome()
        guard let isNew = try begin(record, &outcome.failures) else { return outcome }
        outcome.isBegun = true
        let trail = isNew ? ImportTrail(of: []) : try self.trail(of: record)
        try takeFree(from: record, trail, &outcome.failures)
        for (index, purchase) in record.purchases.enumerated() {
            var order = purchase
            order["userId"] = .string(record.user)
            // Neither takes a purchase from another user.
            let method = purchase["receiptData"] == nil ? "verifyPurchase" : "verifyReceipt"
            let what = "purchases[\(index)]"
            if try answer(what, record, &outcome.failures, method, order) != nil {
                outcome.purchases += 1
            }
        }
        for index in record.grants.indices
        where try gives(index, of: record, trail, &outcome.failures) {
            outcome.grants += 1
        }
        try setBalance(of: record, trail, &outcome.failures)
        return outcome
    }

    /// Has the account exist; answers whether it is new, or nil where it cannot be begun.
    private mutating func begin(
        _ record: ImportRecord,
        _ failures: inout [Failure]
    ) throws(ClientError) -> Bool? {
        let tokens = record.tokens.isEmpty ? [nil] : record.tokens.map { Optional($0) }
        var isNew = false
        for (index, token) in tokens.enumerated() {
            var order: JSONObject = ["userId": .string(record.user)]
            order["appAccountToken"] = token.map { .string($0) }
            do throws(ClientError) {
                let answer = try call("registerAccount", order)
                if index == 0 { isNew = answer["created"]?.bool == true }
            } catch  where Self.isAboutRecord(error) {
                failures.append(Failure(user: record.user, what: "tokens[\(index)]", error: error))
                guard index > 0 else {
                    failures += record.parts.map {
                        Failure(user: record.user, what: $0, error: error)
                    }
                    return nil
                }
            }
        }
        return isNew
    }

    /// What earlier imports did for a user, so that nothing is done twice.
    private mutating func trail(of record: ImportRecord) throws(ClientError) -> ImportTrail {
        var trail = ImportTrail(of: record.keys)
        for key in record.keys where try isKnown(key, of: record) { trail.knows(key) }
        for key in record.bucketKeys {
            if try isKnown(key, of: record) { trail.knows(key) } else { trail.countsParts = true }
        }
        // A history takes as long as ten other calls: only where a key is not known.
        guard !trail.missing.isEmpty || trail.countsParts else { return trail }
        var order: JSONObject = ["userId": .string(record.user)]
        do throws(ClientError) {
            while trail.reads(try call("getHistory", order)) {
                order["afterSeq"] = .integer(trail.place)
            }
        } catch  where Self.isAboutRecord(error) {
            trail.fails(error)
        }
        return trail
    }

    /// Whether the daemon knows a key.
    private mutating func isKnown(
        _ key: String,
        of record: ImportRecord
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            // Gives nothing: everybody has the plan `free`, and nobody can be given it.
            let order: JSONObject = [
                "userId": .string(record.user), "plan": "free", "idempotencyKey": .string(key),
            ]
            _ = try call("grantEntitlement", order)
            return false
        } catch  where error.name == "idempotency_mismatch" {
            return true
        } catch  where Self.isAboutRecord(error) {
            return false
        }
    }

    /// Gives a grant of the record, once; answers whether it was given.
    private mutating func gives(
        _ index: Int,
        of record: ImportRecord,
        _ trail: ImportTrail,
        _ failures: inout [Failure]
    ) throws(ClientError) -> Bool {
        var order = record.grants[index]
        let key = record.grantKey(index)
        order["userId"] = .string(record.user)
        order["idempotencyKey"] = key
        if let why = (order["reason"] ?? "import").string {
            order["reason"] = .string(ImportTrail.reason(why, key.string ?? ""))
        }
        let what = "grants[\(index)]"
        switch trail.finding(key.string ?? "") {
        case .done: return true
        case .open, .known:
            return try answer(what, record, &failures, "grantEntitlement", order) != nil
        case .unknown(let error):
            failures.append(Failure(user: record.user, what: what, error: error))
            return false
        }
    }

    /// Gives the user the credits that the record names, and no others, once.
    private mutating func setBalance(
        of record: ImportRecord,
        _ trail: ImportTrail,
        _ failures: inout [Failure]
    ) throws(ClientError) {
        guard let buckets = record.credits else { return }
        func fails(_ error: ClientError) {
            failures.append(Failure(user: record.user, what: "credits", error: error))
        }
        // Which of the parts are given now, or were given and are answered again.
        var ordered = buckets.indices
        switch trail.finding(ImportRecord.zeroKey) {
        case .unknown(let error): return fails(error)
        // What an import that ended between did not give; a balance is set once. What was given is
        // known, too, or it was so long ago that only their number is.
        case .known: ordered = 0..<min(trail.parts ?? buckets.count, buckets.count)
        case .done:
            if let failure = trail.failure, trail.given < trail.parts ?? 0 { return fails(failure) }
            ordered = trail.given..<max(trail.given, min(trail.parts ?? 0, buckets.count))
        case .open:
            if let late = failures.first(where: { $0.isOfPurchase && $0.mayBeCured }) {
                // A pack that is taken only by the next import would come on top of the balance.
                return fails(late.error)
            }
            if let failure = try catchUp(record) { return fails(failure) }
            guard try takeAll(from: record, &failures) else { return }
        }
        for (index, bucket) in buckets.enumerated() {
            let key = record.bucketKeys[index]
            var isKnown = false
            if case .known = trail.finding(key) { isKnown = true }
            guard isKnown || ordered.contains(index) else { continue }
            var order = bucket
            order["userId"] = .string(record.user)
            order["reason"] = .string(ImportTrail.partReason)
            order["idempotencyKey"] = .string(key)
            let what = "credits[\(index)]"
            // One after the other, so that their number says which were given.
            guard try answer(what, record, &failures, "grantCredits", order) != nil else { return }
        }
    }

    /// Has the daemon ask the stores about what should have been heard of, so that the credits of
    /// a new period come before the balance is set; answers why that has to wait.
    private mutating func catchUp(_ record: ImportRecord) throws(ClientError) -> ClientError? {
        guard !record.purchases.isEmpty else { return nil }
        let order: JSONObject = ["userId": .string(record.user)]
        do throws(ClientError) {
            let purchases = try call("getSubscriptions", order)["subscriptions"]?.array ?? []
            if purchases.contains(where: { $0["stale"] == true }) {
                _ = try call("reconcile", order)
            }
            return nil
        } catch  where Self.isAboutRecord(error) {
            // Without an API there is nobody to ask.
            return error.retryable ? error : nil
        }
    }

    /// Takes the free credits of a user who had got them in the old system, and no others, once.
    private mutating func takeFree(
        from record: ImportRecord,
        _ trail: ImportTrail,
        _ failures: inout [Failure]
    ) throws(ClientError) {
        guard record.takesFreeCredits else { return }
        func fails(_ error: ClientError) {
            failures.append(Failure(user: record.user, what: "freeCreditsGiven", error: error))
        }
        switch trail.finding(ImportRecord.freeKey) {
        case .known, .done: return
        case .unknown(let error): return fails(error)
        case .open: break
        }
        do throws(ClientError) {
            var order: JSONObject = ["userId": .string(record.user)]
            let buckets = try call("getCredits", order)["buckets"]?.array ?? []
            let free = buckets.first { $0["source"] == "free" }?["amount"]?.int64 ?? 0
            guard free > 0 else { return }
            order["amount"] = .integer(-free)
            order["source"] = "free"
            order["idempotencyKey"] = .string(ImportRecord.freeKey)
            order["reason"] = .string(ImportTrail.reason("import", ImportRecord.freeKey))
            _ = try call("adjustCredits", order)
        } catch  where error.name == "idempotency_mismatch" {
            // It was done, and some came back since.
        } catch  where Self.isAboutRecord(error) {
            fails(error)
        }
    }

    /// Takes the credits that the account and its packs gave, since the record says how many there
    /// are; once, whatever happened to them since.
    private mutating func takeAll(
        from record: ImportRecord,
        _ failures: inout [Failure]
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            var order: JSONObject = ["userId": .string(record.user)]
            let buckets = try call("getCredits", order)["buckets"]?.array ?? []
            let has = buckets.reduce(0) { $0 + ($1["amount"]?.int64 ?? 0) }
            order["idempotencyKey"] = .string(ImportRecord.zeroKey)
            let why = ImportTrail.reason(ofBalanceIn: record.bucketKeys.count)
            order["reason"] = .string(ImportTrail.reason(why, ImportRecord.zeroKey))
            if has > 0 {
                order["amount"] = .integer(-has)
                _ = try call("adjustCredits", order)
            } else {
                // The history tells nothing of an adjustment that takes nothing, and a later run
                // has to find that this was done: a credit that ended long ago is told.
                order["amount"] = 1
                order["expiresAt"] = "1970-01-01T00:00:00.000Z"
                order["source"] = "import"
                _ = try call("grantCredits", order)
            }
        } catch  where error.name == "idempotency_mismatch" {
            return true
        } catch  where Self.isAboutRecord(error) {
            failures.append(Failure(user: record.user, what: "credits", error: error))
            return false
        }
        return true
    }

    /// Calls `method`; answers nil where it was not taken.
    private mutating func answer(
        _ what: String,
        _ record: ImportRecord,
        _ failures: inout [Failure],
        _ method: String,
        _ order: JSONObject
    ) throws(ClientError) -> JSONObject? {
        do throws(ClientError) {
            return try call(method, order)
        } catch  where Self.isAboutRecord(error) {
            failures.append(Failure(user: record.user, what: what, error: error))
            return nil
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
                let asked = error.retryAfterMilliseconds ?? 200
                usleep(UInt32(min(max(asked, 0), Self.pauseMillisecondsMax)) * 1_000)
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
