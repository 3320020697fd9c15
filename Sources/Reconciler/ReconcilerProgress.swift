import Entitlements
import JSON

/// The progress of a reconciler, for `stats` and metrics.
package struct ReconcilerProgress: Hashable, Sendable {
    /// The walks of one app in one environment.
    package struct Walks: Hashable, Sendable {
        /// The walk under way.
        package internal(set) var present: WalkReport?
        /// When the last completed walk over everything began.
        package internal(set) var completedAt: Moment?
        /// When the last completed walk over failed deliveries began.
        package internal(set) var failuresCompletedAt: Moment?
        /// Walks of either kind that were completed.
        package internal(set) var completed = 0
        /// Walks of either kind that were not completed.
        package internal(set) var incomplete = 0
        /// Why the last walk was not completed; nil if it was.
        package internal(set) var detail: String?
        /// The requests of this scope's client.
        package internal(set) var requests = ScopeClient.Figures()
    }

    /// The walks, by app and environment.
    package internal(set) var walks: [StoreScope: Walks] = [:]
    /// Whether a round that a caller requested is under way.
    package internal(set) var isRound = false
    /// Whether a sweep is under way.
    package internal(set) var isSweeping = false
    /// The sweep under way, or the last one.
    package internal(set) var sweep: SweepReport?
    /// Why the sweep is interrupted; nil if it is not.
    package internal(set) var sweepDetail: String?
    /// When the last sweep was completed.
    package internal(set) var sweptAt: Moment?
    /// Subscriptions that were asked about because no message about them came.
    package internal(set) var silentAsked = 0
    /// The missing acknowledgements that the last scan found.
    package internal(set) var unheard = Unheard()
    /// Documents of the store with something newer, from any source.
    package internal(set) var applied = 0
    /// Documents of the store that do not verify, from any source.
    package internal(set) var refused = 0
    /// Renewals missed since the store was last heard; counted up to 20.
    package internal(set) var renewalsMissed = 0
    /// Whether the store is unexpectedly silent.
    package internal(set) var storeIsSilent = false

    /// Whether the store is being asked at this moment, on schedule or on request.
    package var isRunning: Bool {
        isRound || isSweeping || walks.values.contains { $0.present != nil }
    }

    /// What `/readyz?verbose` says of the store.
    package var readiness: String {
        storeIsSilent
            ? "amber: silent although \(renewalsMissed) renewals were due"
            : "heard, or none was expected"
    }

    /// The same for `stats`; `time` writes a moment in ISO 8601, as results have it.
    package func object(time: (Moment) -> String) -> JSONObject {
        func stamp(_ moment: Moment?) -> JSONValue { moment.map { .string(time($0)) } ?? .null }
        var environments: JSONObject = [:]
        for (scope, walks) in walks.sorted(by: { $0.key < $1.key }) {
            environments[scope.description] = .object(walks.object(stamp))
        }
        return [
            "environments": .object(environments),
            "sweep": sweep.map { .object($0.object(isSweeping, stamp)) } ?? .null,
            "sweepDetail": sweepDetail.map { .string($0) } ?? .null,
            "sweptAt": stamp(sweptAt),
            "silentAsked": .integer(Int64(silentAsked)),
            "applied": .integer(Int64(applied)),
            "refused": .integer(Int64(refused)),
            "renewalsMissed": .integer(Int64(renewalsMissed)),
            "storeIsSilent": .bool(storeIsSilent),
        ]
    }
}

extension ReconcilerProgress.Walks {
    fileprivate func object(_ stamp: (Moment?) -> JSONValue) -> JSONObject {
        [
            "walk": present.map { .object($0.object(stamp)) } ?? .null,
            "completedAt": stamp(completedAt),
            "failuresCompletedAt": stamp(failuresCompletedAt),
            "completed": .integer(Int64(completed)),
            "incomplete": .integer(Int64(incomplete)),
            "detail": detail.map { .string($0) } ?? .null,
            "requests": .integer(Int64(requests.requests)),
            "failures": .integer(Int64(requests.failures)),
            "limited": .integer(Int64(requests.limited)),
            "circuit": .string(requests.circuit),
        ]
    }
}

extension WalkReport {
    fileprivate func object(_ stamp: (Moment?) -> JSONValue) -> JSONObject {
        [
            "onlyFailures": .bool(onlyFailures),
            "from": stamp(window.lowerBound),
            "until": stamp(window.upperBound),
            "pages": .integer(Int64(pages)),
            "documents": .integer(Int64(documents)),
            "applied": .integer(Int64(applied)),
            "refused": .integer(Int64(refused)),
        ]
    }
}

extension SweepReport {
    fileprivate func object(
        _ isRunning: Bool,
        _ stamp: (Moment?) -> JSONValue
    ) -> JSONObject {
        [
            "isRunning": .bool(isRunning),
            "startedAt": stamp(startedAt),
            "looked": .integer(Int64(looked)),
            "asked": .integer(Int64(asked)),
            "applied": .integer(Int64(applied)),
            "unknown": .integer(Int64(unknown)),
            "refused": .integer(Int64(refused)),
        ]
    }
}
