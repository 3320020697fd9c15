import DaemonConfiguration
import Foundation
import Synchronization
import Telemetry
import TestSupport
import Testing
import Webhooks

struct MetricsListenerTests {
    private final class Readiness: Sendable {
        let checks = Mutex<[ReadinessCheck]>([])
    }

    private func get(_ port: Int, _ path: String, method: String = "GET") async throws -> String {
        try await exchange(
            port,
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
    }

    @Test func `metrics, life and readiness are told, and nothing else`() async throws {
        let metrics = Metrics(version: "9.9")
        let readiness = Readiness()
        let listener = try await MetricsListener.start(
            listen: ListenAddress(host: "127.0.0.1", port: 0),
            metrics: metrics,
            refresh: { metrics.journalSeq.set(41) },
            readiness: { readiness.checks.withLock { $0 } }
        )
        let port = listener.boundPort
        let page = try await get(port, "/metrics")
        #expect(status(page) == 200)
        #expect(page.contains("Content-Type: text/plain; version=0.0.4"))
        #expect(page.contains("entitld_build_info{version=\"9.9\"} 1\n"))
        #expect(page.contains("entitld_journal_seq 41\n"))
        #expect(page.contains("entitld_connections{listener=\"metrics\"} 1\n"))
        try await expect(200, of: get(port, "/livez"))
        readiness.checks.withLock {
            $0 = [.init(name: "lmdb", isOK: true), .init(name: "roots", isOK: true, note: "own")]
        }
        try await expect("\r\n\r\nok\n", in: get(port, "/readyz"))
        let verbose = try await get(port, "/readyz?verbose")
        #expect(verbose.hasSuffix("\r\n\r\n[+]lmdb ok\n[+]roots ok: own\nok\n"))
        readiness.checks.withLock { $0[1] = .init(name: "scrub", warning: "a segment is damaged") }
        let warned = try await get(port, "/readyz")
        #expect(status(warned) == 200)
        #expect(warned.hasSuffix("\r\n\r\n[!]scrub warning: a segment is damaged\nok\n"))
        readiness.checks.withLock { $0[1] = .init(name: "roots", isOK: true, note: "own") }
        readiness.checks.withLock { $0[0] = .init(name: "lmdb", isOK: false, note: "gone") }
        let failed = try await get(port, "/readyz")
        #expect(status(failed) == 503)
        #expect(failed.hasSuffix("[-]lmdb failed\nnot ready\n"))
        try await expect(200, of: get(port, "/livez"))
        try await expect(404, of: get(port, "/"))
        try await expect(404, of: get(port, "/webhooks/apple", method: "POST"))
        try await expect("Allow: GET\r\n", in: get(port, "/metrics", method: "POST"))
        await listener.drain(seconds: 1)
        await #expect(throws: (any Error).self) { try await get(port, "/livez") }
    }

    @Test func `a HEAD behind a GET does not take the body away from its answer`() async throws {
        let listener = try await MetricsListener.start(
            listen: ListenAddress(host: "127.0.0.1", port: 0),
            metrics: Metrics(version: "test"),
            refresh: {},
            readiness: { [] }
        )
        let head = "HTTP/1.1\r\nHost: x\r\n"
        let both = "GET /livez \(head)\r\nHEAD /livez \(head)Connection: close\r\n\r\n"
        let answers = try await exchange(listener.boundPort, both)
            .components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.count == 2)
        #expect(answers.first?.hasSuffix("\r\n\r\nok\n") == true)
        // RFC 9110, section 9.3.2.
        #expect(answers.last?.hasSuffix("\r\n\r\n") == true)
        await listener.drain(seconds: 1)
    }
}
