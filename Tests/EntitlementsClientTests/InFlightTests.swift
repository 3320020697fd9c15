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
        #expect(inFlight.takeExpired().map { text($0.frame) } == ["a"])
        #expect(inFlight.takeExpired().isEmpty)
    }

    @Test func `a lost connection repeats what may be repeated, once, before newer calls`() {
        var inFlight = InFlight()
        inFlight.admit(call("read"), id: 1)
        inFlight.admit(call("write", isRepeatable: false), id: 2)
        _ = inFlight.takeUnsent()
        inFlight.admit(call("new", isRepeatable: false), id: 3)
        #expect(inFlight.takeLost().map { text($0.frame) } == ["write"])
        #expect(text(inFlight.takeUnsent()) == "readnew")
        #expect(inFlight.takeLost().map { text($0.frame) } == ["read", "new"])
        #expect(!inFlight.hasUnsent)
    }

    @Test func `it is full at the limit`() {
        var inFlight = InFlight()
        for id in 1...ClientLimits.callsInFlightMax {
            #expect(!inFlight.isFull)
            inFlight.admit(call(""), id: Int64(id))
        }
        #expect(inFlight.isFull)
        #expect(inFlight.takeAll().count == ClientLimits.callsInFlightMax)
        #expect(!inFlight.isFull)
    }
}
