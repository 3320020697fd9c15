import Telemetry
import Wire

/// A method as a service serves it: the value, and the counters of its answers.
final class ServedCall: Sendable {
    let call: Call
    private let metrics: Metrics
    /// Answers that are no errors: looked up by its labels a counter costs as much as a check.
    private let answered: Counter

    init(_ call: Call, _ metrics: Metrics) {
        self.call = call
        self.metrics = metrics
        answered = metrics.rpcRequests.series("\(call)", "ok")
    }

    /// Counts an answer.
    func count() { answered.increment() }

    /// Counts an error.
    func count(_ failure: RPCFailure) {
        metrics.rpcRequests.series("\(call)", failure.name).increment()
    }
}
