import DaemonConfiguration
import Foundation
import HTTPServer
import Telemetry
import TestSupport
import Testing
import Webhooks

private func ranges(_ texts: String...) throws -> [AddressRange] {
    try texts.map { try #require(AddressRange($0)) }
}

struct SourceTests {
    @Test func `only allowed sources get an answer, and a reload changes who they are`()
        async throws
    {
        let apple = try ranges("17.0.0.0/8")
        let both = try ranges("17.0.0.0/8", "127.0.0.0/8")
        try await Door.open(configured { $0.allowedSources = apple }) { door in
            let answer = try await exchange(door.port, post())
            #expect(answer == "" || answer == "<reset>")
            #expect(door.closed("source") == 1)
            door.listener.reload(allowedSources: both, own: [], trustedProxies: [])
            try await expect(200, door.port, post())
            #expect(door.sources == ["127.0.0.1"])
        }
    }

    @Test func `a store's own sources hold for its path instead`() async throws {
        let apple = try ranges("17.0.0.0/8")
        let here = try ranges("127.0.0.0/8")
        let routes = ["apple", "other"].map { Door.webhook($0) }
        try await Door.open(configured { $0.allowedSources = apple }, routes: routes, own: here) {
            door in
            try await expect(200, door.port, post("/webhooks/other"))
            let answer = try await exchange(door.port, post("/webhooks/apple"))
            #expect(answer == "" || answer == "<reset>")
            #expect(door.closed("source") == 1)
            // Who may send to one store is told that there is no other.
            try await expect(404, door.port, post("/webhooks/third"))
            let own: [RouteSources] = [.common, .own(apple)]
            door.listener.reload(allowedSources: here, own: own, trustedProxies: [])
            try await expect(200, door.port, post("/webhooks/apple"))
            let late = try await exchange(door.port, post("/webhooks/other"))
            #expect(late == "" || late == "<reset>")
            let kept: [RouteSources] = [.common, .unchanged]
            door.listener.reload(allowedSources: [], own: kept, trustedProxies: [])
            let latest = try await exchange(door.port, post("/webhooks/other"))
            #expect(latest == "" || latest == "<reset>")
            door.listener.reload(allowedSources: here, own: [.common], trustedProxies: [])
            try await expect(200, door.port, post("/webhooks/other"))
        }
    }

    @Test func `a stranger's X-Forwarded-For is not believed`() async throws {
        try await Door.open { door in
            let request = post(fields: ["X-Forwarded-For: 17.1.2.3"])
            try await expect(200, door.port, request)
            #expect(door.sources == ["127.0.0.1"])
        }
    }

    @Test(arguments: [
        (["17.1.2.3"], "17.1.2.3"), (["9.9.9.9, 17.1.2.3"], "17.1.2.3"),
        (["17.9.9.9", "17.1.2.3"], "17.1.2.3"), (["17.1.2.3:4711"], "17.1.2.3"),
        (["::ffff:17.1.2.3"], "17.1.2.3"), (["[::ffff:17.1.2.3]:99"], "17.1.2.3"),
    ])
    func `a trusted proxy's last hop is the source`(
        values: [String],
        source: String
    ) async throws {
        let proxies = try ranges("127.0.0.1")
        let apple = try ranges("17.0.0.0/8")
        try await Door.open(
            configured {
                $0.trustedProxies = proxies
                $0.allowedSources = apple
            }
        ) { door in
            let request = post(fields: values.map { "X-Forwarded-For: \($0)" })
            try await expect(200, door.port, request)
            #expect(door.sources == [source])
        }
    }

    @Test(arguments: [
        ["17.1.2.3, 9.9.9.9"], ["9.9.9.9"], ["unknown"], [""], ["17.1.2.3,"], [],
    ])
    func `a proxy's request from elsewhere is closed`(values: [String]) async throws {
        let proxies = try ranges("127.0.0.1")
        let apple = try ranges("17.0.0.0/8")
        try await Door.open(
            configured {
                $0.trustedProxies = proxies
                $0.allowedSources = apple
            }
        ) { door in
            let request = post(fields: values.map { "X-Forwarded-For: \($0)" })
            let answer = try await exchange(door.port, request)
            #expect(answer == "" || answer == "<reset>")
            #expect(door.bodies.isEmpty)
            #expect(door.closed("source") == 1)
        }
    }

    @Test func `a proxy is not held to one sender's share`() async throws {
        let proxies = try ranges("127.0.0.1")
        try await Door.open(
            configured {
                $0.trustedProxies = proxies
                $0.limits.connectionsPerSourceMax = 1
            }
        ) { door in
            let port = door.port
            let kept = try await onThread {
                let first = try RawClient(port: port)
                first.send("POST /webhooks/apple HTTP/1.1\r\n")
                wait { door.metrics.connections.series("webhook").value == 1 }
                let second = try RawClient(port: port)
                second.send(post())
                let answer = second.receive()
                first.send("Host: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                return (answer, first.receive())
            }
            #expect(status(kept.0) == 200 && status(kept.1) == 200)
        }
    }
}
