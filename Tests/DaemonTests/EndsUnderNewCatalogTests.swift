import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// A new catalog has every account looked at again; what ends meanwhile is told.
///
/// That an end waits for a few accounts only and not for all is played step by step in AlarmTests.
@Suite struct EndsUnderNewCatalogTests {
    /// So many that looking at all of them takes the writer a while.
    private static let bystanders = 12_000
    private static let ends = 100
    private static let apartMilliseconds: Int64 = 20

    private static func catalog(lateRenewalMinutes: Int64) -> String {
        TestDaemon.Setup().catalog + "\nlateRenewalMinutes: \(lateRenewalMinutes)\n"
    }

    @Test func `while accounts are looked at under a new catalog, ends are told, each once`()
        throws
    {
        var setup = TestDaemon.Setup()
        setup.logLevel = "warning"
        setup.catalog = Self.catalog(lateRenewalMinutes: 60)
        let daemon = try TestDaemon.started(setup)
        try registerBystanders(daemon)
        let lapsed = try addLast(daemon)
        let watcher = try StreamSocket.unix(daemon.socket)
        watcher.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}"#)
        let from = try #require(try watcher.receiveReply()["result"]?["seq"]?.int64)
        let expected = try giveEnds(daemon, from: StoreVoice.now + 6_000)
        try daemon.configure { $0.catalog = Self.catalog(lateRenewalMinutes: 30) }

        var told: [String] = []
        var isInstalled = false
        while told.count < expected.count {
            let message = try watcher.receiveReply()
            if message["method"] == "catalogChanged" { isInstalled = true }
            guard isEnd(message) else { continue }
            told.append(try #require(message["params"]?["userId"]?.string))
            // The new catalog comes while ends are due.
            if told.count == 5 { daemon.child?.signal(SIGHUP) }
        }
        #expect(told == expected)
        #expect(isInstalled)
        #expect(try eventually { try hasAlarm(daemon, at: lapsed + 30 * 60_000) })
        // The journal has each once, too.
        let again = try StreamSocket.unix(daemon.socket)
        again.sendFrame(
            #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"fromSeq":\#(from)}}"#
        )
        // What was missed is read behind all other work.
        #expect(again.hasAnswer(withinMilliseconds: 120_000))
        let last = try #require(try again.receiveReply()["result"]?["seq"]?.int64)
        let credits: JSONObject = ["userId": "the end", "amount": 1, "idempotencyKey": "k"]
        _ = try daemon.call("grantCredits", credits, admin: true)
        var found: [String] = []
        // Where ends are missing nothing comes after them but heartbeats.
        var heartbeats = 0
        while heartbeats < 3 {
            let message = try again.receiveReply()
            if message["method"] == "heartbeat" { heartbeats += 1 }
            if message["params"]?["seq"]?.int64 ?? 0 > last { break }
            guard isEnd(message) else { continue }
            found.append(try #require(message["params"]?["userId"]?.string))
        }
        #expect(found == expected)
    }

    /// Whether it tells what time alone has changed.
    private func isEnd(_ message: JSONValue) -> Bool {
        message["method"] == "entitlementChanged" && message["params"]?["cause"] == "clock"
    }

    /// Many accounts of which nothing ends.
    private func registerBystanders(_ daemon: TestDaemon) throws {
        let socket = try StreamSocket.unix(daemon.socket)
        for part in stride(from: 0, to: Self.bystanders, by: 500) {
            for number in part..<part + 500 {
                socket.sendFrame(
                    #"{"jsonrpc":"2.0","id":\#(number),"method":"registerAccount","params":"#
                        + #"{"userId":"bystander \#(100_000 + number)"}}"#
                )
            }
            for _ in 0..<500 {
                let reply = try socket.receiveReply()
                try #require(reply["result"] != nil)
            }
        }
    }

    /// The account that is looked at last: another catalog moves when its late renewal is given up.
    /// - Returns: when its subscription was to be renewed.
    private func addLast(_ daemon: TestDaemon) throws -> Int64 {
        let account = try daemon.call("registerAccount", ["userId": "zzz"])
        var life = StoreLife(token: account["appAccountToken"]?.string)
        life.expires = StoreVoice.now - 60_000
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try hasAlarm(daemon, at: life.expires + 60 * 60_000))
        return life.expires
    }

    /// Users whose access ends one after the other, the first at a moment; in that order.
    private func giveEnds(_ daemon: TestDaemon, from first: Int64) throws -> [String] {
        let socket = try StreamSocket.unix(daemon.adminSocket)
        let users = (0..<Self.ends).map { "ending \(1_000 + $0)" }
        for (number, user) in users.enumerated() {
            let end = first + Int64(number) * Self.apartMilliseconds
            let text = Self.text(end)
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":\#(number),"method":"grantEntitlement","params":"#
                    + #"{"userId":"\#(user)","plan":"premium","idempotencyKey":"g","#
                    + #""expiresAt":"\#(text)"}}"#
            )
        }
        for _ in users { try #require(try socket.receiveReply()["result"] != nil) }
        return users
    }

    /// Whether the last account is to be looked at at a moment.
    private func hasAlarm(_ daemon: TestDaemon, at moment: Int64) throws -> Bool {
        let page = try daemon.call("dump", ["table": "alarms", "limit": 1_000], admin: true)
        return page["entries"]?.array?
            .contains { row in
                row["value"]?["userId"] == "zzz"
                    && row["value"]?["due"]?.string.map { $0 == Self.text(moment) } ?? false
            } ?? false
    }

    /// To the millisecond: a Date would round.
    private static func text(_ moment: Int64) -> String {
        let second = Date(timeIntervalSince1970: Double(moment / 1_000)).formatted(.iso8601)
        return second.dropLast() + "." + String(1_000 + moment % 1_000).dropFirst() + "Z"
    }
}
