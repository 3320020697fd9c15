import Entitlements
import JSON
import Testing
import Wire

@testable import Methods

/// Messages that arrive while their store cannot be asked: on disk before they are accepted, and
/// asked about later, over a restart.
@Suite struct AwaitedNotificationTests {
    private let stage: AskedService
    private let message = #"{"token":"token-1"}"#

    init() throws { stage = try AskedService() }

    private func waiting() async throws -> [Notification] {
        try await stage.service.announced(by: .googlePlay).map(\.notification)
    }

    @Test func `what is accepted is on disk, and what the store says of it later is kept once`()
        async throws
    {
        stage.play.fail(.unreachable)
        #expect(await stage.send(message) == .accepted)
        #expect(await stage.send(message) == .received(.duplicate))
        #expect(await stage.send(message + " ") == .accepted)
        #expect(try await waiting().count == 2)
        try stage.restart()
        let found = try await waiting()
        #expect(found.count == 2)
        for notification in found {
            #expect(notification.type == "PUSH" && notification.facts.isEmpty)
            let announcement = StoreAnnouncement(.googlePlay, .purchaseToken("token-1"))
            #expect(notification.announcement == announcement)
        }
        #expect(try await stage.service.announced(by: .stripe).isEmpty)
        let fact = StatedPurchase(user: "alice").fact
        #expect(try await stage.service.take(found[0].stating([fact])) == .applied)
        #expect(try await stage.canRender("alice") == true)
        #expect(try await stage.service.take(found[0].stating([fact])) == .duplicate)
        #expect(try await waiting() == [found[1]])
        try stage.restart()
        #expect(try await waiting() == [found[1]])
        #expect(try await stage.service.take(found[1].stating([])) == .ignored)
        try stage.restart()
        #expect(try await waiting().isEmpty)
        #expect(await stage.send(message) == .received(.duplicate))
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `a message that comes again once the store answers is answered with what it says`()
        async throws
    {
        stage.play.fail(.limited)
        #expect(await stage.send(message) == .accepted)
        stage.play.fail(nil)
        stage.play.know(.purchaseToken("token-1"), [StatedPurchase(user: "alice").fact])
        #expect(await stage.send(message) == .received(.applied))
        #expect(try await waiting().isEmpty)
        #expect(await stage.send(message) == .received(.duplicate))
        #expect(try await stage.canRender("alice") == true)
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `what the store will not tell is not asked for again`() async throws {
        stage.play.fail(.refused)
        #expect(await stage.send(message) == .received(.ignored))
        #expect(try await waiting().isEmpty)
    }

    @Test func `what the store does not know yet waits from when it was received on`() async throws
    {
        let received = Moment(stage.hands.wall)
        #expect(await stage.send(message) == .accepted)
        stage.hands.advance(60_000)
        #expect(await stage.send(message) == .received(.duplicate))
        let found = try await stage.service.announced(by: .googlePlay)
        #expect(found.map(\.received) == [received])
        try stage.restart()
        #expect(try await stage.service.announced(by: .googlePlay) == found)
        stage.play.know(.purchaseToken("token-1"), [StatedPurchase(user: "alice").fact])
        #expect(await stage.send(message) == .received(.applied))
        #expect(try await waiting().isEmpty)
        #expect(try await stage.canRender("alice") == true)
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `what the store does not know of an erased person does not wait`() async throws {
        stage.play.know(.purchaseToken("token-1"), [StatedPurchase(user: "alice").fact])
        #expect(await stage.send(message) == .received(.applied))
        _ = try await stage.call("eraseUser", ["userId": "alice"], role: .admin)
        stage.play.fail(.unknown)
        #expect(await stage.send(message + " ") == .received(.ignored))
        #expect(try await waiting().isEmpty)
        stage.play.fail(.unreachable)
        #expect(await stage.send(message + "  ") == .unavailable)
    }

    @Test func `a dump says that one waits, and what is loaded waits for nothing`() async throws {
        stage.play.fail(.unreachable)
        #expect(await stage.send(message) == .accepted)
        let asked: JSONObject = ["table": "notifications"]
        let rows = try await stage.call("dump", asked, role: .admin)["entries"]?.array ?? []
        #expect(rows.count == 1 && rows[0]["value"]?["isAwaiting"] == true)
        let again: JSONObject = ["entries": .array(rows)]
        #expect(try await stage.call("load", again, role: .admin)["loaded"] == 1)
        #expect(try await waiting().count == 1)
        let other = try AskedService()
        #expect(try await other.call("load", again, role: .admin)["loaded"] == 1)
        #expect(try await other.service.announced(by: .googlePlay).isEmpty)
        #expect(try other.isSoundOnceStopped())
    }
}
