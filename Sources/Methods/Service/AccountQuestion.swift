import Entitlements
import JSON
import Ledger
import Wire

/// What is asked about one account.
struct AccountQuestion: Sendable {
    /// The answer about a user, as a reader sees the account, of which something may be known.
    typealias Reply =
        @Sendable (MethodService, UserID, LedgerReader, MeasuredAccount) throws(RPCFailure) ->
        JSONObject

    /// Whether an RPC thread answers it where the account is small.
    let isShort: Bool
    let reply: Reply
    /// What is done in its place, where the account alone does not tell the answer.
    var late: LateRead?

    init(isShort: Bool = true, _ reply: @escaping Reply) {
        self.isShort = isShort
        self.reply = reply
    }
}

extension MethodWorker {
    /// Answers a question about the user whom the request names: in place, or in the lane of
    /// questions where others would wait for it.
    func answer(
        _ question: AccountQuestion,
        _ called: ServedCall,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) throws(RPCFailure) -> Disposition {
        let reader = try awake()
        let user = try request.params.user(under: reader.policy)
        if let late = question.late {
            return later(late, LateAnswer(called, request, session, ticket))
        }
        let found = try question.isShort ? shortAccount(of: user, reader) : .longer
        if case .read = found {
            reply.appendResult(try question.reply(service, user, reader, found), of: request)
            called.count()
            return .answered
        }
        let service = service
        let read = LateRead.work(.questions) { (reader) throws(RPCFailure) in
            try question.reply(service, user, reader, found)
        }
        return later(read, LateAnswer(called, request, session, ticket))
    }

    /// The account, where a question about it can be answered in place.
    private func shortAccount(
        of user: UserID,
        _ reader: LedgerReader
    ) throws(RPCFailure) -> MeasuredAccount {
        try fromLedger(reader.account(of: user, within: MethodLimits.bytesInPlaceMax))
    }
}
