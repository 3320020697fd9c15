import Entitlements
import JSON
import Ledger
import Wire

/// What can be asked about one account.
enum AccountQuestion: Sendable {
    case status
    case pastStatus(at: Moment)
    case entitlement
    case subscriptions
    case credits
    /// Of this store, or of that of what the account shows.
    case managementURL(Store?)
}

/// The reads beside `canRender`.
extension MethodWorker {
    /// Answers a question about the user whom the request names: in place, or in the lane of
    /// questions where others would wait for it.
    func answer(
        _ question: AccountQuestion,
        _ method: Method,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) throws(RPCFailure) -> Disposition {
        let reader = try awake()
        let user = try request.params.user(under: reader.policy)
        let found = try shortAccount(of: user, for: question, reader)
        if case .read = found {
            write(try service.answer(question, of: user, reader, knowing: found), request, &reply)
            count(method, "ok")
            return .answered
        }
        let service = service
        let read = LateRead.work(.questions) { (reader) throws(RPCFailure) in
            try service.answer(question, of: user, reader, knowing: found)
        }
        return later(read, method, request, session, ticket)
    }

    /// The account, where the question can be answered in place.
    private func shortAccount(
        of user: UserID,
        for question: AccountQuestion,
        _ reader: LedgerReader
    ) throws(RPCFailure) -> MeasuredAccount {
        switch question {
        case .pastStatus, .subscriptions: return .longer
        case .status, .entitlement, .credits, .managementURL: break
        }
        do throws(LedgerFailure) {
            return try reader.account(of: user, within: MethodLimits.bytesInPlaceMax)
        } catch {
            throw RPCFailure(error)
        }
    }

    /// What `getStatus` asks: now, or at a past moment.
    func statusQuestion(_ params: ParamsView) throws(RPCFailure) -> AccountQuestion {
        let past = try params.pastMoment("at", now: service.now())
        return past.map { AccountQuestion.pastStatus(at: $0) } ?? .status
    }

    /// The store whose page `getManagementURL` asks for, if it names one.
    func platform(_ params: ParamsView) throws(RPCFailure) -> Store? {
        switch try params.optionalText("platform", bytesMax: 16) {
        case "ios": return .appStore
        case "android": return .googlePlay
        case "web": return .stripe
        case nil: return nil
        default: throw .invalid("platform", "is ios, android or web")
        }
    }

    /// `stats`: what the daemon did and does, for people and scripts.
    func stats() -> LateRead {
        let service = service
        return .work(.questions) { (reader) throws(RPCFailure) in
            do throws(LedgerFailure) {
                try reader.wake()
                return try service.stats(under: reader.policy)
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

extension MethodService {
    /// The answer to `question` about `user`, as `reader` sees the account, of which `found` is
    /// known.
    func answer(
        _ question: AccountQuestion,
        of user: UserID,
        _ reader: LedgerReader,
        knowing found: MeasuredAccount
    ) throws(RPCFailure) -> JSONObject {
        switch question {
        case .status: return try view(of: user, reader, knowing: found).status
        case .pastStatus(let moment):
            return try chronicle(of: user, reader) { (chronicle) throws(LedgerFailure) in
                try chronicle.view(at: moment).status
            }
        case .entitlement:
            return ["entitlement": .object(try view(of: user, reader, knowing: found).entitlement)]
        case .subscriptions:
            let view = try view(of: user, reader, whole: true)
            return ["subscriptions": .array(view.subscriptions)]
        case .credits: return try credits(of: user, reader, knowing: found)
        case .managementURL(let named):
            var store = named
            if store == nil { store = try view(of: user, reader, knowing: found).store }
            return ["url": store.flatMap(\.managementURL).map { .string($0) } ?? .null]
        }
    }

    fileprivate func stats(under policy: Policy) throws(LedgerFailure) -> JSONObject {
        let figures = ledger.figures
        let views = try ledger.viewFigures()
        var stats: JSONObject = [
            "version": .string(settings.version),
            "seq": .integer(Int64(figures.seq)),
            "uptimeSeconds": .integer((now().milliseconds - started) / 1000),
            "catalogVersion": .integer(Int64(policy.source.version)),
            "plans": .array(policy.plans.map { .string($0.name) }),
            "commands": .integer(Int64(figures.commands)),
            "groups": .integer(Int64(figures.groups)),
            "queueDepth": .integer(Int64(figures.queueDepth)),
            "storageFull": .bool(figures.isFull),
            "clockJumps": .integer(Int64(figures.clockJumps)),
            "journal": journal(),
            "views": .object([
                "mapBytes": .integer(Int64(views.mapBytes)),
                "usedBytes": .integer(Int64(views.usedBytes)),
                "readers": .integer(Int64(views.readers)),
            ]),
            "space": space(),
        ]
        stats["reconcile"] = storeClient.map { .object($0.progress) }
        return stats
    }

    /// The space that is left, by place, and how long it lasts.
    private func space() -> JSONValue {
        let places = ledger.storeFigures.space
        var object: JSONObject = [:]
        for place in SpacePlace.allCases {
            guard let space = places[place] else { continue }
            object[place.rawValue] = [
                "bytes": .integer(Int64(space.bytes)),
                "freeBytes": .integer(Int64(space.freeBytes)),
                "bytesPerDay": space.bytesPerDay.map { .integer(Int64($0)) } ?? .null,
                "daysLeft": space.daysLeft.map { .integer(Int64($0)) } ?? .null,
            ]
        }
        return .object(object)
    }

    /// The size of the journal, and where what is kept of it begins.
    private func journal() -> JSONValue {
        let border = ledger.border
        return [
            "bytes": .integer(Int64((try? ledger.journalBytes()) ?? 0)),
            "prunedSeq": .integer(Int64(border?.seq ?? 0)),
            "oldest": RowView.exact(border?.at),
        ]
    }
}

extension Store {
    /// The store's own page; Stripe has none that is the same for everybody.
    var managementURL: String? {
        switch self {
        case .appStore: "https://apps.apple.com/account/subscriptions"
        case .googlePlay: "https://play.google.com/store/account/subscriptions"
        case .stripe: nil
        }
    }
}
