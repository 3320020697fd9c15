import Entitlements
import Telemetry

/// The series of one outbox that each round sets.
struct OutboxGauges {
    private let behind: Gauge
    private let waiting: Gauge
    private let parked: Gauge
    private let down: Gauge

    /// Those of the outbox of this name.
    init(of name: String, in metrics: Metrics) {
        behind = metrics.outboxBehind.series(name)
        waiting = metrics.outboxWaiting.series(name)
        parked = metrics.outboxParked.series(name)
        down = metrics.outboxDown.series(name)
    }

    /// Takes over how many positions are still to be read, how many changes wait, and what `list`
    /// has.
    func set(behind: Int, waiting: Int, _ list: WaitingList, at now: Moment) {
        self.behind.set(behind)
        self.waiting.set(waiting)
        parked.set(list.parkedCount)
        down.set(list.isDown(at: now) ? 1 : 0)
    }
}
