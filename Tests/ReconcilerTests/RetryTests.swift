import Entitlements
import JSON
import Testing

@testable import Reconciler

/// What is repeated, when, and how often; against a real server, with a clock that jumps.
struct RetryTests {
    private static let found = FakeStore.Reply.json(["signedTransactionInfo": "a.b.c"])

    private let name = "7"

    @Test func `429 waits until the UNIX milliseconds that the store names`() async throws {
        let until = StoreVoice.start.milliseconds + 90_000
        let replies = Replies(.error(429, 4_290_000, retryAfter: until), Self.found)
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                let found = try await stage.api.transaction(name, .patient)
                #expect(found == Array("a.b.c".utf8))
                #expect(stage.clock.now.milliseconds == until)
                #expect(stage.api.figures.limited == 1)
                #expect(stage.api.figures.requests == 2)
            }
        }
    }

    @Test func `429 past a caller's time is told at once, and holds back the others`() async throws
    {
        let until = StoreVoice.start.milliseconds + 90_000
        let replies = Replies(.error(429, 4_290_000, retryAfter: until), Self.found)
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                for _ in 0..<2 {
                    let failure = await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.api.transaction(name, stage.prompt())
                    }
                    #expect(failure?.kind == .limited)
                    #expect(failure?.retryAfterMilliseconds == 90_000)
                }
                #expect(store.arrivals.count == 1)
                #expect(stage.clock.waits.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            (nil, 60_000), (120_000, 120_000), (0, 1), (-1_000_000, 1), (.max, 3_600_000),
        ] as [(Int64?, Int64)]
    )
    func `any pause that a store asks for is kept within bounds`(_ asked: Int64?, _ pause: Int64) {
        #expect(ScopeClient.pause(asked) == pause)
    }

    @Test func `5xx and lost answers are repeated with growing pauses`() async throws {
        let replies = Replies(
            .answer(502, Array("<html>".utf8)),
            .hangUp,
            .error(404, 4_040_002),
            Self.found
        )
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                let found = try await stage.api.transaction(name, .patient)
                #expect(found == Array("a.b.c".utf8))
                #expect(stage.clock.waits == [500, 1_000, 2_000])
                #expect(stage.api.figures.failures == 2)
                #expect(stage.api.figures.requests == 4)
            }
        }
    }

    @Test func `who waits gets three attempts, who does not gets four`() async throws {
        try await FakeStore.serving(Replies(.error(404, 4_040_004))) { store in
            try await Stage.playing(store.url) { stage in
                for (haste, count) in [(stage.prompt(), 3), (.patient, 7)] {
                    let failure = await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.api.transaction(name, haste)
                    }
                    #expect(failure?.kind == .unreachable)
                    #expect(failure?.code == 4_040_004)
                    #expect(store.arrivals.count == count)
                }
            }
        }
    }

    /// A whole history may take a minute; a store that does not answer is told of sooner, also
    /// behind an open circuit.
    @Test func `who reconciles does not wait for a store that is away`() async throws {
        try await FakeStore.serving(Replies(.error(500, 5_000_000))) { store in
            try await Stage.playing(store.url) { stage in
                for _ in 0..<6 {
                    let begun = stage.clock.now
                    let failure = await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.reconciler.reconcile([StoreVoice.Period("200000").key])
                    }
                    #expect(failure?.kind == .unreachable)
                    let waited = stage.clock.now.milliseconds - begun.milliseconds
                    #expect(waited <= ReconcilerLimits.promptMilliseconds)
                }
            }
        }
    }

    @Test(
        arguments: [
            (400, 4_000_006, .refused), (401, nil, .unauthorized), (401, 9, .unauthorized),
            (404, 4_040_007, .refused),
            (404, 4_040_001, .unknown), (404, 4_040_005, .unknown), (404, 4_040_010, .unknown),
            (400, 4_000_014, .pagingExpired), (400, 4_000_017, .pagingExpired),
            (302, nil, .refused), (200, nil, .malformed),
        ] as [(Int, Int64?, StoreAPIFailure.Kind)]
    )
    func `what will not change is asked once`(
        _ status: Int,
        _ code: Int64?,
        _ kind: StoreAPIFailure.Kind
    ) async throws {
        let reply =
            code.map { FakeStore.Reply.error(status, $0) } ?? .answer(status, Array("[]".utf8))
        try await FakeStore.serving(Replies(reply)) { store in
            try await Stage.playing(store.url) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.api.transaction(name, .patient)
                }
                #expect(failure?.kind == kind)
                #expect(failure?.code == code ?? Int64(status))
                #expect(store.arrivals.count == 1)
                #expect(stage.api.figures.circuit == "closed")
            }
        }
    }

    @Test func `a redirect is not followed, so that nobody else sees the token`() async throws {
        try await FakeStore.serving(Replies(Self.found)) { other in
            let reply = FakeStore.Reply.answer(302, [], headers: ["Location": other.url + "/x"])
            try await FakeStore.serving(Replies(reply)) { store in
                try await Stage.playing(store.url) { stage in
                    let failure = await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.api.transaction(name, .patient)
                    }
                    #expect(failure?.code == 302)
                    #expect(other.arrivals.isEmpty)
                }
            }
        }
    }

    @Test(arguments: [FakeStore.Reply.silence, .half])
    func `an answer that does not come, or does not end, is given up`(
        _ reply: FakeStore.Reply
    ) async throws {
        let replies = Replies(reply, Self.found)
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url, attemptMilliseconds: 500) { stage in
                let found = try await stage.api.transaction(name, .patient)
                #expect(found == Array("a.b.c".utf8))
                #expect(stage.api.figures.failures >= 1)
            }
        }
    }

    @Test func `an answer that is too long is given up`() async throws {
        let long = [UInt8](repeating: 0x20, count: ReconcilerLimits.answerBytesMax + 1)
        let replies = Replies(.answer(200, long), Self.found)
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                let found = try await stage.api.transaction(name, .patient)
                #expect(found == Array("a.b.c".utf8))
                #expect(stage.api.figures.failures == 1)
            }
        }
    }

    @Test func `the circuit opens after five failures, and closes with an answer`() async throws {
        let replies = Replies(
            .hangUp,
            .hangUp,
            .hangUp,
            .hangUp,
            .hangUp,
            .hangUp,
            .hangUp,
            Self.found
        )
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                func asking(_ haste: Haste) async -> StoreAPIFailure? {
                    await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.api.transaction(name, haste)
                    }
                }
                #expect(await asking(stage.prompt()) != nil)
                #expect(await asking(stage.prompt(4_000)) != nil)
                #expect(stage.api.figures.circuit == "open")
                let sent = store.arrivals.count
                #expect(sent == 5)
                // Too soon for who has less time than the rest takes.
                let failure = await asking(stage.prompt(1_000))
                #expect(failure?.kind == .unreachable)
                #expect(failure?.retryAfterMilliseconds != nil)
                #expect(store.arrivals.count == sent)
                // Two probes fail, each followed by a longer rest; the third closes it.
                let found = try await stage.api.transaction(name, .patient)
                #expect(found == Array("a.b.c".utf8))
                #expect(stage.api.figures.circuit == "closed")
                #expect(store.arrivals.count == 8)
                #expect(stage.clock.waits.suffix(3) == [9_500, 1_000, 19_000])
            }
        }
    }

    @Test func `nothing is sent once the task is cancelled`() async throws {
        try await FakeStore.serving(Replies(.error(500, 5_000_000))) { store in
            try await Stage.playing(store.url) { stage in
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await apiFailure { () async throws(StoreAPIFailure) in
                        try await stage.api.transaction(name, .patient)
                    }
                }
                #expect(await task.value?.kind == .cancelled)
            }
        }
    }
}
