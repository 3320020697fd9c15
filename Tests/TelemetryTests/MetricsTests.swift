import Foundation
import Glibc
import Telemetry
import Testing

struct MetricsTests {
    private static let descriptions = Metrics(version: "1").descriptions

    /// Sample lines by name and labels, and the types of the metrics.
    private func parsed(_ page: String) -> (samples: [String: String], types: [String: String]) {
        var samples: [String: String] = [:]
        var types: [String: String] = [:]
        for line in page.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                types[String(words[2])] = String(words[3])
            } else if !line.hasPrefix("#"), let space = line.lastIndex(of: " ") {
                samples[String(line[..<space])] = String(line[line.index(after: space)...])
            }
        }
        return (samples, types)
    }

    @Test func `every metric is there from the start, at zero`() {
        let (samples, types) = parsed(
            Metrics(version: "1.2.3", methods: ["canRender"], outboxes: ["crm"]).exposition()
        )
        #expect(Set(types.keys) == Set(Self.descriptions.map(\.name)))
        for description in Self.descriptions {
            #expect(types[description.name] == description.kind.rawValue)
            let own = samples.keys.filter {
                $0 == description.name || $0.hasPrefix(description.name + "{")
                    || $0.hasPrefix(description.name + "_")
            }
            #expect(!own.isEmpty, "\(description.name) has no series")
        }
        for (name, value) in samples where !name.hasPrefix("entitld_build_info") {
            #expect(value == "0", "\(name)")
        }
        #expect(samples["entitld_build_info{version=\"1.2.3\"}"] == "1")
        #expect(
            samples["entitld_rpc_requests_total{method=\"canRender\",code=\"ok\"}"] == "0"
        )
        for type in ["TEST", "DID_RENEW", "other", "none"] {
            for result in ["applied", "stale", "duplicate", "ignored"] {
                let labels = "{type=\"\(type)\",result=\"\(result)\"}"
                #expect(samples["entitld_webhook_notifications_total" + labels] == "0")
            }
        }
    }

    @Test func `each series is its own`() {
        let metrics = Metrics(version: "1", methods: ["ping"])
        metrics.rpcRequests.series("ping", "ok").increment()
        metrics.rpcRequests.series("ping", "overloaded").increment(by: 3)
        metrics.rpcRequests.series("rm -rf", "method_not_found").increment()
        metrics.connections.series("webhook").add(5)
        metrics.connections.series("webhook").add(-2)
        metrics.journalSeq.set(77)
        let (samples, _) = parsed(metrics.exposition())
        let requests = "entitld_rpc_requests_total"
        #expect(samples["\(requests){method=\"ping\",code=\"ok\"}"] == "1")
        #expect(samples["\(requests){method=\"ping\",code=\"overloaded\"}"] == "3")
        #expect(samples["\(requests){method=\"other\",code=\"method_not_found\"}"] == "1")
        #expect(samples["entitld_connections{listener=\"webhook\"}"] == "3")
        #expect(samples["entitld_connections{listener=\"app\"}"] == "0")
        #expect(samples["entitld_journal_seq"] == "77")
    }

    @Test func `a histogram counts up, in the unit of its name`() {
        let metrics = Metrics(version: "1")
        for nanoseconds in [50_000, 50_001, 2_000_000, 20_000_000_000] {
            metrics.commitDuration.observe(nanoseconds)
        }
        let (samples, _) = parsed(metrics.exposition())
        let name = "entitld_commit_duration_seconds"
        #expect(samples["\(name)_bucket{le=\"0.00005\"}"] == "1")
        #expect(samples["\(name)_bucket{le=\"0.0001\"}"] == "2")
        #expect(samples["\(name)_bucket{le=\"0.0025\"}"] == "3")
        #expect(samples["\(name)_bucket{le=\"10\"}"] == "3")
        #expect(samples["\(name)_bucket{le=\"+Inf\"}"] == "4")
        #expect(samples["\(name)_count"] == "4")
        #expect(samples["\(name)_sum"] == "20.002100001")
    }

    @Test func `a total that is counted elsewhere is taken over, and never falls`() {
        let counter = Counter("a_total", "Something.")
        counter.raise(to: 7)
        counter.raise(to: 3)
        #expect(counter.value == 7)
        counter.raise(to: 9)
        #expect(counter.value == 9)
    }

    @Test func `the process's own figures are read when asked for`() throws {
        let metrics = Metrics(version: "1")
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        metrics.refreshProcess()
        let (samples, _) = parsed(metrics.exposition())
        func value(_ name: String) throws -> Double {
            try #require(samples[name].flatMap { Double($0) }, "\(name)")
        }
        let resident = try value("process_resident_memory_bytes")
        #expect(resident > 1_048_576)
        #expect(try value("process_virtual_memory_bytes") > resident)
        let open = try value("process_open_fds")
        let openMax = try value("process_max_fds")
        #expect(open >= 1 && open <= openMax)
        #expect(try value("process_cpu_seconds_total") > 0)
        let start = Date(timeIntervalSince1970: try value("process_start_time_seconds"))
        #expect(start < Date() && start > Date(timeIntervalSinceNow: -86_400))
    }

    @Test func `the start of the process stays the same`() throws {
        let metrics = Metrics(version: "1")
        var starts: Set<String> = []
        // Over some hundredths of a second, the last digit of what is shown.
        for _ in 0..<400 {
            metrics.refreshProcess()
            let (samples, _) = parsed(metrics.exposition())
            starts.insert(try #require(samples["process_start_time_seconds"]))
            usleep(100)
        }
        #expect(starts.count == 1, "\(starts)")
    }

    @Test func `a version cannot break the page`() {
        let page = Metrics(version: "a\"b\\c\nd").exposition()
        #expect(page.contains(#"entitld_build_info{version="a\"b\\c\nd"} 1"#))
    }

    @Test func `nothing is lost when many threads count`() async {
        let metrics = Metrics(version: "1", methods: ["canRender"])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = metrics.rpcRequests.series("canRender", "ok")
                    for _ in 0..<10_000 {
                        counter.increment()
                        metrics.commitBatch.observe(3)
                    }
                }
            }
        }
        #expect(metrics.rpcRequests.series("canRender", "ok").value == 80_000)
        #expect(metrics.commitBatch.sum == 240_000)
        #expect(metrics.commitBatch.cumulativeCounts.last == 80_000)
    }

    @Test func `names carry the prefix and the unit, and no label could name a user`() {
        for description in Self.descriptions {
            // The names that every Prometheus client has for what the kernel says.
            let isOurs = description.name.hasPrefix("entitld_")
            #expect(isOurs || description.name.hasPrefix("process_"))
            #expect((description.kind == .counter) == description.name.hasSuffix("_total"))
            #expect(description.help.hasSuffix("."))
            let names = Set(description.axes.map(\.name))
            let known: Set = [
                "version", "method", "code", "listener", "reason", "type", "result", "status",
                "environment", "kind", "place", "lane",
                "outbox",
            ]
            #expect(names.isSubset(of: known))
        }
    }

    /// docs/metrics.md has one table row for each metric: name, type, labels, help.
    @Test func `the operator's page and the code say the same`() throws {
        let source = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let root = source.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/metrics.md"),
            encoding: .utf8
        )
        let rows = page.split(separator: "\n")
            .filter { $0.hasPrefix("| `entitld_") || $0.hasPrefix("| `process_") }
            .map(String.init)
        let expected = Self.descriptions.map { description in
            let labels = description.axes.map { "`\($0.name)`" }.joined(separator: ", ")
            let shown = labels.isEmpty ? "–" : labels
            return "| `\(description.name)` | \(description.kind.rawValue) | \(shown) "
                + "| \(description.help) |"
        }
        #expect(rows == expected)
        for axis in Self.descriptions.flatMap(\.axes) where axis.name != "version" {
            for value in axis.values {
                #expect(page.contains("`\(value)`"), "\(axis.name)=\(value) is not explained")
            }
        }
    }
}
