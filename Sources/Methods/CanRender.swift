import Entitlements
import Ledger
import Wire

extension MethodWorker {
    /// `canRender`: one look-up of one flat record, judged against the clock at this moment.
    ///
    /// Allocates nothing: the user id stays a window of the frame's bytes.
    func canRender(_ request: RequestView, into reply: inout ReplyBuffer) throws(RPCFailure) {
        let reader = try awake()
        let cost = try request.params.amount("cost", otherwise: 1)
        guard case .value(let window) = request.params.bytes(of: "userId"),
            UserID.isValid(window)
        else { throw .invalid("userId", "is 1 to 256 bytes of UTF-8 without control characters") }
        let decision = try Self.decision(of: window, cost, reader, &answer, service)
        reply.beginResult(id: request.idBytes)
        reply.append("{\"canRender\":")
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

    /// Lent the worker's `answer` once, so that none of its lists is copied to be looked at.
    private static func decision(
        of window: UnsafeRawBufferPointer,
        _ cost: Int64,
        _ reader: LedgerReader,
        _ answer: inout Answer,
        _ service: MethodService
    ) throws(RPCFailure) -> Decision {
        let policy = reader.policy
        var admitsSandbox = true
        var exists = false
        do throws(LedgerFailure) {
            if policy.readsPlainly {
                exists = try reader.read(window, into: &answer)
            } else if let user = UserID(Array(window))?.folded(under: policy) {
                admitsSandbox = policy.admitsSandbox(user)
                var found = false
                var failure: LedgerFailure?
                user.bytes.withUnsafeBytes { bytes in
                    do throws(LedgerFailure) {
                        found = try reader.read(bytes, into: &answer)
                    } catch {
                        failure = error
                    }
                }
                if let failure { throw failure }
                exists = found
            }
        } catch {
            throw RPCFailure(error)
        }
        guard exists else {
            var decision = Decision()
            decision.reason = .noAccount
            return decision
        }
        return answer.decision(
            ofCost: cost,
            at: service.now(),
            under: policy,
            admitsSandbox: admitsSandbox
        )
    }
}

extension Policy {
    /// Whether a user id can be looked up as it stands, and nothing depends on who it is.
    var readsPlainly: Bool {
        !source.userIDIsToken && source.sandboxAccess != .none && !isListed
    }

    private var isListed: Bool {
        if case .listed = source.sandboxAccess { true } else { false }
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
    /// Appends a word of the contract as a string, or null.
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

// The words of the contract as literals, so that writing them allocates nothing.

extension Decision.Via {
    var word: StaticString {
        switch self {
        case .subscription: "subscription"
        case .grace: "grace"
        case .grant: "grant"
        case .credits: "credits"
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
        case .revoked: "revoked"
        case .billingRetry: "billing_retry"
        case .expired: "expired"
        case .creditsExhausted: "credits_exhausted"
        case .neverSubscribed: "never_subscribed"
        }
    }
}
