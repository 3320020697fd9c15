import Entitlements
import Telemetry

extension Metrics {
    /// Shows the progress of the reconcilers of all stores: counts are added, and for times the
    /// store that is furthest behind counts.
    package func show(_ all: [ReconcilerProgress]) {
        guard !all.isEmpty else { return }
        let walks = all.flatMap(\.walks)
        for (environment, walks) in Dictionary(grouping: walks, by: \.key.environment) {
            show(.together(walks.map(\.value)), of: environment.name)
        }
        func sum(_ count: (ReconcilerProgress) -> Int) -> Int { all.reduce(0) { $0 + count($1) } }
        storeSilent.set(all.contains(where: \.storeIsSilent) ? 1 : 0)
        renewalsMissed.set(sum(\.renewalsMissed))
        sweepTime.set(all.map { Self.seconds($0.sweptAt) }.min() ?? 0)
        sweepRunning.set(all.contains(where: \.isSweeping) ? 1 : 0)
        sweepLooked.set(sum { $0.sweep?.looked ?? 0 })
        sweepAsked.set(sum { $0.sweep?.asked ?? 0 })
        unacknowledged.series("untold").set(sum(\.unheard.untold))
        unacknowledged.series("unclaimed").set(sum(\.unheard.unclaimed))
        unacknowledgedSince.set(Self.seconds(all.compactMap(\.unheard.since).min()))
        silentAsked.raise(to: sum(\.silentAsked))
        reconciled.series("applied").raise(to: sum(\.applied))
        reconciled.series("refused").raise(to: sum(\.refused))
    }

    private func show(_ progress: ReconcilerProgress.Walks, of name: String) {
        let requests = progress.requests
        storeRequests.series(name).raise(to: requests.requests)
        storeRequestFailures.series(name, "unreachable").raise(to: requests.failures)
        storeRequestFailures.series(name, "limited").raise(to: requests.limited)
        storeCircuitOpen.series(name).set(requests.isAnswering ? 0 : 1)
        walks.series(name, "ok").raise(to: progress.completed)
        walks.series(name, "failed").raise(to: progress.incomplete)
        walkTime.series(name, "history").set(Self.seconds(progress.completedAt))
        walkTime.series(name, "failures").set(Self.seconds(progress.failuresCompletedAt))
        walkDocuments.series(name).set(progress.present?.documents ?? 0)
    }

    private static func seconds(_ moment: Moment?) -> Int {
        moment.map { Int($0.milliseconds / 1_000) } ?? 0
    }
}

extension ReconcilerProgress.Walks {
    /// Combines the walks of several apps and stores in one environment: counts are added, and for
    /// times the one that is furthest behind counts.
    fileprivate static func together(_ all: [Self]) -> Self {
        var whole = all[0]
        for walks in all.dropFirst() {
            whole.completed += walks.completed
            whole.incomplete += walks.incomplete
            whole.completedAt = earlier(whole.completedAt, walks.completedAt)
            whole.failuresCompletedAt = earlier(
                whole.failuresCompletedAt,
                walks.failuresCompletedAt
            )
            whole.present = whole.present ?? walks.present
            whole.requests.requests += walks.requests.requests
            whole.requests.failures += walks.requests.failures
            whole.requests.limited += walks.requests.limited
            if !walks.requests.isAnswering { whole.requests.circuit = walks.requests.circuit }
        }
        return whole
    }

    private static func earlier(_ left: Moment?, _ right: Moment?) -> Moment? {
        guard let left, let right else { return nil }
        return min(left, right)
    }
}
