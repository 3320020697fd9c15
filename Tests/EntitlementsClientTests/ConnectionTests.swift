import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

struct ConnectionTests {
    private func failure(
        _ body: () throws(ClientError) -> Void
    ) -> ClientError? {
        do {
            try body()
            return nil
        } catch { return error }
    }

    @Test func `a call sends its method and parameters and returns the result`() throws {
        let daemon = try FakeDaemon(["canRender": .result(["canRender": true])])
        var connection = try Connection(to: daemon.path, timeout: .seconds(10))
        let result = try connection.call("canRender", ["userId": "alice"])
        #expect(result == ["canRender": true])
        #expect(daemon.requests == [.init(method: "canRender", params: ["userId": "alice"])])
    }

    @Test func `an error object is thrown with its code and name and sentence`() throws {
        let daemon = try FakeDaemon([
            "getStatus": .error([
                "code": -32029, "message": "too much",
                "data": ["code": "overloaded", "retryable": true, "retryAfterMs": 100],
            ])
        ])
        var connection = try Connection(to: daemon.path, timeout: .seconds(10))
        let error = failure { () throws(ClientError) in _ = try connection.call("getStatus") }
        #expect(error?.code == -32029)
        #expect(error?.name == "overloaded")
        #expect(error?.message == "too much")
        #expect(error?.retryable == true)
        #expect(error?.retryAfterMilliseconds == 100)
    }

    @Test func `a notification and a reply to an older call are passed over`() throws {
        let notification: JSONValue = ["jsonrpc": "2.0", "method": "heartbeat", "params": [:]]
        let older: JSONValue = ["jsonrpc": "2.0", "id": 77, "result": ["old": true]]
        let own: JSONValue = ["jsonrpc": "2.0", "id": 1, "result": ["own": true]]
        let bytes = [notification, older, own].flatMap { FakeDaemon.framed($0.bytes) }
        let daemon = try FakeDaemon(["ping": .bytes(bytes)])
        var connection = try Connection(to: daemon.path, timeout: .seconds(10))
        #expect(try connection.call("ping") == ["own": true])
    }

    @Test func `a missing socket is unreachable`() {
        let error = failure { () throws(ClientError) in
            _ = try Connection(to: "/tmp/entitld-nobody-here", timeout: .seconds(1))
        }
        #expect(error?.name == "unreachable")
        #expect(error?.retryable == true)
        #expect(error?.code == 0)
    }

    @Test func `a path of 108 bytes is refused before the kernel cuts it`() {
        let path = "/" + String(repeating: "s", count: ClientLimits.socketPathBytesMax)
        let error = failure { () throws(ClientError) in
            _ = try Connection(to: path, timeout: .seconds(1))
        }
        #expect(error?.name == "unreachable")
        #expect(error?.retryable == false)
    }

    @Test func `silence ends with a timeout`() throws {
        let daemon = try FakeDaemon(["ping": .silence])
        var connection = try Connection(to: daemon.path, timeout: .milliseconds(50))
        let error = failure { () throws(ClientError) in _ = try connection.call("ping") }
        #expect(error?.name == "timed_out")
    }

    @Test func `an end before the reply is a lost connection`() throws {
        let daemon = try FakeDaemon(["ping": .hangUp])
        var connection = try Connection(to: daemon.path, timeout: .seconds(10))
        let error = failure { () throws(ClientError) in _ = try connection.call("ping") }
        #expect(error?.name == "connection_lost")
    }

    @Test func `a reply over the limit is refused by its length`() throws {
        let daemon = try FakeDaemon(["ping": .bytes([0, 0, 4, 1])])
        var connection = try Connection(
            to: daemon.path,
            timeout: .seconds(10),
            frameBytesMax: 1_024
        )
        let error = failure { () throws(ClientError) in _ = try connection.call("ping") }
        #expect(error?.name == "malformed_reply")
    }

    @Test func `a request over the limit is not sent`() throws {
        let daemon = try FakeDaemon(["ping": .result([:])])
        var connection = try Connection(
            to: daemon.path,
            timeout: .seconds(10),
            frameBytesMax: 1_024
        )
        let large = String(repeating: "x", count: 1_024)
        let error = failure { () throws(ClientError) in
            _ = try connection.call("ping", ["large": .string(large)])
        }
        #expect(error?.name == "request_too_large")
        #expect(try connection.call("ping") == [:])
        #expect(daemon.requests.count == 1)
    }

    @Test func `a megabyte goes both ways`() throws {
        let large = JSONValue.string(String(repeating: "x", count: 1_000_000))
        let daemon = try FakeDaemon { request, _ in
            .result(["back": request.params["large"] ?? nil])
        }
        var connection = try Connection(to: daemon.path, timeout: .seconds(120))
        #expect(try connection.call("echo", ["large": large])["back"] == large)
    }

    @Test(arguments: [
        "[]", "{", #"{"jsonrpc":"2.0","id":1}"#, #"{"id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{}}"#,
    ]) func `what is no reply is refused`(text: String) throws {
        let daemon = try FakeDaemon(["ping": .bytes(FakeDaemon.framed(Array(text.utf8)))])
        var connection = try Connection(to: daemon.path, timeout: .seconds(10))
        let error = failure { () throws(ClientError) in _ = try connection.call("ping") }
        #expect(error?.name == "malformed_reply")
    }
}
