import Entitlements
import JSON
import Ledger
import Telemetry
import Wire

/// Answers the requests of one RPC thread.
///
/// Short reads are answered in place, long ones in a lane. Writes go to the ledger, those of one
/// connection about the same user in their order, and are answered when they are on disk.
final class MethodWorker: FrameWorker {
    let service: MethodService
    let reader: LedgerReader?
    /// Reused for every look-up, so that none allocates.
    ///
    /// One thread's, and lent to one request at a time: nothing that a check of each could find.
    @exclusivity(unchecked) var answer = Answer()
    /// By session: what returns when the connection ends.
    var connectionHolds: [UInt64: ConnectionHolds] = [:]
    /// Writes of this round, sent together: the writer is woken once and decides them in one group.
    var orders: [WriteOrder] = []
    private let canRenderAnswered: Counter

    init(_ service: MethodService) {
        self.service = service
        reader = try? LedgerReader(service.ledger)
        canRenderAnswered = service.metrics.rpcRequests.series(Method.canRender.rawValue, "ok")
    }

    func rest() {
        sendOrders()
        reader?.rest()
    }

    /// Hands the round's writes to the ledger.
    func sendOrders() {
        guard !orders.isEmpty else { return }
        service.ledger.submit(orders)
        orders.removeAll(keepingCapacity: true)
    }

    func answer(
        _ request: RequestView,
        from session: Session,
        ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        let method = Method.named(request)
        do throws(RPCFailure) {
            guard let method else {
                throw RPCFailure(.methodNotFound, "There is no such method.")
            }
            try admit(method, request, session)
            if method == .canRender {
                try canRender(request, into: &reply)
                canRenderAnswered.increment()
                return .answered
            }
            return try answer(method, request, session, ticket, into: &reply)
        } catch {
            count(method, error.name)
            reply.appendError(error, id: request.idBytes)
            return .answered
        }
    }

    /// First match wins: starting, stopping, the role, an unknown parameter of a write.
    private func admit(
        _ method: Method,
        _ request: RequestView,
        _ session: Session
    ) throws(RPCFailure) {
        if !method.isAlwaysAnswered {
            switch service.phase {
            case .serving: break
            case .starting: throw RPCFailure(.notReady, "The daemon is starting.")
            case .stopping: throw RPCFailure(.shuttingDown, "The daemon is stopping.")
            }
        }
        if session.caller.role < method.role {
            throw RPCFailure(
                .permissionDenied,
                "This caller is \(session.caller.role.name); the method is for"
                    + " \(method.role.name)."
            )
        }
        if let known = method.parameters, let name = request.params.firstName(notIn: known) {
            throw RPCFailure(
                .invalidParams,
                "There is no such parameter.",
                extra: [("field", .string(String(name.prefix(64))))]
            )
        }
    }

    private func answer(
        _ method: Method,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) throws(RPCFailure) -> Disposition {
        switch method {
        case .canRender: preconditionFailure("canRender is answered before")
        case .ping: write("{}", request, &reply)
        case .version: write(version, request, &reply)
        case .discover: write(OpenRPCDocument.text, request, &reply)
        case .setLogLevel: write(try settingLogLevel(request.params), request, &reply)
        case .getStatus:
            let question = try statusQuestion(request.params)
            return try answer(question, method, request, session, ticket, into: &reply)
        case .getEntitlement:
            return try answer(.entitlement, method, request, session, ticket, into: &reply)
        case .getSubscriptions:
            return try answer(.subscriptions, method, request, session, ticket, into: &reply)
        case .getCredits:
            return try answer(.credits, method, request, session, ticket, into: &reply)
        case .getManagementURL:
            let question = AccountQuestion.managementURL(try platform(request.params))
            return try answer(question, method, request, session, ticket, into: &reply)
        case .getHistory:
            return later(try history(request.params), method, request, session, ticket)
        case .explain:
            return later(try explaining(request.params), method, request, session, ticket)
        case .dump: return later(try dumping(request.params), method, request, session, ticket)
        case .get: return later(try getting(request.params), method, request, session, ticket)
        case .stats: return later(stats(), method, request, session, ticket)
        case .exportUser:
            return later(try exporting(request.params), method, request, session, ticket)
        case .backup: return later(try backingUp(request.params), method, request, session, ticket)
        case .reconcile:
            let read = try reconciling(request.params, session)
            return later(read, method, request, session, ticket)
        case .testNotification:
            return later(try testing(request.params), method, request, session, ticket)
        case .signOffer, .signIntroductoryOffer, .sendConsumption, .extendRenewal:
            let read = try storeErrand(method, request.params)
            return later(read, method, request, session, ticket)
        case .watch: return try watch(request, session, ticket)
        case .registerAccount, .verifyPurchase, .restorePurchases, .verifyReceipt,
            .consumeCredit, .reserveCredits, .commitReservation, .releaseReservation,
            .reverseCredits, .mergeAccounts, .grantEntitlement, .revokeGrant, .movePurchase,
            .grantCredits, .adjustCredits, .load, .eraseUser:
            let write = try pendingWrite(method, request.params, session)
            return try later(write, method, request, session, ticket)
        }
        count(method, "ok")
        return .answered
    }

    private func pendingWrite(
        _ method: Method,
        _ params: ParamsView,
        _ session: Session
    ) throws(RPCFailure) -> PendingWrite {
        switch method {
        case .registerAccount: try registering(params)
        case .verifyPurchase: try verifying(params)
        case .restorePurchases: try restoring(params)
        case .verifyReceipt: try receiving(params)
        case .consumeCredit: try charging(params)
        case .reserveCredits: try reserving(params, session)
        case .commitReservation: try ending(params, .committed, session)
        case .releaseReservation: try ending(params, .released, session)
        case .reverseCredits: try reversing(params)
        case .mergeAccounts: try merging(params)
        case .grantEntitlement: try granting(params)
        case .revokeGrant: try revoking(params)
        case .movePurchase: try moving(params)
        case .grantCredits: try crediting(params, isAdjustment: false)
        case .adjustCredits: try crediting(params, isAdjustment: true)
        case .load: try loading(params)
        case .eraseUser: try erasing(params, session)
        case .canRender, .getStatus, .getEntitlement, .getSubscriptions, .getCredits,
            .getManagementURL, .getHistory, .explain, .watch, .ping, .version, .discover, .dump,
            .get, .stats,
            .reconcile, .testNotification, .exportUser, .backup, .setLogLevel,
            .signOffer, .signIntroductoryOffer, .sendConsumption, .extendRenewal:
            preconditionFailure("reads are answered in place")
        }
    }

    /// The reader, awake; its policy is the one in force.
    func awake() throws(RPCFailure) -> LedgerReader {
        guard let reader else {
            throw RPCFailure(.internalError, "There are too many readers of the views.")
        }
        do {
            try reader.wake()
        } catch {
            throw RPCFailure(error)
        }
        return reader
    }

    private var version: String {
        #"{"entitld":"\#(service.settings.version)","protocol":"1","format":1}"#
    }

    private func write(_ result: String, _ request: RequestView, _ reply: inout ReplyBuffer) {
        reply.beginResult(id: request.idBytes)
        var text = result
        text.withUTF8 { reply.append(bytes: UnsafeRawBufferPointer($0)) }
        reply.endResult()
    }

    func write(_ result: JSONObject, _ request: RequestView, _ reply: inout ReplyBuffer) {
        reply.beginResult(id: request.idBytes)
        reply.appendObject(result)
        reply.endResult()
    }

    func notice(_ refusal: RPCFailure) { count(nil, refusal.name) }

    func count(_ method: Method?, _ code: String) { service.count(method, code) }
}
