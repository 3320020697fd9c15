/// What a run has measured.
package struct LoadResult: Codable, Sendable {
    /// Durations in microseconds, from a request's due moment to its whole reply.
    package struct Latency: Codable, Sendable {
        package var mean = 0.0
        package var p50 = 0.0
        package var p90 = 0.0
        package var p99 = 0.0
        package var p999 = 0.0
        package var longest = 0.0
    }

    /// What the server used meanwhile.
    package struct Server: Codable, Sendable {
        /// Seconds on a processor.
        package var processorSeconds: Double
        /// The same for one operation, in microseconds.
        package var microsecondsPerOperation: Double
        /// Memory that is in no file, at the end.
        package var anonymousBytes: Int64
        /// Memory of files, at the end.
        package var fileBytes: Int64
        /// Calls of malloc and its kin, where they are counted.
        package var allocations: Int64
    }

    package var load: String
    package var connections: Int
    package var inFlight: Int
    package var accounts: Int
    package var distribution: String
    /// Requests a second asked for in open loop; 0 in closed loop.
    package var rate: Double
    /// How long was measured.
    package var seconds = 0.0
    /// Replies in that time.
    package var replies = 0
    /// Operations in that time: more than replies where requests come in batches.
    package var operations = 0
    /// Operations a second.
    package var perSecond = 0.0
    /// Replies with the answer that the load counts on.
    package var positives = 0
    /// Replies that were refused because there was too much to do.
    package var overloaded = 0
    /// Other errors.
    package var errors = 0
    /// The first of them.
    package var firstError = ""
    /// Requests without a reply at the end.
    package var unanswered = 0
    package var latency = Latency()
    package var server: Server?

    init(_ plan: LoadPlan) {
        load = plan.load.rawValue
        connections = plan.connections
        inFlight = plan.inFlight
        accounts = plan.accounts
        distribution = plan.distribution.rawValue
        rate = plan.rate
    }

    mutating func take(_ histogram: LatencyHistogram) {
        func microseconds(_ share: Double) -> Double { Double(histogram.quantile(share)) / 1_000 }
        latency.mean = histogram.mean / 1_000
        latency.p50 = microseconds(0.5)
        latency.p90 = microseconds(0.9)
        latency.p99 = microseconds(0.99)
        latency.p999 = microseconds(0.999)
        latency.longest = Double(histogram.longest) / 1_000
    }

    /// A few lines for people.
    package var text: String {
        func rounded(_ value: Double) -> String {
            value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
        }
        var lines = [
            "\(load): \(connections) connections x \(inFlight), \(rounded(seconds)) s, "
                + "\(distribution) over \(accounts) accounts",
            "  \(rounded(perSecond))/s  p50 \(rounded(latency.p50)) us  "
                + "p99 \(rounded(latency.p99)) us  p99.9 \(rounded(latency.p999)) us  "
                + "longest \(rounded(latency.longest)) us",
            "  \(replies) replies, \(positives) positive, \(overloaded) overloaded, "
                + "\(errors) errors, \(unanswered) unanswered",
        ]
        if !firstError.isEmpty { lines.append("  first error: \(firstError)") }
        if let server {
            lines.append(
                "  server: \(rounded(server.microsecondsPerOperation)) us of processor for each, "
                    + "\(server.anonymousBytes >> 20) MiB beside files, "
                    + "\(server.fileBytes >> 20) MiB of files"
            )
        }
        return lines.joined(separator: "\n")
    }
}
