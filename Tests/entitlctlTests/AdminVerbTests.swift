import JSON
import TestSupport
import Testing

/// What the verbs that look inside print, to the letter.
struct AdminVerbTests {
    private static func row(_ key: JSONValue, _ value: JSONValue = 1) -> JSONValue {
        ["table": "accounts", "key": key, "value": value]
    }

    /// Three pages: two rows, none, one.
    private static func page(_ request: FakeDaemon.Request) -> FakeDaemon.Act {
        switch request.params["cursor"]?.string {
        case nil:
            .result([
                "seq": 1, "entries": [row("alice"), row(["base64": "/w=="])], "cursor": "c1",
            ])
        case "c1": .result(["seq": 2, "entries": [], "cursor": "c2"])
        default: .result(["seq": 3, "entries": [row("b\nb", ["a": nil])], "cursor": nil])
        }
    }

    @Test func `dump prints a row a line, page by page to the end`() throws {
        let daemon = try FakeDaemon { request, _ in Self.page(request) }
        let run = try Invocation([
            "dump", "--table", "accounts", "--prefix", "a", "--limit", "2", "--socket",
            daemon.path,
        ])
        #expect(
            run.output == #"""
                {"table":"accounts","key":"alice","value":1}
                {"table":"accounts","key":{"base64":"/w=="},"value":1}
                {"table":"accounts","key":"b\nb","value":{"a":null}}

                """#
        )
        #expect(run.code == 0)
        #expect(
            daemon.requests.map(\.params) == [
                ["limit": 2, "table": "accounts", "prefix": "a"],
                ["limit": 2, "table": "accounts", "prefix": "a", "cursor": "c1"],
                ["limit": 2, "table": "accounts", "prefix": "a", "cursor": "c2"],
            ]
        )
    }

    @Test func `a cursor that stands still is not walked for ever`() throws {
        let daemon = try FakeDaemon([
            "dump": .result(["seq": 1, "entries": [], "cursor": "same"])
        ])
        let run = try Invocation(["dump", "--socket", daemon.path])
        #expect(run.complaint == "entitlctl: malformed_reply: the cursor does not move\n")
        #expect(run.code == 1)
        #expect(daemon.requests.count == 2)
    }

    @Test(arguments: ["0", "1001", "many"])
    func `a page has 1 to 1000 rows`(limit: String) throws {
        let run = try Invocation(["dump", "--limit", limit])
        #expect(run.code == 2)
    }

    @Test func `list prints the users`() throws {
        let daemon = try FakeDaemon { request, _ in Self.page(request) }
        let run = try Invocation(["list", "--socket", daemon.path])
        #expect(run.output == "alice\nbase64:/w==\nb\\u{a}b\n")
        #expect(daemon.requests.first?.params == ["limit": 1_000, "table": "accounts"])
        let json = try Invocation(["list", "tokens", "--json", "--socket", daemon.path])
        #expect(
            json.output == #"{"table":"tokens","keys":["alice",{"base64":"/w=="},"b\nb"]}"# + "\n"
        )
    }

    @Test func `get prints one value`() throws {
        let daemon = try FakeDaemon([
            "get": .result(["value": ["owner": "alice", "facts": [1, 2], "none": []]])
        ])
        let run = try Invocation(["get", "subscriptions", "k", "--socket", daemon.path])
        #expect(run.output == "owner  alice\nfacts  1, 2\nnone   none\n")
        let json = try Invocation([
            "get", "subscriptions", "/w==", "--base64", "--json", "--socket", daemon.path,
        ])
        #expect(
            json.output == #"{"value":{"owner":"alice","facts":[1,2],"none":[]}}"# + "\n"
        )
        #expect(
            daemon.requests.map(\.params) == [
                ["table": "subscriptions", "key": "k"],
                ["table": "subscriptions", "key": ["base64": "/w=="]],
            ]
        )
    }

    @Test func `stats prints what there is`() throws {
        let daemon = try FakeDaemon(["stats": .result(["seq": 1, "tables": ["accounts": 2]])])
        let run = try Invocation(["stats", "--socket", daemon.path])
        #expect(run.output == "seq         1\ntables\n  accounts  2\n")
    }
}
