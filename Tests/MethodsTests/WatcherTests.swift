import Entitlements
import JSON
import Testing

@testable import Methods
@testable import Wire

/// What one watcher is sent, and when.
struct WatcherTests {
    private let listener = Listener()
    private let watcher: Watcher
    private let user: UserID

    init() throws {
        watcher = Watcher(listener.pusher, users: nil, at: 0)
        user = try #require(UserID("alice"))
    }

    @Test func `a heartbeat comes every 15 s, also to whom much is told`() {
        for second in 1...60 as ClosedRange<Int64> {
            watcher.tell(UInt64(second), user, .consumed, ["canRender": true])
            watcher.flush(UInt64(second), at: second * 1_000)
        }
        #expect(listener.messages.count == 60)
        #expect(listener.heartbeats.map { $0["seq"]?.int64 } == [15, 30, 45, 60])
        for second in 61...90 as ClosedRange<Int64> { watcher.flush(60, at: second * 1_000) }
        #expect(listener.heartbeats.map { $0["seq"]?.int64 } == [15, 30, 45, 60, 60, 60])
    }

    @Test func `whoever takes nothing hears no heartbeat until everything is told`() {
        listener.session.unsentBytes = WireLimits.unsentPushBytesMax
        watcher.tell(1, user, .consumed, ["canRender": true])
        watcher.flush(1, at: 40_000)
        #expect(listener.messages.isEmpty && listener.heartbeats.isEmpty)
        listener.session.unsentBytes = 0
        watcher.flush(1, at: 41_000)
        #expect(listener.messages.count == 1 && listener.heartbeats.count == 1)
    }
}
