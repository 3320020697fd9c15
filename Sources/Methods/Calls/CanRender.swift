import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `canRender`: one look-up of one flat record, judged against the clock at this moment.
    ///
    /// The worker calls it directly, without this value.
    static let canRender = Call(
        "canRender",
        for: .reader,
        .inPlace { (worker, request, reply) throws(RPCFailure) in
            try worker.canRender(request, into: &reply)
        }
    )
}

extension MethodWorker {
    /// Allocates nothing: the user id stays a window of the frame's bytes.
    func canRender(_ request: RequestView, into reply: inout ReplyBuffer) throws(RPCFailure) {
        let reader = try awake()
        try judge(request, as: "{\"canRender\":", under: reader.policy, reader, into: &reply)
    }

    /// Judges by `policy`, and begins the answer with the member that says yes or no.
    func judge(
        _ request: RequestView,
        as member: StaticString,
        under policy: Policy,
        _ reader: LedgerReader,
        into reply: inout ReplyBuffer
    ) throws(RPCFailure) {
        let cost = try request.params.amount("cost", otherwise: 1)
        guard case .value(let window) = request.params.bytes(of: "userId"),
            UserID.isValid(window)
        else { throw .invalid("userId", "is 1 to 256 bytes of UTF-8 without control characters") }
        let decision = try Self.decision(of: window, cost, policy, reader, &answer, service)
        reply.beginResult(id: request.idBytes)
        reply.append(member)
        reply.appendBool(decision.canRender)
        reply.append(",\"via\":")
        reply.appendWord(decision.via?.word)
        reply.append(",\"state\":")
        reply.appendWord(decision.state.word)
        reply.append(",\"reason\":")
        reply.appendWord(decision.reason?.word)
        reply.append(",\"nextChangeAt\":")
        if let next = decision.nextChange {
            reply.appendTime(next.milliseconds)
        } else {
            reply.append("null")
        }
        reply.append(",\"seq\":")
        reply.appendInteger(Int64(reader.seq))
        reply.append("}")
        reply.endResult()
    }

    /// The same question as one that takes its time, of `canRender` and `can`.
    func lateDecision(_ request: RequestView) throws(RPCFailure) -> LateRead {
        let params = request.params
        let cost = try params.amount("cost", otherwise: 1)
        let user = try params.user(under: try awake().policy)
        let isRender = request.isMethod("canRender")
        let feature =
            isRender ? Policy.render : String(decoding: try params.feature(), as: UTF8.self)
        let service = service
        return .work(.questions) { (reader) throws(RPCFailure) in
            do throws(LedgerFailure) {
                try reader.wake()
                let policy = reader.policy.asked(about: feature)
                let account = try reader.account(of: user)
                var decision = Decision()
                decision.reason = .noAccount
                if let account {
                    decision = account.answer.decision(
                        ofCost: cost,
                        at: service.now(),
                        under: policy,
                        sandboxes: policy.sandboxes(of: user)
                    )
                }
                return decision.object(as: isRender ? "canRender" : "allowed", seq: reader.seq)
            } catch {
                throw RPCFailure(error)
            }
        }
    }

    /// Lent the worker's `answer` once, so that none of its lists is copied to be looked at.
    private static func decision(
        of window: UnsafeRawBufferPointer,
        _ cost: Int64,
        _ policy: Policy,
        _ reader: LedgerReader,
        _ answer: inout Answer,
        _ service: MethodService
    ) throws(RPCFailure) -> Decision {
        // Both ways without a copy on the heap; only an id that is folded is copied at all.
        guard policy.foldsUserIDs else {
            return try judged(window, cost, under: policy, reader, &answer, service)
        }
        return try UserID.withFolding(of: window) { (user) throws(RPCFailure) in
            try judged(user, cost, under: policy, reader, &answer, service)
        }
    }

    private static func judged(
        _ user: UnsafeRawBufferPointer,
        _ cost: Int64,
        under policy: Policy,
        _ reader: LedgerReader,
        _ answer: inout Answer,
        _ service: MethodService
    ) throws(RPCFailure) -> Decision {
        let exists: Bool
        do throws(LedgerFailure) {
            exists = try reader.read(user, into: &answer)
        } catch {
            throw RPCFailure(error)
        }
        guard exists else {
            var decision = Decision()
            decision.reason = .noAccount
            return decision
        }
        if answer.flags.contains(.dated) { answer.date(under: policy) }
        return answer.decision(
            ofCost: cost,
            at: service.now(),
            under: policy,
            // Looked up for those alone for whom it can make a difference.
            sandboxes: answer.holdsSandbox ? policy.sandboxes(of: user) : .none
        )
    }
}

extension Decision {
    /// What `canRender` answers, as it writes it.
    fileprivate func object(as member: String, seq: UInt64) -> JSONObject {
        var object: JSONObject = [:]
        object[member] = .bool(canRender)
        object["via"] = via.map { .string($0.rawValue) } ?? .null
        object["state"] = .string(state.rawValue)
        object["reason"] = reason.map { .string($0.rawValue) } ?? .null
        object["nextChangeAt"] = nextChange.map { JSONValue.time($0) } ?? .null
        object["seq"] = .integer(Int64(seq))
        return object
    }
}

extension UserID {
    /// Whether these bytes, which are valid UTF-8, are a user id: 1 to 256, no control character
    /// (U+0000 to U+001F, U+007F to U+009F).
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (1...Entitlements.Limits.userIDBytesMax).contains(bytes.count) && !holdsControl(bytes)
    }
}

extension ReplyBuffer {
    /// Appends a word of proto/openrpc.json as a string, or null.
    mutating func appendWord(_ word: StaticString?) {
        guard let word else {
            append("null")
            return
        }
        append("\"")
        append(word)
        append("\"")
    }
}

// The words of proto/openrpc.json as literals, so that writing them allocates nothing.

extension Decision.Via {
    var word: StaticString {
        switch self {
        case .subscription: "subscription"
        case .grace: "grace"
        case .grant: "grant"
        case .credits: "credits"
        case .free: "free"
        }
    }
}

extension Decision.State {
    var word: StaticString {
        switch self {
        case .noAccount: "no_account"
        case .trial: "trial"
        case .subscribed: "subscribed"
        case .freeWithCredits: "free_with_credits"
        case .freeNoCredits: "free_no_credits"
        }
    }
}

extension Decision.Reason {
    var word: StaticString {
        switch self {
        case .noAccount: "no_account"
        case .notInPlan: "not_in_plan"
        case .unknownProduct: "unknown_product"
        case .sandboxNotAdmitted: "sandbox_not_admitted"
        case .revoked: "revoked"
        case .pending: "pending"
        case .paused: "paused"
        case .billingRetry: "billing_retry"
        case .expired: "expired"
        case .creditsExhausted: "credits_exhausted"
        case .neverSubscribed: "never_subscribed"
        }
    }
}
