import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// getHistory, explain, getStatus at a past moment, and watch, on a live daemon.
@Suite struct HistoryTests {
    private func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog += "\nfreeCredits: 3"
        setup.catalog = setup.catalog.replacingOccurrences(of: "freeCredits: 0\n", with: "")
        return try TestDaemon.started(setup)
    }

    /// A user's life: registered, subscribed, spent, granted for a second.
    private func live(_ daemon: TestDaemon) throws {
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        _ = try daemon.call("consumeCredit", ["userId": "alice", "idempotencyKey": "k"])
        let end = Date().addingTimeInterval(1)
            .formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true)
            )
        let grant: JSONObject = [
            "userId": "alice", "plan": "premium", "idempotencyKey": "g",
            "expiresAt": .string(end + "Z"),
        ]
        _ = try daemon.call("grantEntitlement", grant, admin: true)
        #expect(
            try eventually { try daemon.status("alice")["state"] == "free_with_credits" }
        )
        let life = StoreLife(token: account["appAccountToken"]?.string)
        #expect(
            try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
                == (200, "applied")
        )
    }

    @Test func `a history tells what changed, and the past is what it was`() throws {
        let daemon = try daemon()
        try live(daemon)
        let history = try daemon.call("getHistory", ["userId": "alice"])
        let events = try #require(history["events"]?.array)
        let causes = events.compactMap { $0["cause"]?.string }
        #expect(causes == ["registered", "consumed", "granted", "clock", "notification"])
        let credits = events.compactMap { $0["after"]?["creditsRemaining"]?.int64 }
        #expect(credits == [3, 2, 2, 2, 2])
        #expect(events.first?["before"]?["state"] == "no_account")
        for (event, next) in zip(events, events.dropFirst()) {
            #expect(event["after"] == next["before"])
            #expect((event["seq"]?.int64 ?? 0) < (next["seq"]?.int64 ?? 0))
        }
        for event in events {
            let at = try #require(event["at"])
            // Two may have happened in one millisecond: the past is what the last one left.
            let last = try #require(events.last { $0["at"] == at })
            let then = try daemon.call("getStatus", ["userId": "alice", "at": at])
            #expect(then == last["after"])
            let why = try daemon.call("explain", ["userId": "alice", "at": at])
            #expect(why["status"] == last["after"])
        }
        let paged = try daemon.call(
            "getHistory",
            ["userId": "alice", "afterSeq": events[1]["seq"] ?? 0, "limit": 2]
        )
        #expect(paged["events"]?.array == Array(events[2...3]))
        #expect(try daemon.call("explain", ["userId": "alice"])["rule"] == "paid")
        let early = try daemon.call(
            "getStatus",
            ["userId": "alice", "at": "2020-01-01T00:00:00.000Z"]
        )
        #expect(early["state"] == "no_account")
        let future: JSONObject = ["userId": "alice", "at": "2099-01-01T00:00:00.000Z"]
        #expect(try daemon.refusal(of: "getStatus", future)?.code == -32602)
        // What the journal tells is what was on disk.
        daemon.killAtOnce()
        try daemon.start()
        #expect(try daemon.call("getHistory", ["userId": "alice"]) == history)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `watchers hear each change once, and what they missed`() throws {
        let daemon = try daemon()
        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}"#)
        let start = try #require(try socket.receiveReply()["result"]?["seq"]?.int64)
        try live(daemon)
        var heard: [JSONValue] = []
        while heard.count < 5 {
            let message = try socket.receiveReply()
            #expect(message["method"] == "entitlementChanged")
            heard.append(message["params"] ?? .null)
        }
        let causes = heard.compactMap { $0["cause"]?.string }
        #expect(causes == ["registered", "consumed", "granted", "clock", "notification"])
        let positions = heard.compactMap { $0["seq"]?.int64 }
        #expect(positions == positions.sorted() && (positions.first ?? 0) > start)
        #expect(heard.last?["status"] == (try daemon.status("alice")))

        let late = try StreamSocket.unix(daemon.socket)
        late.sendFrame(
            #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"fromSeq":\#(positions[1]),"#
                + #""userIds":["alice"]}}"#
        )
        _ = try late.receiveReply()
        for expected in heard[2...] {
            let message = try late.receiveReply()
            #expect(message["params"]?["cause"] == expected["cause"])
            #expect(message["params"]?["seq"] == expected["seq"])
        }
        let lost = try StreamSocket.unix(daemon.socket)
        lost.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"fromSeq":999999}}"#)
        _ = try lost.receiveReply()
        #expect(try lost.receiveReply()["method"] == "resync")
        // Another's change is not for one who watches alice alone; a new catalog is for all.
        _ = try daemon.call("registerAccount", ["userId": "bob"])
        try daemon.configure { $0.catalog = "plans: { gold: { unlimited: [render] } }" }
        daemon.child?.signal(SIGHUP)
        let catalog = try late.receiveReply()
        #expect(catalog["method"] == "catalogChanged")
        #expect(catalog["params"]?["version"] == 2)
    }
}
