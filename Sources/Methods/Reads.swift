import Entitlements
import JSON
import Ledger
import Wire

/// The reads beside `canRender`.
extension MethodWorker {
    /// `getStatus`, now.
    func status(_ params: ParamsView) throws(RPCFailure) -> JSONObject { try view(params).status }

    /// `getEntitlement`.
    func entitlement(_ params: ParamsView) throws(RPCFailure) -> JSONObject {
        ["entitlement": .object(try view(params).entitlement)]
    }

    /// `getManagementURL`: where a person ends a subscription themselves.
    func managementURL(_ params: ParamsView) throws(RPCFailure) -> JSONObject {
        let platform = try params.optionalText("platform", bytesMax: 16)
        let store: Store?
        switch platform {
        case "ios": store = .appStore
        case "android": store = .googlePlay
        case "web": store = .stripe
        case nil: store = try view(params).store
        default: throw .invalid("platform", "is ios, android or web")
        }
        if platform != nil { _ = try params.user(under: try awake().policy) }
        return ["url": store.flatMap(\.managementURL).map { .string($0) } ?? .null]
    }

    /// `stats`: what the daemon did and does, for people and scripts.
    func stats() throws(RPCFailure) -> JSONObject {
        let reader = try awake()
        let figures = service.ledger.figures
        let policy = reader.policy
        do throws(LedgerFailure) {
            let views = try service.ledger.viewFigures()
            var stats: JSONObject = [
                "version": .string(service.settings.version),
                "seq": .integer(Int64(figures.seq)),
                "uptimeSeconds": .integer((service.now().milliseconds - service.started) / 1000),
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
            stats["reconcile"] = service.storeClient.map { .object($0.progress) }
            return stats
        } catch {
            throw RPCFailure(error)
        }
    }

    /// The space that is left, by place, and how long it lasts.
    private func space() -> JSONValue {
        let places = service.ledger.storeFigures.space
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
        let border = service.ledger.border
        return [
            "bytes": .integer(Int64((try? service.ledger.journalBytes()) ?? 0)),
            "prunedSeq": .integer(Int64(border?.seq ?? 0)),
            "oldest": RowView.exact(border?.at),
        ]
    }

    private func view(_ params: ParamsView) throws(RPCFailure) -> StatusView {
        let reader = try awake()
        let user = try params.user(under: reader.policy)
        do {
            return try StatusView(of: user, reader, at: service.now())
        } catch {
            throw RPCFailure(error)
        }
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
