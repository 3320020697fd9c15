import JSON
import Testing

@testable import EntitlementsClient

struct InFlightTests {
    private func call(
        _ text: String,
        isRepeatable: Bool = true,
        timeout: Duration = .seconds(60)
    ) -> InFlight.Call {
        InFlight.Call(
            frame: Array(text.utf8),
            deadline: Deadline(after: timeout),
            isRepeatable: isRepeatable
        ) { _ in }
    }

    private static let unreachable = ClientError("unreachable", "nobody", retryable: true)
    private static let notReady = daemonError(-32_002, "not_ready")

    private static func daemonError(_ code: Int64, _ name: String) -> ClientError {
        guard let error = ClientError(Samples.error(code, name, retryable: true)) else {
            preconditionFailure("the sample is an error object")
        }
        return error
    }

    private func texts(_ ended: [InFlight.Ended]) -> [String] { ended.map { text($0.call.frame) } }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `calls are sent once, in order`() {
        var inFlight = InFlight()
        inFlight.admit(call("a"), id: 1)
        inFlight.admit(call("b"), id: 2)
        #expect(inFlight.hasUnsent)
        #expect(text(inFlight.takeUnsent()) == "ab")
        #expect(inFlight.takeUnsent().isEmpty)
        #expect(!inFlight.hasUnsent)
    }

    @Test func `a call that was given up before is not sent`() {
        var inFlight = InFlight()
        inFlight.admit(call("a"), id: 1)
        inFlight.admit(call("b"), id: 2)
        #expect(inFlight.take(1) != nil)
        #expect(text(inFlight.takeUnsent()) == "b")
    }

    @Test func `a reply finds its call once`() {
        var inFlight = InFlight()
        inFlight.admit(call("a"), id: 1)
        #expect(inFlight.take(2) == nil)
        #expect(inFlight.take(1) != nil)
        #expect(inFlight.take(1) == nil)
    }

    @Test func `only what has passed expires`() {
        var inFlight = InFlight()
        inFlight.admit(call("a", timeout: .zero), id: 1)
        inFlight.admit(call("b"), id: 2)
        #expect(texts(inFlight.takeExpired(nil)) == ["a"])
        #expect(inFlight.takeExpired(nil).isEmpty)
    }

    @Test func `a lost connection repeats what may be repeated, before newer calls`() {
        var inFlight = InFlight()
        inFlight.admit(call("read"), id: 1)
        inFlight.admit(call("write", isRepeatable: false), id: 2)
        _ = inFlight.takeUnsent()
        inFlight.admit(call("new", isRepeatable: false), id: 3)
        let lost = inFlight.takeLost(.connectionLost())
        #expect(texts(lost) == ["write"])
        #expect(lost.allSatisfy { $0.error.isOutcomeUnknown })
        #expect(text(inFlight.takeUnsent()) == "readnew")
        #expect(texts(inFlight.takeLost(.connectionLost())) == ["new"])
        while !inFlight.hasUnsent { inFlight.wake() }
        #expect(text(inFlight.takeUnsent()) == "read")
    }

    @Test func `a call that gets no word rests, from its second connection on`() {
        var inFlight = InFlight()
        inFlight.admit(call("read"), id: 1)
        _ = inFlight.takeUnsent()
        #expect(inFlight.takeLost(.connectionLost()).isEmpty)
        #expect(text(inFlight.takeUnsent()) == "read")
        for _ in 1...3 {
            #expect(inFlight.takeLost(.connectionLost()).isEmpty)
            #expect(!inFlight.hasUnsent)
            while !inFlight.hasUnsent { inFlight.wake() }
            #expect(text(inFlight.takeUnsent()) == "read")
        }
    }

    @Test func `who loses three connections is suspicious, unless the daemon said a word`() {
        var inFlight = InFlight()
        inFlight.admit(call("guilty"), id: 1)
        let stopping = ClientError.unknownOutcome(Self.daemonError(-32_003, "shutting_down"))
        for error in [.connectionLost(), stopping, .connectionLost()] {
            while !inFlight.hasUnsent { inFlight.wake() }
            _ = inFlight.takeUnsent()
            #expect(inFlight.takeLost(error).isEmpty)
            #expect(!inFlight.hasSuspicious)
        }
        inFlight.admit(call("other"), id: 2)
        while inFlight.nextMoment.map({ $0 < Deadline(after: .seconds(30)) }) == true {
            inFlight.wake()
        }
        #expect(text(inFlight.takeUnsent()) == "otherguilty")
        #expect(inFlight.takeLost(.connectionLost()).isEmpty)
        #expect(inFlight.hasSuspicious)
        let suspicious = inFlight.takeSuspicious()
        #expect(suspicious.map(\.id) == [1] && text(suspicious[0].call.frame) == "guilty")
        #expect(text(inFlight.takeUnsent()) == "other")
    }

    @Test func `on the side calls rest before they are sent, and travel one at a time`() {
        var side = InFlight(isSide: true)
        side.admit(call("1"), id: 1)
        side.admit(call("2"), id: 2)
        #expect(!side.hasUnsent)
        side.wake()  // the first pause has no length
        #expect(text(side.takeUnsent()) == "1")
        #expect(!side.hasUnsent)
        #expect(side.take(1) != nil)
        #expect(text(side.takeUnsent()) == "2")
        for _ in 1...5 {
            #expect(side.takeLost(.connectionLost()).isEmpty)
            #expect(!side.hasSuspicious && !side.hasUnsent)
            while !side.hasUnsent { side.wake() }
            #expect(text(side.takeUnsent()) == "2")
        }
    }

    @Test func `suspects travel one at a time, before all others, and only the guilty one ends`() {
        var inFlight = InFlight()
        for id in 1...3 { inFlight.admit(call("\(id)"), id: Int64(id)) }
        inFlight.admit(call("once", isRepeatable: false), id: 4)
        _ = inFlight.takeUnsent()
        inFlight.admit(call("later"), id: 5)
        let error = ClientError.malformedReply("no reply")
        #expect(texts(inFlight.takeDoubted(error)) == ["once"])
        #expect(text(inFlight.takeUnsent()) == "1")
        #expect(!inFlight.hasUnsent)
        #expect(inFlight.takeUnsent().isEmpty)
        _ = inFlight.take(1)
        #expect(text(inFlight.takeUnsent()) == "2")
        #expect(texts(inFlight.takeDoubted(error)) == ["2"])
        #expect(text(inFlight.takeUnsent()) == "3")
        #expect(!inFlight.hasUnsent)
        _ = inFlight.take(3)
        #expect(text(inFlight.takeUnsent()) == "later")
    }

    @Test func `what the daemon is not ready for rests, and is sent again`() {
        var inFlight = InFlight()
        inFlight.admit(call("read"), id: 1)
        inFlight.admit(call("write", isRepeatable: false), id: 2)
        _ = inFlight.takeUnsent()
        inFlight.rest(1, Self.notReady)
        inFlight.rest(2, Self.notReady)
        inFlight.rest(3, Self.notReady)  // nobody waits for it any more
        #expect(!inFlight.hasUnsent)
        inFlight.wake()  // the first pause has no length
        #expect(text(inFlight.takeUnsent()) == "readwrite")
        inFlight.rest(1, Self.notReady)
        #expect(inFlight.nextMoment.map { $0 < Deadline(after: .seconds(30)) } == true)
    }

    @Test func `a deadline ends a call with the best that is known about it`() {
        func error(after body: (inout InFlight) -> Void) -> ClientError? {
            var inFlight = InFlight()
            inFlight.admit(call("a", timeout: .zero), id: 1)
            body(&inFlight)
            return inFlight.takeExpired(Self.unreachable).first?.error
        }
        let neverSent = error { _ in }
        #expect(neverSent == Self.unreachable)
        let unanswered = error { _ = $0.takeUnsent() }
        #expect(unanswered?.name == "timed_out")
        #expect(unanswered?.isOutcomeUnknown == true)
        let refused = error {
            _ = $0.takeUnsent()
            $0.rest(1, Self.notReady)
        }
        #expect(refused == Self.notReady)
        let doubtful = error {
            _ = $0.takeUnsent()
            _ = $0.takeLost(.connectionLost())
            _ = $0.takeUnsent()
            $0.rest(1, Self.notReady)
        }
        #expect(doubtful?.name == "connection_lost")
        #expect(doubtful?.isOutcomeUnknown == true)
    }

    @Test func `it is full at the limit`() {
        var inFlight = InFlight()
        for id in 1...ClientLimits.callsInFlightMax {
            #expect(!inFlight.isFull)
            inFlight.admit(call(""), id: Int64(id))
        }
        #expect(inFlight.isFull)
        #expect(inFlight.takeAll(.timedOut()).count == ClientLimits.callsInFlightMax)
        #expect(!inFlight.isFull)
    }
}
