import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

/// What becomes of calls and watches over HTTPS: behind a proxy, and beside many others.
@Suite(.timeLimit(.minutes(5))) struct DoorCallTests {
    private static let render: JSONValue = [
        "canRender": true, "via": "subscription", "state": "subscribed", "reason": nil,
        "nextChangeAt": nil, "seq": 42,
    ]

    private func client(_ door: FakeDoor) throws -> EntitlementsClient {
        try EntitlementsClient(
            url: door.url,
            token: "token",
            readTimeout: .seconds(60),
            writeTimeout: .seconds(120),
            storeTimeout: .seconds(120)
        )
    }

    private func failure<T>(
        _ body: () async throws(ClientError) -> T
    ) async -> ClientError? {
        do {
            _ = try await body()
            return nil
        } catch { return error }
    }

    @Test(arguments: [502, 503, 504])
    func `a question to which a proxy has no answer is asked again`(status: Int) async throws {
        let door = try FakeDoor { _, earlier in
            earlier < 3 ? .status(status, retryAfterSeconds: nil) : .result(Self.render)
        }
        #expect(try await client(door).canRender("alice").canRender)
        #expect(door.requests.count == 4)
    }

    @Test(arguments: [502, 503, 504])
    func `what may have been done is sent once where twice is not safe`(
        status: Int
    ) async throws {
        let door = try FakeDoor { _, _ in .status(status, retryAfterSeconds: nil) }
        let client = try client(door)
        let error = await failure { () async throws(ClientError) in
            try await client.revokeGrant("g", of: "alice")
        }
        #expect(error?.isOutcomeUnknown == true && error?.retryable == true)
        #expect(error?.message.contains("HTTP \(status)") == true)
        #expect(door.requests.count == 1)
    }

    @Test(arguments: [-32_002, -32_003])
    func `what a daemon refuses that starts or stops is asked again, whatever it is`(
        code: Int64
    ) async throws {
        let refusal = Samples.error(code, "passing", retryable: true)
        let door = try FakeDoor { _, earlier in
            earlier < 3 ? .error(refusal) : .result(["erased": true, "seq": 7])
        }
        #expect(try await client(door).eraseUser("alice").erased)
        #expect(door.requests.count == 4)
    }

    @Test func `a daemon that stays unready until the deadline says so over HTTPS`() async throws {
        let refusal = Samples.error(-32_002, "not_ready", retryable: true)
        let door = try FakeDoor { _, _ in .error(refusal) }
        let client = try EntitlementsClient(
            url: door.url,
            token: "token",
            writeTimeout: .seconds(6)
        )
        let error = await failure { () async throws(ClientError) in
            try await client.eraseUser("alice")
        }
        #expect(error?.code == -32_002 && error?.isOutcomeUnknown == false)
        #expect(door.requests.count > 2)
    }

    @Test func `another status is no reply, and is final`() async throws {
        let door = try FakeDoor { _, _ in .status(500, retryAfterSeconds: nil) }
        let client = try client(door)
        let error = await failure { () async throws(ClientError) in
            try await client.canRender("alice")
        }
        #expect(error?.name == "malformed_reply" && error?.isOutcomeUnknown == true)
        #expect(door.requests.count == 1)
    }

    @Test func `who gives up in a pause is told of the doubt that a send has left`() async throws {
        let door = try FakeDoor { _, _ in .status(502, retryAfterSeconds: 30) }
        let client = try client(door)
        let task = Task {
            await failure { () async throws(ClientError) in
                try await client.grantCredits(CreditGrant(amount: 5), to: "alice")
            }
        }
        while door.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        // Most of the time the reply has come by then, and the pause has begun.
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        let error = await task.value
        #expect(error?.name == "cancelled" && error?.isOutcomeUnknown == true)
        #expect(error?.idempotencyKey != nil)
    }

    @Test func `what is refused after a lost send leaves that one in doubt`() async throws {
        for (code, isInDoubt) in [(-32_029, true), (-32_023, false)] {
            let door = try FakeDoor { _, count in
                count == 0
                    ? .status(502, retryAfterSeconds: nil)
                    : .error(Samples.error(Int64(code), "refused"))
            }
            let client = try client(door)
            let error = await failure { () async throws(ClientError) in
                try await client.grantCredits(CreditGrant(amount: 5), to: "alice")
            }
            #expect(error?.code == code && door.requests.count == 2)
            #expect(error?.isOutcomeUnknown == isInDoubt)
        }
    }

    @Test func `closing in a pause keeps the doubt, too`() async throws {
        let door = try FakeDoor { _, _ in .status(503, retryAfterSeconds: 1) }
        let client = try client(door)
        let task = Task {
            await failure { () async throws(ClientError) in
                try await client.grantCredits(CreditGrant(amount: 5), to: "alice")
            }
        }
        while door.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        try await Task.sleep(for: .milliseconds(100))
        client.close()
        let error = await task.value
        #expect(error?.name == "closed" && error?.isOutcomeUnknown == true)
        #expect(door.requests.count == 1)
    }

    @Test func `what was given up before it was sent leaves no doubt`() async throws {
        let door = try FakeDoor { _, _ in .silence }
        let client = try client(door)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { () async throws(ClientError) in
                try await client.revokeGrant("g", of: "alice")
            }
        }
        task.cancel()
        let error = await task.value
        #expect(error?.name == "cancelled" && error?.isOutcomeUnknown == false)
        #expect(door.requests.isEmpty)
    }

    @Test func `no check waits behind what stores are asked, or behind watches`() async throws {
        let door = try FakeDoor { request, _ in
            switch request.method {
            case "canRender": .result(Self.render)
            case "": .told([(name: "heartbeat", data: ["seq": 1])], thenHangsUp: false)
            default: .silence
            }
        }
        let client = try client(door)
        let count = ClientLimits.doorConnectionsMax
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let purchase = Purchase(signedTransaction: "a.b.c")
                    _ = try? await client.verifyPurchase(purchase, for: "user\(number)")
                }
                group.addTask {
                    do {
                        for try await _ in client.watch() {}
                    } catch {}
                }
            }
            while door.requests.count < 2 * count {
                try? await Task.sleep(for: .milliseconds(10))
            }
            let answer = try? await client.canRender("alice")
            #expect(answer?.canRender == true)
            group.cancelAll()
        }
    }

    @Test func `a watch goes on after a proxy had no answer`() async throws {
        let door = try FakeDoor { _, earlier in
            guard earlier != 1 else { return .status(502, retryAfterSeconds: nil) }
            let data: JSONValue = ["seq": .integer(Int64(earlier))]
            return .told([(name: "heartbeat", data: data)], thenHangsUp: earlier == 0)
        }
        var iterator = try client(door).watch(["alice"]).makeAsyncIterator()
        // The first heartbeat says where the watch begins, and is not told.
        #expect(try await iterator.next() == .heartbeat(seq: 2))
        #expect(
            door.requests.map(\.path) == [
                "/watch?userId=alice", "/watch?userId=alice&fromSeq=0",
                "/watch?userId=alice&fromSeq=0",
            ]
        )
    }

    @Test func `a watch of no user is refused, at the socket and over HTTPS`() async throws {
        let daemon = try FakeDaemon { _, _ in .watched(4, [], thenHangsUp: false) }
        let door = try FakeDoor { _, _ in .told([], thenHangsUp: false) }
        let clients = [try EntitlementsClient(socketPath: daemon.path), try client(door)]
        for client in clients {
            var iterator = client.watch([]).makeAsyncIterator()
            let error = await #expect(throws: ClientError.self) { _ = try await iterator.next() }
            #expect(error?.name == "invalid_params" && error?.retryable == false)
        }
        #expect(daemon.requests.isEmpty && door.requests.isEmpty)
    }
}
