import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `stats`: what the daemon did and does, for people and scripts.
    static let stats = reading("stats", for: .support) { (worker, _, _) throws(RPCFailure) in
        let service = worker.service
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
        if !storeClients.isEmpty { stats["reconcile"] = .object(reconciling()) }
        return stats
    }

    /// How the stores are asked: of one what it tells, of several each by its name.
    private func reconciling() -> JSONObject {
        if storeClients.count == 1 { return storeClients[0].stats(kept: subscriptionsKept) }
        var (stores, isRunning) = (JSONObject(), false)
        for client in storeClients {
            let progress = client.stats(kept: nil)
            isRunning = isRunning || progress["running"]?.bool == true
            stores[client.store.name] = .object(progress)
        }
        return ["running": .bool(isRunning), "stores": .object(stores)]
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
            "oldest": .exact(border?.at),
        ]
    }
}
