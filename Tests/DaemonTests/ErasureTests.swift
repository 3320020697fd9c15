import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// eraseUser on a live daemon.
@Suite struct ErasureTests {
    @Test func `an erased person is nobody, stays so whatever a store says, and may return`() throws
    {
        var setup = TestDaemon.Setup()
        setup.catalog = """
            freeCredits: 3
            plans:
              paid: { products: [com.example.monthly], unlimited: [render] }
            """
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "anna@example.com"])
        var life = StoreLife(token: account["appAccountToken"]?.string)
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        #expect(try daemon.canRender("anna@example.com")["via"] == "subscription")

        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}"#)
        _ = try socket.receiveReply()
        let erased = try daemon.call("eraseUser", ["userId": "anna@example.com"], admin: true)
        #expect(erased.object?.keys == ["erased", "seq"])
        #expect(erased["erased"] == true)
        let told = try socket.receiveReply()["params"]
        #expect(told?["cause"] == "erased" && told?["seq"] == erased["seq"])
        #expect(told?["status"]?["state"] == "no_account")

        let late = try StreamSocket.unix(daemon.socket)
        late.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"fromSeq":1}}"#)
        _ = try late.receiveReply()
        #expect(try late.receiveReply()["method"] == "resync")

        #expect(try daemon.status("anna@example.com")["state"] == "no_account")
        let history = try daemon.call("getHistory", ["userId": "anna@example.com"])
        #expect(history["events"]?.array == [])
        let again = try daemon.call("eraseUser", ["userId": "anna@example.com"], admin: true)
        #expect(again["erased"] == false)
        life.renew()
        let renewal = try daemon.voice.notification("DID_RENEW", about: life)
        #expect(try daemon.deliver(renewal) == (200, "ignored"))
        #expect(try daemon.deliver(renewal) == (200, "duplicate"))
        #expect(try daemon.status("anna@example.com")["state"] == "no_account")
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try daemon.rows(of: "accounts").isEmpty)

        try daemon.restart()
        let back = try daemon.call("registerAccount", ["userId": "anna@example.com"])
        #expect(back["created"] == true && back["creditsRemaining"] == 0)
        life.renew()
        let later = try daemon.voice.notification("DID_RENEW", about: life)
        #expect(try daemon.deliver(later) == (200, "applied"))
        #expect(try daemon.canRender("anna@example.com")["via"] == "subscription")
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `many who are erased at once are answered, each with a position of its own`() throws
    {
        let daemon = try TestDaemon.started()
        let names = (0..<30).map { "person-\($0)@example.com" }
        for name in names { _ = try daemon.call("registerAccount", ["userId": .string(name)]) }
        let sockets = try (0..<6).map { _ in try StreamSocket.unix(daemon.adminSocket) }
        for (number, name) in names.enumerated() {
            sockets[number % sockets.count]
                .sendFrame(
                    #"{"jsonrpc":"2.0","id":\#(number),"method":"eraseUser","#
                        + #""params":{"userId":"\#(name)"}}"#
                )
        }
        var seqs: [Int64] = []
        for number in names.indices {
            let reply = try sockets[number % sockets.count].receiveReply()
            #expect(reply["result"]?["erased"] == true, "\(reply)")
            if let seq = reply["result"]?["seq"]?.int64 { seqs.append(seq) }
        }
        #expect(Set(seqs).count == names.count)
        let journal = daemon.storage + "/journal"
        let segments = try FileManager.default.contentsOfDirectory(atPath: journal)
            .filter { $0.hasSuffix(".segment") }
        #expect(segments.count < names.count / 2, "one for each pass, not for each person")
        for segment in segments {
            let bytes = FileManager.default.contents(atPath: "\(journal)/\(segment)") ?? Data()
            for name in names { #expect(bytes.range(of: Data(name.utf8)) == nil) }
        }
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `only an admin erases`() throws {
        let daemon = try TestDaemon.started()
        let refusal = try daemon.refusal(of: "eraseUser", ["userId": "anna"])
        #expect(refusal?.name == "permission_denied")
    }
}
