import Fixtures
import Foundation
import JSON
import Testing

/// The past of accounts and purchases that were loaded.
@Suite struct LoadedPastTests {
    /// A ledger into which was loaded what another has: a subscription of `guest`, or of nobody.
    private func loaded(token: String? = nil) throws -> TestService {
        let old = try TestService.started()
        let guest = try old.call("registerAccount", ["userId": "guest"])
        _ = try old.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: token ?? guest["appAccountToken"]?.string)
        _ = try old.deliver(old.voice.notification("SUBSCRIBED", about: life))
        let new = try TestService.started()
        // One page, so that entries tell of many rows.
        _ = try new.call("load", ["entries": .array(try old.rows())], admin: true)
        usleep(2_000)
        return new
    }

    /// Whether the past of `user` says of the present what the present says.
    private func expectSamePast(_ service: TestService, _ user: String) throws {
        usleep(2_000)
        let status = try service.status(user)
        #expect(status["isSubscriber"] == true)
        let history = try service.call("getHistory", ["userId": .string(user)])
        let last = try #require(history["events"]?.array?.last)
        #expect(last["after"]?["state"] == status["state"])
        #expect(last["before"]?["state"] != status["state"])
        let then = try service.call(
            "getStatus",
            ["userId": .string(user), "at": last["at"] ?? .null]
        )
        #expect(then["isSubscriber"] == true)
    }

    @Test func `a purchase that was loaded as another's is in the past of whom it went to`() throws
    {
        let service = try loaded()
        #expect(try service.status("guest")["isSubscriber"] == true)
        _ = try service.call(
            "mergeAccounts",
            ["fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "login"]
        )
        try expectSamePast(service, "alice")
    }

    @Test func `a purchase that was loaded as nobody's is in the past of who claims it`() throws {
        let token = UUID().uuidString.lowercased()
        let service = try loaded(token: token)
        _ = try service.call(
            "registerAccount",
            ["userId": "bob", "appAccountToken": .string(token)]
        )
        try expectSamePast(service, "bob")
    }
}
