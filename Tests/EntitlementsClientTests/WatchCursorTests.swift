import JSON
import Testing

@testable import EntitlementsClient

struct WatchCursorTests {
    private func change(
        _ seq: Int64,
        _ user: String,
        _ cause: String = "clock"
    ) -> JSONObject {
        ["seq": .integer(seq), "userId": .string(user), "cause": .string(cause)]
    }

    private func admits(_ cursor: inout WatchCursor, _ change: JSONObject) -> Bool {
        admits(&cursor, "entitlementChanged", change)
    }

    private func admits(
        _ cursor: inout WatchCursor,
        _ method: String,
        _ parameters: JSONObject
    ) -> Bool {
        cursor.admits(method, parameters)
    }

    @Test func `without a beginning it begins where the daemon says`() {
        var cursor = WatchCursor(after: nil)
        #expect(cursor.position == nil)
        cursor.join(at: 7)
        #expect(cursor.position == 7)
    }

    @Test func `a given beginning stands until something was told`() {
        var cursor = WatchCursor(after: 3)
        cursor.join(at: 7)
        #expect(cursor.position == 3)
    }

    @Test func `a position is told in full only when something later comes`() {
        var cursor = WatchCursor(after: nil)
        cursor.join(at: 7)
        #expect(admits(&cursor, change(9, "alice")))
        #expect(cursor.position == 8)
        #expect(admits(&cursor, change(9, "bob")))
        #expect(cursor.position == 8)
        #expect(admits(&cursor, change(12, "alice")))
        #expect(cursor.position == 11)
        #expect(admits(&cursor, "heartbeat", ["seq": 12]))
        #expect(cursor.position == 12)
    }

    @Test func `after a loss within one position only the rest of it is told`() {
        var cursor = WatchCursor(after: nil)
        cursor.join(at: 7)
        #expect(admits(&cursor, change(9, "alice")))
        cursor.join(at: 20)
        #expect(!admits(&cursor, change(9, "alice")))
        #expect(admits(&cursor, change(9, "alice", "consumed")))
        #expect(admits(&cursor, change(9, "bob")))
        #expect(cursor.position == 8)
    }

    @Test func `a coalesced change is the same change`() {
        var cursor = WatchCursor(after: 0)
        #expect(admits(&cursor, change(9, "alice")))
        var again = change(9, "alice")
        again["coalesced"] = true
        #expect(!admits(&cursor, again))
    }

    @Test func `an older heartbeat leads nowhere`() {
        var cursor = WatchCursor(after: 5)
        #expect(admits(&cursor, "heartbeat", ["seq": 3]))
        #expect(cursor.position == 5)
    }

    @Test func `a resync begins again where the watch was joined, also if that is earlier`() {
        var cursor = WatchCursor(after: 900)
        cursor.join(at: 40)
        #expect(admits(&cursor, "resync", ["oldest": 40]))
        #expect(cursor.position == 40)
        #expect(admits(&cursor, change(41, "alice")))
        #expect(cursor.position == 40)
    }

    @Test func `a new catalog moves it, and an unknown notification does not`() {
        var cursor = WatchCursor(after: 5)
        #expect(admits(&cursor, "catalogChanged", ["seq": 9, "version": 2]))
        #expect(cursor.position == 8)
        #expect(admits(&cursor, "somethingNew", ["of": "a newer daemon"]))
        #expect(cursor.position == 8)
    }

    @Test func `at the limit a change is rather told twice than not at all`() {
        var cursor = WatchCursor(after: 5)
        for number in 0..<ClientLimits.toldChangesMax {
            #expect(admits(&cursor, change(9, "u\(number)")))
        }
        #expect(admits(&cursor, change(9, "one more")))
        #expect(admits(&cursor, change(9, "one more")))
    }
}
