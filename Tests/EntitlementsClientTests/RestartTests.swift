import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@testable import EntitlementsClient

/// What becomes of calls while the daemon is away, starts or stops, and of those beside one that
/// the daemon could not read.
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
    /// Where a client looks for the daemon: nothing is there until `open`.
    private final class Door {
        let path: String
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            path = scratch.file("s")
        }

        func open(to daemon: FakeDaemon) throws {
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: daemon.path
            )
        }
    }

    private func client(
        _ path: String,
        timeout: Duration = .seconds(120)
    ) throws -> EntitlementsClient {
        try EntitlementsClient(socketPath: path, readTimeout: timeout, writeTimeout: timeout)
    }

    private func failure<T>(
        _ body: () async throws(ClientError) -> T
    ) async -> ClientError? {
        do {
            _ = try await body()
            return nil
        } catch { return error }
    }

    private static let grant: JSONValue = ["creditsRemaining": 5, "replayed": false, "seq": 7]

    private static func nameless(_ code: Int64, _ name: String, retryable: Bool) -> FakeDaemon.Act {
        let reply: JSONValue = [
            "jsonrpc": "2.0", "id": nil,
            "error": Samples.error(code, name, retryable: retryable),
        ]
        return .bytes(FakeDaemon.framed(reply.bytes))
    }

    @Test func `every call waits for a daemon that is not there yet`() async throws {
        let door = try Door()
        let daemon = try FakeDaemon([
            "ping": .result([:]), "eraseUser": .result(["erased": true, "seq": 7]),
        ])
        let client = try client(door.path)
        async let ping: Void = client.ping()
        async let erasure = client.eraseUser("alice")
        try await Task.sleep(for: .milliseconds(100))
        #expect(daemon.requests.isEmpty)
        try door.open(to: daemon)
        try await ping
        _ = try await erasure
        #expect(daemon.connectionCount == 1)
    }

    @Test func `a call that was given up ends while the daemon is away`() async throws {
        let client = try client(try Door().path)
        let task = Task {
            await failure { () async throws(ClientError) in try await client.ping() }
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.name == "cancelled")
    }

    @Test func `what a starting daemon refuses is asked again, whatever it is`() async throws {
        let starting = Samples.error(-32_002, "not_ready", retryable: true)
        let counts = Mutex<[String: Int]>([:])
        let daemon = try FakeDaemon { request, _ in
            let isReady = counts.withLock { counts in
                counts[request.method, default: 0] += 1
                return counts[request.method, default: 0] > 4
            }
            guard isReady else { return .error(starting) }
            return .result(
                request.method == "eraseUser" ? ["erased": true, "seq": 7] : Self.grant
            )
        }
        let client = try client(daemon.path)
        let grant = CreditGrant(amount: 5, idempotencyKey: "k")
        _ = try await client.grantCredits(grant, to: "alice")
        #expect(daemon.requests.count == 5)
        #expect(try await client.eraseUser("alice").erased)
        #expect(daemon.requests.count == 10 && daemon.connectionCount == 1)
    }

    @Test func `a daemon that stays unready until the deadline says so itself`() async throws {
        let error = Samples.error(-32_002, "not_ready", retryable: true)
        let daemon = try FakeDaemon(["ping": .error(error), "eraseUser": .error(error)])
        let client = try client(daemon.path, timeout: .seconds(6))
        let answer = await failure { () async throws(ClientError) in try await client.ping() }
        #expect(answer?.code == -32_002)
        #expect(daemon.requests.count > 2)
        let once = await failure { () async throws(ClientError) in
            try await client.eraseUser("alice")
        }
        #expect(once?.code == -32_002 && once?.isOutcomeUnknown == false)
        #expect(daemon.requests.filter { $0.method == "eraseUser" }.count > 2)
    }

    @Test func `without a key only what does no harm is sent twice`() async throws {
        let seen = Mutex<Set<String>>([])
        let daemon = try FakeDaemon { request, _ in
            let isFirst = seen.withLock { $0.insert(request.method).inserted }
            return isFirst ? .hangUp : .result(["loaded": 1, "level": "info", "retried": 0])
        }
        let client = try client(daemon.path)
        #expect(try await client.load([]) == 1)
        try await client.setLogLevel("info")
        func once<T>(_ call: () async throws(ClientError) -> T) async {
            #expect(await failure(call)?.isOutcomeUnknown == true)
        }
        await once { () async throws(ClientError) in
            try await client.movePurchase("1", to: "alice", reason: "asked")
        }
        await once { () async throws(ClientError) in try await client.retryOutbox("crm") }
        await once { () async throws(ClientError) in try await client.skipOutbox("crm", id: "1") }
        await once { () async throws(ClientError) in try await client.testOutbox("crm") }
        await once { () async throws(ClientError) in try await client.eraseUser("alice") }
        #expect(daemon.requests.count == 2 * 2 + 5)
    }

    @Test func `from its third loss on a call ends no connection of others`() async throws {
        let daemon = try FakeDaemon { request, _ in
            switch request.method {
            case "ping": .hangUp
            case "eraseUser": .later(["erased": true, "seq": 7])
            default: .result(Self.grant)
            }
        }
        func count(_ method: String) -> Int {
            daemon.requests.filter { $0.method == method }.count
        }
        let client = try client(daemon.path)
        let guilty = Task {
            await failure { () async throws(ClientError) in try await client.ping() }
        }
        while count("ping") < 4 { try await Task.sleep(for: .milliseconds(1)) }
        let erasure = Task { try await client.eraseUser("alice") }
        while count("eraseUser") < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let before = count("ping")
        while count("ping") < before + 3 { try await Task.sleep(for: .milliseconds(1)) }
        // Its reply brings the one that is late.
        _ = try await client.grantCredits(CreditGrant(amount: 5), to: "alice")
        #expect(try await erasure.value.erased)
        #expect(count("eraseUser") == 1)
        guilty.cancel()
        let error = await guilty.value
        #expect(error?.name == "cancelled" && error?.isOutcomeUnknown == true)
    }

    @Test func `a connection that a stopping daemon does not take is made again`() async throws {
        let daemon = try FakeDaemon { _, connection in
            connection > 20
                ? .result([:]) : Self.nameless(-32_003, "shutting_down", retryable: true)
        }
        try await client(daemon.path).ping()
        #expect(daemon.connectionCount == 21)
    }

    @Test(arguments: [true, false])
    func `an answer about no call is the fault of one, and no other call fails with it`(
        isReply: Bool
    ) async throws {
        let guilty: FakeDaemon.Act =
            isReply
            ? Self.nameless(-32_600, "invalid_request", retryable: false)
            : .bytes(FakeDaemon.framed(Array("[]".utf8)))
        let daemon = try FakeDaemon { request, connection in
            if request.params["userId"] == "guilty" { return guilty }
            return connection == 1 ? .silence : .result(Self.grant)
        }
        let client = try client(daemon.path)
        async let once = failure { () async throws(ClientError) in try await client.eraseUser("a") }
        let others = (1...5)
            .map { number in
                Task {
                    try await client.grantCredits(
                        CreditGrant(amount: 5, idempotencyKey: "k\(number)"),
                        to: "user\(number)"
                    )
                }
            }
        while daemon.requests.count < 6, !Task.isCancelled { await Task.yield() }
        let error = await failure { () async throws(ClientError) in
            try await client.grantCredits(
                CreditGrant(amount: 5, idempotencyKey: "g"),
                to: "guilty"
            )
        }
        #expect(error?.name == (isReply ? "unknown_outcome" : "malformed_reply"))
        #expect(error?.isOutcomeUnknown == true && error?.idempotencyKey == "g")
        for other in others { #expect(try await other.value.creditsRemaining == 5) }
        #expect(await once?.isOutcomeUnknown == true)
        #expect(daemon.requests.filter { $0.method == "eraseUser" }.count == 1)
    }

    @Test func `what the store may be asked about gets the time that a store needs`() async throws {
        let daemon = try FakeDaemon { _, _ in .silence }
        let client = try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .milliseconds(20),
            writeTimeout: .milliseconds(20),
            storeTimeout: .milliseconds(400)
        )
        let clock = ContinuousClock()
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await client.verifyPurchase(Purchase(signedTransaction: "a.b.c"), for: "a") },
            { _ = try await client.restorePurchases(["a.b.c"], for: "a") },
            { _ = try await client.verifyReceipt("AAAA", for: "a") },
            { _ = try await client.managementURL(of: "a") },
        ]
        for call in calls {
            let took = await clock.measure {
                await #expect(throws: ClientError.self) { try await call() }
            }
            #expect(took >= .milliseconds(390))
        }
    }
}
