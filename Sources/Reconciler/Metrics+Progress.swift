import Entitlements
import Telemetry

extension Metrics {
    /// Shows how the reconciler is getting on.
    package func show(_ progress: ReconcilerProgress) {
        let byEnvironment = Dictionary(grouping: progress.walks, by: \.key.environment)
        for (environment, walks) in byEnvironment {
            show(.together(walks.map(\.value)), of: environment.name)
        }
        storeSilent.set(progress.storeIsSilent ? 1 : 0)
        renewalsMissed.set(progress.renewalsMissed)
        sweepTime.set(Self.seconds(progress.sweptAt))
        sweepRunning.set(progress.isSweeping ? 1 : 0)
        sweepLooked.set(progress.sweep?.looked ?? 0)
        sweepAsked.set(progress.sweep?.asked ?? 0)
        silentAsked.raise(to: progress.silentAsked)
        reconciled.series("applied").raise(to: progress.applied)
        reconciled.series("refused").raise(to: progress.refused)
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
    /// The walks of several apps in one environment: counts add up, and what is behind in one app
    /// is behind.
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
