import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing
import Wire

/// What a store says and what changes no status, on a daemon: `storeEvent` of `watch`.
@Suite struct StoreEventTests {
    private func watch(_ daemon: TestDaemon, _ params: String = "{}") throws -> StreamSocket {
        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":\#(params)}"#)
        _ = try #require(try socket.receiveReply()["result"]?["seq"])
        return socket
    }

    /// The next so many messages that are no heartbeats, each as its method and what it tells.
    private func told(_ socket: StreamSocket, _ count: Int) throws -> [(String, JSONValue)] {
        var found: [(String, JSONValue)] = []
        while found.count < count {
            let message = try socket.receiveReply()
            guard let method = message["method"]?.string, method != "heartbeat" else { continue }
            let params = message["params"] ?? .null
            #expect(OpenRPC.document.faults(inNews: params, of: method) == [])
            found.append((method, params))
        }
        return found
    }

    private func words(_ told: [(String, JSONValue)]) -> [String] {
        told.map { method, params in
            [method, params["type"]?.string, params["subtype"]?.string].compactMap { $0 }
                .joined(separator: " ")
        }
    }

    @Test func `a notification is told once, as a change or as an event, also to who resumes`()
        throws
    {
        let daemon = try TestDaemon.started()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        let from = try #require(try daemon.status("alice")["seq"]?.int64)
        let everybody = try watch(daemon)
        let alices = try watch(daemon, #"{"userIds":["alice"]}"#)
        let bobs = try watch(daemon, #"{"userIds":["bob"]}"#)
        var life = StoreLife(token: token)
        let nobodys = StoreLife()
        func deliver(_ type: String, _ subtype: String? = nil, _ life: StoreLife) throws {
            let body = try daemon.voice.notification(type, subtype, about: life)
            #expect(try daemon.deliver(body) == (200, "applied"), "\(type)")
        }
        try deliver("SUBSCRIBED", "INITIAL_BUY", life)
        try deliver("CONSUMPTION_REQUEST", nil, life)
        try deliver("SUBSCRIBED", "INITIAL_BUY", nobodys)
        try deliver("PRICE_INCREASE", "PENDING", nobodys)
        try deliver("PRICE_INCREASE", "PENDING", life)
        life.autoRenew = false
        try deliver("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", life)
        try deliver("SOMETHING_NEW", "OF_APPLE", life)
        let again = try daemon.voice.notification("REFUND_DECLINED", about: life)
        #expect(try daemon.deliver(again).result == "applied")
        #expect(try daemon.deliver(again).result == "duplicate")
        _ = try daemon.call(
            "grantEntitlement",
            ["userId": "bob", "plan": "paid", "idempotencyKey": "g"],
            admin: true
        )
        let wanted = [
            "entitlementChanged", "storeEvent CONSUMPTION_REQUEST",
            "storeEvent PRICE_INCREASE PENDING", "entitlementChanged",
            "storeEvent SOMETHING_NEW OF_APPLE", "storeEvent REFUND_DECLINED",
        ]
        let heard = try told(everybody, 7)
        #expect(words(heard) == wanted + ["entitlementChanged"])
        #expect(words(try told(alices, 6)) == wanted)
        #expect(words(try told(bobs, 1)) == ["entitlementChanged"], "of others nothing")
        let event = try #require(heard.first { $0.0 == "storeEvent" }).1
        #expect(
            event.object?.keys == [
                "seq", "userId", "store", "type", "productId", "transactionId",
                "originalTransactionId", "environment", "purchasedAt", "expiresAt", "price",
                "currency",
            ]
        )
        #expect(event["userId"] == "alice" && event["store"] == "app_store")
        #expect(event["transactionId"]?.string == life.transactionID)
        #expect(event["environment"] == "Production" && event["price"]?.int64 == 9_990)
        try daemon.restart()
        for params in [#"{"fromSeq":\#(from)}"#, #"{"fromSeq":\#(from),"userIds":["alice"]}"#] {
            let late = try told(try watch(daemon, params), 6)
            #expect(late.map(\.1) == heard.prefix(6).map(\.1), "\(params)")
        }
        // The history has them, with the same words.
        let history = try daemon.call("getHistory", ["userId": "alice"])["events"]?.array ?? []
        let types = history.compactMap { $0["detail"]?["type"]?.string }
        #expect(types.contains("CONSUMPTION_REQUEST") && types.contains("REFUND_DECLINED"))
    }

    @Test func `what comes behind something newer is told, too`() throws {
        let daemon = try TestDaemon.started()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: try #require(account["appAccountToken"]?.string))
        let signed = try ["SUBSCRIBED", "CONSUMPTION_REQUEST", "REFUND_DECLINED"]
            .map { try daemon.voice.notification($0, about: life) }
        let socket = try watch(daemon)
        for (place, result) in [(0, "applied"), (2, "applied"), (1, "stale"), (1, "duplicate")] {
            #expect(try daemon.deliver(signed[place]) == (200, result))
        }
        let wanted = ["entitlementChanged", "storeEvent REFUND_DECLINED"]
        #expect(words(try told(socket, 3)) == wanted + ["storeEvent CONSUMPTION_REQUEST"])
        #expect(try daemon.canRender("alice")["canRender"] == true)
    }

    @Test func `an offer that is redeemed and a refund of an old period are told`() throws {
        let daemon = try TestDaemon.started()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        var old = StoreLife(token: token, expiresIn: -1)
        var life = old
        life.renew()
        let revoked = StoreVoice.now
        old.revoked = revoked
        let socket = try watch(daemon)
        for (type, subtype, told) in [
            ("SUBSCRIBED", "INITIAL_BUY", life), ("OFFER_REDEEMED", nil, life),
            ("REFUND", nil, old),
        ] as [(String, String?, StoreLife)] {
            let body = try daemon.voice.notification(type, subtype, about: told)
            #expect(try daemon.deliver(body) == (200, "applied"), "\(type)")
        }
        let heard = try told(socket, 3)
        let wanted = ["entitlementChanged", "storeEvent OFFER_REDEEMED", "storeEvent REFUND"]
        #expect(words(heard) == wanted)
        let refund = try #require(heard.last?.1)
        #expect(refund["transactionId"]?.string == old.transactionID)
        #expect(refund["revokedAt"]?.string == TimeText.text(revoked))
        #expect(try daemon.canRender("alice")["canRender"] == true)
    }

    @Test func `what the simulator does to a customer is told in the store's words`() throws {
        let scratch = try Scratch()
        let store = try PlayedStore(month: "4h", in: scratch)
        let daemon = try store.daemon()
        try daemon.start()
        let socket = try watch(daemon)
        let user = UUID().uuidString.lowercased()
        try store.act("anna", "subscribe", "--token", user, to: daemon)
        try store.act("anna", "renew-early", to: daemon)
        let acts: [([String], String)] = [
            (["price-increase"], "PRICE_INCREASE PENDING"),
            (["consumption-request"], "CONSUMPTION_REQUEST"),
            (["refund-declined"], "REFUND_DECLINED"),
        ]
        var wanted: [String] = []
        for (words, event) in acts {
            try store.act("anna", words[0], to: daemon)
            wanted.append("storeEvent " + event)
        }
        try store.act("anna", "extend", to: daemon)
        // Lasting changes are told as changes, whatever the store calls them.
        var heard: [String] = []
        while heard.filter({ $0.hasPrefix("storeEvent") }).count < wanted.count
            || heard.last != "entitlementChanged"
        {
            heard += words(try told(socket, 1))
        }
        #expect(heard.filter { $0.hasPrefix("storeEvent") } == wanted, "\(heard)")
    }

    @Test func `entitlctl prints them, one JSON object a line`() throws {
        let daemon = try TestDaemon.started()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let child = try ChildProcess(
            "entitlctl",
            ["watch", "alice", "--from-seq", "0"],
            in: daemon.scratch,
            environment: ["ENTITLD_SOCKET": daemon.socket]
        )
        for type in ["SUBSCRIBED", "CONSUMPTION_REQUEST"] {
            let body = try daemon.voice.notification(type, about: life)
            #expect(try daemon.deliver(body).result == "applied")
        }
        #expect(eventually(within: 60) { child.output.contains("CONSUMPTION_REQUEST") })
        let line = child.output.split(separator: "\n").first { $0.contains("storeEvent") }
        let event = try JSONValue.parse(Array(try #require(line).utf8))
        #expect(event["event"] == "storeEvent" && event["type"] == "CONSUMPTION_REQUEST")
        child.signal(15)
        child.wait()
    }
}
