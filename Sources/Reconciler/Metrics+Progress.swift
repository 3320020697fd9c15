import Entitlements
import Telemetry

extension Metrics {
    /// Shows how the reconciler is getting on.
    package func show(_ progress: ReconcilerProgress) {
        for (environment, walks) in progress.walks { show(walks, of: environment.name) }
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
