import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

/// What operators ask on the admin socket.
struct UpkeepCallTests {
    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120),
            storeTimeout: .seconds(120)
        )
    }

    private static let row: JSONValue = [
        "table": "accounts", "key": "alice", "value": ["seq": 7],
    ]
    private static let other: JSONValue = [
        "table": "tokens", "key": ["base64": "/w=="], "value": nil,
    ]

    @Test func `rows that were dumped are loaded as they were`() async throws {
        let daemon = try FakeDaemon([
            "dump": .result(["seq": 7, "entries": [Self.row, Self.other], "cursor": "c"]),
            "load": .result(["loaded": 2]),
        ])
        let client = try client(daemon)
        let page = try await client.dump(limit: 2)
        #expect(page.seq == 7 && page.cursor == "c")
        #expect(page.entries.map(\.table) == ["accounts", "tokens"])
        #expect(page.entries.map(\.key) == [.text("alice"), .base64("/w==")])
        let again = try page.entries.map { try StoredRow(json: $0.json) }
        #expect(again == page.entries)
        #expect(try await client.load(again) == 2)
        let loading = try #require(daemon.requests.last)
        #expect(loading.params == ["entries": [Self.row, Self.other]])
    }

    @Test func `a row is read by its key, whatever its bytes are`() async throws {
        let daemon = try FakeDaemon(["get": .result(["value": ["seq": 7]])])
        let client = try client(daemon)
        #expect(try await client.value(of: "alice", in: "accounts") == #"{"seq":7}"#)
        #expect(try await client.value(of: .base64("/w=="), in: "tokens") == #"{"seq":7}"#)
        #expect(
            daemon.requests.map(\.params) == [
                ["table": "accounts", "key": "alice"],
                ["table": "tokens", "key": ["base64": "/w=="]],
            ]
        )
    }

    @Test(arguments: ["[]", "{", #"{"table":"t"}"#, #"{"table":"t","key":7,"value":1}"#])
    func `what is no row is refused before it is sent`(text: String) {
        let error = #expect(throws: ClientError.self) { try StoredRow(json: text) }
        #expect(error?.name == "invalid_params")
    }

    @Test func `figures that this version does not name are kept as text`() async throws {
        let stats: JSONValue = [
            "version": "0.1.0", "seq": 7, "uptimeSeconds": 60, "catalogVersion": 1,
            "plans": ["free"], "commands": 3, "groups": 2, "queueDepth": 0, "storageFull": false,
            "clockJumps": 0, "journal": ["bytes": 100, "prunedSeq": 0, "oldest": nil],
            "views": ["mapBytes": 1_000, "usedBytes": 10, "readers": 1],
            "space": [
                "disk": ["bytes": 10, "freeBytes": 5, "bytesPerDay": nil, "daysLeft": nil]
            ],
            "reconcile": ["running": true],
        ]
        let daemon = try FakeDaemon(["stats": .result(stats)])
        let found = try await client(daemon).stats(minSeq: 7)
        #expect(found.plans == ["free"] && found.space["disk"]?.freeBytes == 5)
        #expect(found.journal.oldest == nil && found.views.usedBytes == 10)
        #expect(found.json == String(decoding: stats.bytes, as: UTF8.self))
        #expect(daemon.requests.map(\.params) == [["minSeq": 7]])
    }

    @Test func `another catalog's changes are told as they are`() async throws {
        let daemon = try FakeDaemon([
            "previewCatalog": .result([
                "looked": 9,
                "changes": [["userId": "alice", "before": ["tier": "paid"], "after": [:]]],
                "cursor": nil,
            ])
        ])
        let preview = try await client(daemon).previewCatalog("plans: {}", limit: 5)
        #expect(preview.looked == 9 && preview.cursor == nil)
        #expect(preview.changes.map(\.userID) == ["alice"])
        #expect(preview.changes.map(\.before) == [#"{"tier":"paid"}"#])
        #expect(preview.changes.map(\.after) == ["{}"])
        #expect(daemon.requests.map(\.params) == [["catalog": "plans: {}", "limit": 5]])
    }
}
