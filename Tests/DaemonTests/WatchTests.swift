import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// watch on a live daemon: what time ends is told in order, after a restart too; what is told is
/// what a read says; who does not read is told less often.
@Suite struct WatchTests {
    private func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.logLevel = "warning"
        return try TestDaemon.started(setup)
    }

    /// Gives access to so many users, that ends one after the other, `apart` ms each.
    private func give(
        _ daemon: TestDaemon,
        _ count: Int,
        from first: Int64,
        apart: Int64
    ) throws -> [(user: String, end: Int64)] {
        let ends = (0..<count).map { (user: "user \($0)", end: first + Int64($0) * apart) }
        for (user, end) in ends.shuffled() {
            // To the millisecond: a Date would round.
            let second = Date(timeIntervalSince1970: Double(end / 1_000)).formatted(.iso8601)
            let text = second.dropLast() + "." + String(1_000 + end % 1_000).dropFirst() + "Z"
            let grant: JSONObject = [
                "userId": .string(user), "plan": "premium", "idempotencyKey": "g",
                "expiresAt": .string(String(text)),
            ]
            _ = try daemon.call("grantEntitlement", grant, admin: true)
        }
        return ends
    }

    private func watch(_ daemon: TestDaemon, from seq: Int64? = nil) throws -> StreamSocket {
        let socket = try StreamSocket.unix(daemon.socket)
        let params = seq.map { #"{"fromSeq":\#($0)}"# } ?? "{}"
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":\#(params)}"#)
        _ = try #require(try socket.receiveReply()["result"]?["seq"])
        return socket
    }

    /// The next so many changes that a watcher is told.
    private func changes(_ socket: StreamSocket, _ count: Int) throws -> [JSONValue] {
        var found: [JSONValue] = []
        while found.count < count {
            let message = try socket.receiveReply()
            guard message["method"] == "entitlementChanged" else { continue }
            let params = message["params"] ?? .null
            #expect(OpenRPC.document.faults(inNews: params, of: "entitlementChanged") == [])
            found.append(params)
        }
        return found
    }

    @Test func `what ends by itself is told in order, and no read disagrees`() throws {
        let daemon = try daemon()
        let ends = try give(daemon, 30, from: StoreVoice.now + 2_500, apart: 50)
        let socket = try watch(daemon)
        let last = try #require(ends.last).end
        var asked = 0
        while StoreVoice.now < last + 100 {
            for (user, end) in ends {
                let before = StoreVoice.now
                let canRender = try daemon.canRender(user)["canRender"]
                let after = StoreVoice.now
                asked += 1
                if after < end { #expect(canRender == true, "\(user) has \(end - after) ms") }
                if before > end { #expect(canRender == false, "\(user), \(before - end) ms late") }
            }
        }
        #expect(asked > 2 * ends.count)
        let told = try changes(socket, ends.count)
        #expect(told.compactMap { $0["userId"]?.string } == ends.map(\.user))
        #expect(told.allSatisfy { $0["cause"] == "clock" })
        let positions = told.compactMap { $0["seq"]?.int64 }
        #expect(positions == positions.sorted())
        for change in told {
            let user = try #require(change["userId"]?.string)
            #expect(same(change["status"], try daemon.status(user)), "\(user)")
        }
    }

    @Test(arguments: [0, 1])
    func `watchers are told that a renewal is due and was not heard`(late minutes: Int) throws {
        var setup = TestDaemon.Setup()
        setup.catalog += "\nlateRenewalMinutes: \(minutes)\n"
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "ann"])
        var life = StoreLife(token: account["appAccountToken"]?.string)
        life.expires = StoreVoice.now + 3_000
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        let socket = try watch(daemon)
        #expect(try daemon.status("ann")["subscription"]?["stale"] == false)
        let told = try #require(try changes(socket, 1).first)
        #expect(told["cause"] == "clock")
        let subscription = try #require(told["status"]?["subscription"])
        #expect(subscription["stale"] == true)
        #expect(subscription["status"]?.string == (minutes > 0 ? "subscribed" : "expired"))
        #expect(StoreVoice.now >= life.expires)
    }

    @Test func `what ended while nobody was there is told after the restart, in order`() throws {
        let daemon = try daemon()
        let ends = try give(daemon, 12, from: StoreVoice.now + 1_500, apart: 40)
        let socket = try watch(daemon)
        let first = try changes(socket, 2)
        let seen = try #require(first.last?["seq"]?.int64)
        daemon.killAtOnce()
        let last = try #require(ends.last).end
        while StoreVoice.now <= last { usleep(20_000) }
        try daemon.start()
        let isCaughtUp = try eventually {
            try daemon.call("stats", admin: true)["seq"]?.int64 ?? 0 > seen
        }
        #expect(isCaughtUp)
        // Ends of one tick have one position: those told before it may be told again.
        let later = try watch(daemon, from: seen - 1)
        var told: [String] = first.compactMap { $0["userId"]?.string }
        while told.count < ends.count {
            let user = try #require(try changes(later, 1).first?["userId"]?.string)
            if !told.contains(user) { told.append(user) }
        }
        #expect(told == ends.map(\.user))
        for (user, _) in ends { #expect(try daemon.canRender(user)["canRender"] == false) }
    }

    @Test func `who does not read is told the newest of each user, and that it was coalesced`()
        throws
    {
        let daemon = try daemon()
        let grant: JSONObject = [
            "userId": "alice", "amount": 1_000_000, "idempotencyKey": "first",
        ]
        _ = try daemon.call("grantCredits", grant, admin: true)
        let socket = try watch(daemon)
        let spender = try StreamSocket.unix(daemon.socket)
        let count = 4_000
        for part in stride(from: 0, to: count, by: 100) {
            for number in part..<part + 100 {
                spender.sendFrame(
                    #"{"jsonrpc":"2.0","id":\#(number),"method":"consumeCredit","params":"#
                        + #"{"userId":"alice","idempotencyKey":"k\#(number)"}}"#
                )
            }
            for _ in 0..<100 { _ = try spender.receiveReply() }
        }
        var told: [JSONValue] = []
        while told.last?["status"]?["creditsRemaining"]?.int64 != 1_000_000 - Int64(count) {
            told += try changes(socket, 1)
        }
        #expect(told.count < count, "\(told.count) of \(count)")
        #expect(told.contains { $0["coalesced"] == true })
        #expect(told.first?["coalesced"] == nil)
        let positions = told.compactMap { $0["seq"]?.int64 }
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(same(told.last?["status"], try daemon.status("alice")))
    }

    @Test func `who joins far back keeps nobody from being told, and misses nothing`() throws {
        let daemon = try daemon()
        let users = (0..<40).map { "user \($0)" }
        for user in users {
            let grant: JSONObject = [
                "userId": .string(user), "amount": 1_000_000, "idempotencyKey": "first",
            ]
            _ = try daemon.call("grantCredits", grant, admin: true)
        }
        let from = try #require(try daemon.call("stats", admin: true)["seq"]?.int64)
        let spender = try StreamSocket.unix(daemon.socket)
        try spend(2_000, of: users, named: "before", spender)
        let ordinary = try watch(daemon)
        let late = try (0..<20)
            .map { _ in
                let socket = try StreamSocket.unix(daemon.socket)
                socket.sendFrame(
                    #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"fromSeq":\#(from)}}"#
                )
                return socket
            }
        try spend(200, of: users, named: "meanwhile", spender)
        let told = try changes(ordinary, 200)
        #expect(told.compactMap { $0["seq"]?.int64 } == (1...200).map { from + 2_000 + $0 })
        for socket in late {
            // The answer comes before everything that is told; the past is read behind all other
            // work.
            #expect(socket.hasAnswer(withinMilliseconds: 120_000))
            _ = try #require(try socket.receiveReply()["result"]?["seq"]?.int64)
            var newest: [String: Int64] = [:]
            var last = from
            while last < from + 2_200 {
                let change = try #require(try changes(socket, 1).first)
                let seq = try #require(change["seq"]?.int64)
                #expect(seq > last)
                last = seq
                let user = try #require(change["userId"]?.string)
                newest[user] = change["status"]?["creditsRemaining"]?.int64
            }
            #expect(newest == Dictionary(uniqueKeysWithValues: users.map { ($0, 1_000_000 - 55) }))
        }
    }

    /// Spends so many credits, one of each user in turn.
    private func spend(
        _ count: Int,
        of users: [String],
        named name: String,
        _ socket: StreamSocket
    ) throws {
        for part in stride(from: 0, to: count, by: 100) {
            for number in part..<part + 100 {
                socket.sendFrame(
                    #"{"jsonrpc":"2.0","id":\#(number),"method":"consumeCredit","params":"#
                        + #"{"userId":"\#(users[number % users.count])","idempotencyKey":"#
                        + #""\#(name) \#(number)"}}"#
                )
            }
            for _ in 0..<100 { _ = try socket.receiveReply() }
        }
    }

    /// Whether two statuses say the same, their positions aside.
    private func same(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        guard case .object(var told)? = left, case .object(var read) = right else { return false }
        told["seq"] = nil
        read["seq"] = nil
        return JSONValue.object(told) == JSONValue.object(read)
    }
}
