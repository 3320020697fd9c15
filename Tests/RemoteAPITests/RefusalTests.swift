import HTTPServer
import JSON
import RemoteAPI
import Telemetry
import TestSupport
import Testing

/// What strangers and careless callers meet.
struct RefusalTests {
    @Test(arguments: [
        [], ["Authorization: Bearer wrong"], ["Authorization: Bearer"], ["Authorization: "],
        ["Authorization: Basic entitld_app"], ["Authorization: entitld_app"],
        ["Authorization: Bearer entitld_app x"], ["Authorization: Bearer ENTITLD_APP"],
        ["Authorization: Bearer \(String(repeating: "a", count: 5_000))"],
        ["X-Authorization: Bearer entitld_app"],
    ])
    func `without a good token it is 401, before any of the body is read`(
        fields: [String]
    ) async throws {
        try await Gate.open { gate in
            // A megabyte is announced, and none of it sent: whoever waited for it would say 408.
            let head = ["POST /rpc HTTP/1.1", "Host: a", "Content-Length: 1048577"] + fields
            let answer = try await exchange(
                gate.port,
                head.joined(separator: "\r\n") + "\r\n\r\n"
            )
            #expect(status(answer) == 401)
            #expect(answer.contains("WWW-Authenticate: Bearer\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(body(of: answer) == #"{"error":"unauthorized"}"#)
            #expect(gate.replies(401) == 1)
        }
    }

    @Test(arguments: [
        "Authorization: Bearer entitld_app", "Authorization: Bearer wrong", "Content-Length: 7",
        "Transfer-Encoding: chunked", "Transfer-Encoding: identity", "Upgrade: websocket",
    ])
    func `a head that says something twice, or two things, is 400`(field: String) async throws {
        try await Gate.open { gate in
            let answer = try await exchange(gate.port, post(call("ping"), fields: [field]))
            #expect(status(answer) == 400)
            #expect(gate.metrics.rpcRequests.series("ping", "ok").value == 0)
        }
    }

    @Test func `other paths and methods are 404 and 405, with a token and without`() async throws {
        try await Gate.open { gate in
            for token in ["entitld_app", nil] {
                for path in ["/", "/rpc/", "/RPC", "/metrics", "/webhooks/apple"] {
                    let answer = try await exchange(gate.port, post("{}", token: token, path: path))
                    #expect(status(answer) == 404, "\(path)")
                }
                let answer = try await exchange(gate.port, post("", token: token, method: "GET"))
                #expect(status(answer) == 405)
                #expect(answer.contains("Allow: POST\r\n"))
            }
        }
    }

    @Test func `a body beyond the longest frame is 413, announced or in chunks`() async throws {
        try await Gate.open { configuration in
            configuration.frameBytesMax = 2_048
        } _: { gate in
            let fits = call("ping") + String(repeating: " ", count: 2_048 - call("ping").utf8.count)
            #expect(try await status(exchange(gate.port, post(fits))) == 200)
            #expect(try await status(exchange(gate.port, post(fits + " "))) == 413)
            let head = [
                "POST /rpc HTTP/1.1", "Host: a", "Authorization: Bearer entitld_app",
                "Transfer-Encoding: chunked",
            ]
            let chunk = "400\r\n\(String(repeating: " ", count: 1_024))\r\n"
            let answer = try await exchange(
                gate.port,
                head.joined(separator: "\r\n") + "\r\n\r\n" + chunk + chunk + chunk
            )
            #expect(status(answer) == 413)
            #expect(gate.listener.waitingBytes == (0, 0))
        }
    }

    @Test func `an encoded body is 415, and another expectation 417`() async throws {
        try await Gate.open { gate in
            let encoded = post(call("ping"), fields: ["Content-Encoding: gzip"])
            #expect(try await status(exchange(gate.port, encoded)) == 415)
            let expecting = post(call("ping"), fields: ["Expect: 200-ok"])
            #expect(try await status(exchange(gate.port, expecting)) == 417)
            let invited = try await exchange(
                gate.port,
                post(call("ping"), fields: ["Expect: 100-continue"])
            )
            #expect(invited.hasPrefix("HTTP/1.1 100 ") && invited.contains("HTTP/1.1 200 "))
        }
    }

    @Test func `half a body is 408, and an idle connection ends without a word`() async throws {
        try await Gate.open { configuration in
            configuration.limits.requestMillisecondsMax = 300
            configuration.limits.keepAliveMillisecondsMax = 200
        } _: { gate in
            let whole = post(call("ping"))
            let half = try await exchange(gate.port, String(whole.dropLast(10)))
            #expect(status(half) == 408)
            let text = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post(call("ping"), close: false))
                return client.receive()
            }
            #expect(status(text) == 200 && text.hasSuffix("}}"))
            #expect(gate.metrics.apiClosed.series("silent").value == 1)
            #expect(gate.listener.waitingBytes == (0, 0))
        }
    }
}
