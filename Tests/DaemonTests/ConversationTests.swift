import EntitlementsClient
import JSON
import Testing

/// Frames and JSON-RPC on the real socket (proto/framing.md).
@Suite struct ConversationTests {
    private static func code(_ reply: JSONValue) -> Int64? { reply["error"]?["code"]?.int64 }

    @Test(arguments: [
        ("{", -32700), ("{\"a\":1,\"a\":2}", -32700), ("{} x", -32700), ("[", -32700),
        ("[]", -32600), ("1", -32600), ("{}", -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":1}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"noSuchMethod"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"canRender"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"canRender","params":["alice"]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":""}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":7}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":"a\u0001"}}"#, -32602),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":"a","cost":0}}"#,
            -32602
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":"a","cost":1.5}}"#,
            -32602
        ),
    ])
    func `a faulty request is answered with its code and the connection lives on`(
        _ text: String,
        _ code: Int64
    ) throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(text)
        let reply = try socket.receiveReply()
        #expect(Self.code(reply) == code)
        #expect(reply["error"]?["data"]?["code"]?.string?.isEmpty == false)
        #expect(reply["error"]?["data"]?["retryable"]?.bool == false)
        #expect(reply["id"] == (code == -32601 || code == -32602 ? 1 : reply["id"]))
        if code == -32700 { #expect(reply["id"]?.isNull == true) }
        socket.sendFrame(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        #expect(socket.receiveFrame() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    }

    @Test func `depth, invalid UTF-8 and a user id of 257 bytes are refused`() throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(String(repeating: "[", count: 33) + String(repeating: "]", count: 33))
        #expect(Self.code(try socket.receiveReply()) == -32700)
        let invalid: [UInt8] = [0x22, 0xC0, 0x80, 0x22]
        socket.send(StreamSocket.length(invalid.count) + invalid)
        #expect(Self.code(try socket.receiveReply()) == -32700)
        for (count, isRefused) in [(256, false), (257, true)] {
            let user = String(repeating: "u", count: count)
            let error = try daemon.refusal(of: "canRender", ["userId": .string(user)])
            #expect((error != nil) == isRefused)
        }
    }

    @Test func `ids come back byte for byte and notifications are not answered`() throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        for id in ["1", "1.50", "-0", "1e2", #""\u0041b""#, #""""#, "null"] {
            socket.sendFrame(#"{"jsonrpc":"2.0","method":"ping"}"#)
            socket.sendFrame(#"{"jsonrpc":"2.0","method":"noSuchMethod"}"#)
            socket.sendFrame(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
            #expect(socket.receiveFrame() == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        }
        for id in ["true", "{}", "[1]"] {
            socket.sendFrame(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
            #expect(Self.code(try socket.receiveReply()) == -32600, "\(id)")
        }
    }

    @Test func `a batch is answered as one, without its notifications`() throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        socket.sendFrame(
            #"""
            [{"jsonrpc":"2.0","id":1,"method":"ping"},
             {"jsonrpc":"2.0","method":"ping"},
             7,
             {"jsonrpc":"2.0","id":"w","method":"registerAccount","params":{"userId":"alice"}},
             {"jsonrpc":"2.0","id":3,"method":"noSuchMethod"}]
            """#
        )
        let replies = try #require(try socket.receiveReply().array)
        #expect(replies.count == 4)
        #expect(replies.contains { $0["id"] == 1 && $0["result"] == [:] })
        #expect(replies.contains { $0["id"] == "w" && $0["result"]?["created"] == true })
        #expect(replies.contains { $0["id"] == 3 && Self.code($0) == -32601 })
        #expect(replies.contains { $0["id"]?.isNull == true && Self.code($0) == -32600 })
        // A batch of notifications alone is answered with nothing at all.
        socket.sendFrame(#"[{"jsonrpc":"2.0","method":"ping"}]"#)
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        for (count, isAnswered) in [(100, true), (101, false)] {
            let list = [String](repeating: ping, count: count).joined(separator: ",")
            socket.sendFrame("[\(list)]")
            let reply = try socket.receiveReply()
            #expect(reply.array?.count == (isAnswered ? 100 : nil))
            if !isAnswered { #expect(Self.code(reply) == -32600) }
        }
    }

    @Test(arguments: [0, 1_048_577, 0x8000_0000, 0xffff_ffff])
    func `a wrong length is answered once and the connection closes`(_ length: Int) throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        socket.send(StreamSocket.length(length))
        let reply = try socket.receiveReply()
        #expect(Self.code(reply) == -32600)
        #expect(reply["id"]?.isNull == true)
        #expect(socket.receiveFrame() == nil)
        #expect(try daemon.call("ping") == [:])
    }

    @Test func `pipelined writes of one connection apply in the order sent`() throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.adminSocket)
        for index in 0..<50 {
            let parameters =
                #"{"userId":"alice","plan":"\#(index % 2 == 0 ? "paid" : "premium")","#
                + #""idempotencyKey":"k\#(index)","expiresAt":"2099-01-01T00:00:00.000Z"}"#
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":\#(index),"method":"grantEntitlement","#
                    + #""params":\#(parameters)}"#
            )
        }
        var positions: [Int64: Int64] = [:]
        var refused = 0
        for _ in 0..<50 {
            let reply = try socket.receiveReply()
            guard let id = reply["id"]?.int64 else { continue }
            if let seq = reply["result"]?["seq"]?.int64 {
                positions[id] = seq
            } else {
                refused += 1
            }
        }
        let inOrder = positions.sorted { $0.key < $1.key }.map(\.value)
        #expect(inOrder == inOrder.sorted())
        #expect(inOrder.count > 1)
        #expect(inOrder.count + refused == 50)
    }

    @Test func `unknown parameters are refused by writes and ignored by reads`() throws {
        let daemon = try TestDaemon.started()
        let odd: JSONObject = ["userId": "alice", "idempotency_key": "k"]
        let writes = ["registerAccount", "verifyPurchase", "grantEntitlement", "revokeGrant"]
        for method in writes {
            let error = try daemon.refusal(of: method, odd, admin: true)
            #expect(error?.description.contains("invalid_params") == true, "\(method)")
        }
        for method in ["canRender", "getStatus", "getEntitlement", "getManagementURL", "ping"] {
            #expect(try daemon.refusal(of: method, odd) == nil, "\(method)")
        }
        #expect(try daemon.canRender("alice")["reason"]?.string == "no_account")
    }

    @Test func `the members of an answer stand in the order of openrpc.json`() throws {
        let daemon = try TestDaemon.started()
        let render = try daemon.canRender("nobody")
        let renderKeys = ["canRender", "via", "state", "reason", "nextChangeAt", "seq"]
        #expect(render.object?.keys == renderKeys)
        let status = try daemon.status("nobody")
        #expect(
            status.object?.keys == [
                "userId", "state", "canRender", "isSubscriber", "hadSubscription",
                "creditsRemaining", "plan", "tier", "limits", "subscriptionMethod", "expiresAt",
                "nextChangeAt", "paywall", "duplicateSubscriptions", "subscription", "seq",
            ]
        )
        #expect(status["state"]?.string == "no_account")
        #expect(status["plan"]?.isNull == true)
        #expect(status["tier"]?.string == "free")
        #expect(status["limits"] == [:])
        #expect(try daemon.rows(of: "accounts").isEmpty, "reads create nothing")
        let description = try daemon.call("rpc.discover")
        #expect(description["openrpc"]?.string?.isEmpty == false)
    }
}
