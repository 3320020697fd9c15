import Testing

@testable import Ledger

/// Where the stack stands.
@inline(never)
private func depth() -> UInt {
    var here = 0
    return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
}

struct HookTests {
    private let calls = 10_000

    @Test func `whoever follows is called as directly the last time as the first`() throws {
        let feed = LedgerFeed()
        let depths = Notebook<UInt>()
        feed.follow { _ in depths.note(depth()) }
        for _ in 0..<calls { feed.publish([]) }
        #expect(depths.notes.count == calls)
        #expect(Set(depths.notes).count == 1)
    }

    @Test func `the end of a group is told as directly the last time as the first`() throws {
        let pulse = LedgerPulse()
        let depths = Notebook<UInt>()
        pulse.afterEachGroup { depths.note(depth()) }
        for _ in 0..<calls { pulse.groupIsAnswered() }
        #expect(depths.notes.count == calls)
        #expect(Set(depths.notes).count == 1)
    }
}
