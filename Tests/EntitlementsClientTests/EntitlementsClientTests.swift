import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

@Suite(.timeLimit(.minutes(5))) struct EntitlementsClientTests {
    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120)
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

    @Test func `canRender is a typed answer`() async throws {
        let daemon = try FakeDaemon([
            "canRender": .result([
                "canRender": true, "via": "subscription", "state": "subscribed", "reason": nil,
                "nextChangeAt": "2026-03-15T10:00:00.000Z", "seq": 42,
            ])
        ])
        let answer = try await client(daemon).canRender("alice", cost: 2)
        #expect(answer.canRender)
        #expect(answer.path == .subscription)
        #expect(answer.state == .subscribed)
        #expect(answer.reason == nil)
        #expect(answer.nextChangeAt == UTCTime.date("2026-03-15T10:00:00.000Z"))
        #expect(answer.seq == 42)
        #expect(daemon.requests.map(\.params) == [["userId": "alice", "cost": 2]])
    }

    @Test func `can is a typed answer`() async throws {
        let daemon = try FakeDaemon([
            "can": .result([
                "allowed": false, "via": nil, "state": "subscribed", "reason": "not_in_plan",
                "nextChangeAt": nil, "seq": 42,
            ])
        ])
        let answer = try await client(daemon).can("alice", use: "export")
        #expect(!answer.allowed && answer.path == nil)
        #expect(answer.state == .subscribed && answer.reason?.rawValue == "not_in_plan")
        #expect(answer.nextChangeAt == nil && answer.seq == 42)
        #expect(daemon.requests.map(\.params) == [["userId": "alice", "feature": "export"]])
    }

    @Test func `find answers what is called so, and whose it is`() async throws {
        let daemon = try FakeDaemon([
            "find": .result([
                "matches": [
                    [
                        "userId": nil, "what": "purchase", "store": "stripe",
                        "originalTransactionId": "sub_1",
                    ]
                ]
            ])
        ])
        let found = try await client(daemon).find("sub_1")
        #expect(found.map(\.what) == ["purchase"] && found[0].userID == nil)
        #expect(found[0].store == "stripe" && found[0].originalTransactionID == "sub_1")
        #expect(daemon.requests.map(\.params) == [["text": "sub_1"]])
    }

    @Test func `a status with a subscription is typed throughout`() async throws {
        let daemon = try FakeDaemon(["getStatus": .result(Samples.status)])
        let status = try await client(daemon).status(of: "alice")
        #expect(status.state == .subscribed)
        #expect(
            status.limits == [
                "storageBytes": .integer(107_374_182_400), "retentionDays": .unlimited,
                "quality": .text("4k"), "share": .flag(true), "speed": .decimal(1.5),
            ]
        )
        #expect(status.paywall == .none)
        #expect(status.duplicateSubscriptions)
        #expect(status.subscription?.status == .subscribed)
        #expect(status.subscription?.autoRenew == true)
        #expect(status.subscription?.expiresAt == status.expiresAt)
        #expect(status.subscription?.gracePeriodExpiresAt == nil)
    }

    @Test func `the status of nobody is typed too`() async throws {
        let daemon = try FakeDaemon(["getStatus": .result(Samples.noAccount)])
        let status = try await client(daemon).status(of: "nobody")
        #expect(status.state == .noAccount)
        #expect(status.plan == nil)
        #expect(status.subscription == nil)
    }

    @Test func `a word that is new here survives`() async throws {
        var changed = Samples.status.object ?? [:]
        changed["state"] = "hibernating"
        let daemon = try FakeDaemon(["getStatus": .result(.object(changed))])
        #expect(try await client(daemon).status(of: "alice").state.rawValue == "hibernating")
    }

    @Test func `entitlement, management URL, ping and version are typed`() async throws {
        let daemon = try FakeDaemon([
            "getEntitlement": .result(["entitlement": Samples.entitlement]),
            "getManagementURL": .result(["url": nil]), "ping": .result([:]),
            "version": .result(["entitld": "0.1.0", "protocol": "1", "format": 1]),
        ])
        let client = try client(daemon)
        #expect(try await client.entitlement(of: "alice").productID == "com.example.yearly")
        #expect(try await client.managementURL(of: "alice", platform: .ios) == nil)
        try await client.ping()
        let version = try await client.version()
        #expect(version.daemon == "0.1.0")
        #expect(version.protocol == "1")
        #expect(version.format == 1)
        #expect(daemon.connectionCount == 1)
        #expect(daemon.requests[1].params == ["userId": "alice", "platform": "ios"])
    }

    @Test func `the commands send what they are given`() async throws {
        let daemon = try FakeDaemon([
            "registerAccount": .result([
                "appAccountToken": "t", "created": true, "creditsRemaining": 3,
                "obfuscatedAccountId": "0f",
            ]),
            "verifyPurchase": .result([
                "entitlement": Samples.entitlement, "status": Samples.status, "applied": true,
            ]),
            "grantEntitlement": .result([
                "grant": "g1", "status": Samples.status, "replayed": false, "seq": 7,
            ]),
            "revokeGrant": .result(["status": Samples.status, "seq": 8]),
            "movePurchase": .result(["status": Samples.status, "seq": 9]),
            "mergeAccounts": .result([
                "status": Samples.status, "replayed": true, "seq": 10,
            ]),
        ])
        let client = try client(daemon)
        #expect(try await client.registerAccount("alice").created)
        var purchase = Purchase(signedTransaction: "a.b.c")
        purchase.productID = "p"
        #expect(try await client.verifyPurchase(purchase, for: "alice").applied)
        var grant = GrantRequest(plan: "premium", idempotencyKey: "k")
        grant.expiresAt = Date(timeIntervalSince1970: 1.5)
        #expect(try await client.grantEntitlement(grant, to: "alice").grant == "g1")
        #expect(try await client.revokeGrant("g1", of: "alice", reason: "over").seq == 8)
        #expect(try await client.movePurchase("7", to: "alice", reason: "asked").seq == 9)
        let merged = try await client.mergeAccounts(
            from: "guest",
            into: "alice",
            idempotencyKey: "m"
        )
        #expect(merged.replayed && merged.seq == 10)
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice"],
                ["userId": "alice", "signedTransaction": "a.b.c", "productId": "p"],
                [
                    "userId": "alice", "plan": "premium", "idempotencyKey": "k",
                    "expiresAt": "1970-01-01T00:00:01.500Z",
                ],
                ["userId": "alice", "grant": "g1", "reason": "over"],
                [
                    "store": "app_store", "originalTransactionId": "7", "toUserId": "alice",
                    "reason": "asked",
                ],
                ["fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "m"],
            ]
        )
    }

    @Test func `a result without a documented member is malformed`() async throws {
        let daemon = try FakeDaemon(["canRender": .result(["canRender": true])])
        let client = try client(daemon)
        let error = await failure { () async throws(ClientError) in
            try await client.canRender("alice")
        }
        #expect(error?.name == "malformed_reply")
    }

    @Test func `replies in another order find their callers`() async throws {
        let daemon = try FakeDaemon { request, _ in
            let answer: JSONValue = ["url": request.params["userId"] ?? nil]
            return request.params["userId"] == "first" ? .later(answer) : .result(answer)
        }
        let client = try client(daemon)
        async let first = client.managementURL(of: "first")
        while daemon.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(try await client.managementURL(of: "second") == "second")
        #expect(try await first == "first")
        #expect(daemon.connectionCount == 1)
    }

    @Test func `500 calls at once share one connection`() async throws {
        let daemon = try FakeDaemon { request, _ in
            .result(["url": request.params["userId"] ?? nil])
        }
        let client = try client(daemon)
        let matched = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { try await client.managementURL(of: "u\(number)") == "u\(number)" }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(matched == 500)
        #expect(daemon.connectionCount == 1)
    }

    @Test func `a read survives a lost connection`() async throws {
        let daemon = try FakeDaemon { _, connection in
            connection == 1 ? .hangUp : .result(["url": "u"])
        }
        #expect(try await client(daemon).managementURL(of: "alice") == "u")
        #expect(daemon.connectionCount == 2)
    }

    @Test func `a read that gets no word is repeated until its deadline`() async throws {
        let daemon = try FakeDaemon { _, _ in .hangUp }
        let client = try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .milliseconds(1_500)
        )
        let begin = ContinuousClock.now
        let error = await failure { () async throws(ClientError) in try await client.ping() }
        #expect(begin.duration(to: .now) > .milliseconds(1_400))
        #expect(error?.isOutcomeUnknown == true)
        #expect(error?.retryable == true)
        // With pauses, of 50 ms at most.
        #expect((20...80).contains(daemon.requests.count))
    }

    @Test func `a write without a key is never repeated`() async throws {
        let daemon = try FakeDaemon { _, _ in .hangUp }
        let client = try client(daemon)
        let error = await failure { () async throws(ClientError) in
            try await client.revokeGrant("g", of: "alice")
        }
        #expect(error?.name == "connection_lost")
        #expect(error?.retryable == true)
        #expect(error?.isOutcomeUnknown == true)
        #expect(daemon.requests.count == 1)
    }

    @Test(arguments: [-32_001, -32_010, -32_029, -32_603, -32_023])
    func `what is refused after a lost send leaves that one in doubt, unless its key was looked up`(
        code: Int64
    ) async throws {
        let daemon = try FakeDaemon { _, count in
            count == 1 ? .hangUp : .error(Samples.error(code, "refused"))
        }
        let client = try client(daemon)
        let error = await failure { () async throws(ClientError) in
            try await client.grantCredits(CreditGrant(amount: 5), to: "alice")
        }
        #expect(error?.code == Int(code) && daemon.requests.count == 2)
        #expect(error?.isOutcomeUnknown == (code != -32_023))
        #expect(error?.idempotencyKey != nil)
    }

    @Test func `a daemon that went away is unreachable, and nothing was done`() async throws {
        var daemon: FakeDaemon? = try FakeDaemon(["ping": .result([:])])
        let path = try #require(daemon?.path)
        let client = try EntitlementsClient(socketPath: path, readTimeout: .seconds(2))
        try await client.ping()
        daemon = nil
        var error = await failure { () async throws(ClientError) in try await client.ping() }
        // One that was sent before the end was noticed is lost; the next finds nobody.
        if error?.name == "connection_lost" {
            error = await failure { () async throws(ClientError) in try await client.ping() }
        }
        #expect(error?.name == "unreachable")
        #expect(error?.isOutcomeUnknown == false)
    }

    @Test func `silence times out and the late reply disturbs nobody`() async throws {
        let daemon = try FakeDaemon { request, _ in
            request.params["userId"] == "slow" ? .later(["url": "late"]) : .result(["url": "now"])
        }
        let client = try EntitlementsClient(
            socketPath: daemon.path,
            storeTimeout: .milliseconds(200)
        )
        let error = await failure { () async throws(ClientError) in
            try await client.managementURL(of: "slow")
        }
        #expect(error?.name == "timed_out")
        #expect(try await client.managementURL(of: "next") == "now")
        #expect(try await client.managementURL(of: "next") == "now")
    }

    @Test func `a cancelled task stops waiting`() async throws {
        let daemon = try FakeDaemon(["ping": .silence])
        let client = try client(daemon)
        let task = Task {
            await failure { () async throws(ClientError) in try await client.ping() }
        }
        while daemon.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        #expect(await task.value?.name == "cancelled")
    }

    @Test func `a task that was cancelled before does not wait either`() async throws {
        let daemon = try FakeDaemon(["ping": .silence])
        let client = try client(daemon)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { () async throws(ClientError) in try await client.ping() }
        }
        task.cancel()
        #expect(await task.value?.name == "cancelled")
    }

    @Test func `closing ends what waits and what comes`() async throws {
        let daemon = try FakeDaemon(["ping": .silence])
        let client = try client(daemon)
        let task = Task {
            await failure { () async throws(ClientError) in try await client.ping() }
        }
        while daemon.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        client.close()
        #expect(await task.value?.name == "closed")
        let error = await failure { () async throws(ClientError) in try await client.ping() }
        #expect(error?.name == "closed")
    }

    @Test func `more calls than may wait are refused`() async throws {
        let daemon = try FakeDaemon(["ping": .silence])
        let client = try client(daemon)
        let refused = await withTaskGroup(of: String?.self) { group in
            for _ in 0...ClientLimits.callsInFlightMax {
                group.addTask {
                    await failure { () async throws(ClientError) in try await client.ping() }?.name
                }
            }
            let first = await group.next() ?? nil
            client.close()
            return first
        }
        #expect(refused == "too_many_calls")
    }

    @Test func `a broken reply ends every call and the next one connects again`() async throws {
        let daemon = try FakeDaemon { _, connection in
            connection == 1 ? .bytes([0, 0, 0, 0]) : .result([:])
        }
        let client = try client(daemon)
        let error = await failure { () async throws(ClientError) in try await client.ping() }
        #expect(error?.name == "malformed_reply")
        try await client.ping()
        #expect(daemon.connectionCount == 2)
    }
}
