import Fixtures
import Foundation
import JSON
import Testing

/// exportUser: everything kept about one person, however much.
@Suite struct ExportTests {
    private static let packs = 320

    private func transaction(
        _ number: Int,
        _ token: String,
        by service: TestService
    ) throws -> String {
        try service.voice.pack(String(700_000_000_000 + number), of: token)
    }

    private func buy(_ number: Int, _ token: String, from service: TestService) throws {
        let body = try service.voice.body(
            "ONE_TIME_CHARGE",
            saying: [
                "appAppleId": .integer(ApplePayloads.appAppleID),
                "bundleId": .string(ApplePayloads.bundleID),
                "environment": "Production",
                "signedTransactionInfo": .string(try transaction(number, token, by: service)),
            ]
        )
        #expect(try service.deliver(body) == (200, "applied"))
    }

    /// All pages of an export, list by list.
    private func export(_ user: String, of service: TestService) throws -> [String: [JSONValue]] {
        var lists: [String: [JSONValue]] = [:]
        var parameters: JSONObject = ["userId": .string(user)]
        repeat {
            let page = try service.call("exportUser", parameters, admin: true)
            for member in page.object?.members ?? [] {
                lists[member.key, default: []] += member.value.array ?? []
            }
            parameters["cursor"] = page["cursor"]
        } while parameters["cursor"] != .null
        return lists
    }

    @Test func `more packs than an account lists are all in an export`() throws {
        var setup = TestService.Setup()
        setup.catalog = "creditPacks: { com.example.pack: 10 }\n"
        let service = try TestService.started(setup)
        let token = "6a6f7266-1111-4222-8333-444455556666"
        // Some came before anybody said whose they are.
        for number in 0..<Self.packs / 2 { try buy(number, token, from: service) }
        let other = try service.call("registerAccount", ["userId": "bob"])
        let bobs = try #require(other["appAccountToken"]?.string)
        try buy(900, bobs, from: service)
        let anna: JSONObject = ["userId": "anna", "appAccountToken": .string(token)]
        _ = try service.call("registerAccount", anna)
        for number in Self.packs / 2..<Self.packs { try buy(number, token, from: service) }
        for key in ["r1", "r2"] {
            let hold: JSONObject = [
                "userId": "anna", "idempotencyKey": .string(key), "amount": 1, "ttlSeconds": 600,
            ]
            let made = try service.call("reserveCredits", hold)
            guard key == "r1", let name = made["reservation"] else { continue }
            _ = try service.call("commitReservation", ["reservation": name])
        }
        let left = try service.call("getCredits", ["userId": "anna"])["balance"]
        #expect(left == .integer(Int64(Self.packs * 10 - 2)))

        let lists = try export("anna", of: service)
        let ids = Set((0..<Self.packs).map { String(700_000_000_000 + $0) })
        let purchases = lists["subscriptions"]?.compactMap { $0["originalTransactionId"]?.string }
        #expect(purchases.map { Set($0) } == ids)
        #expect(purchases?.count == Self.packs)
        #expect(lists["packs"]?.count == Self.packs)
        #expect(lists["settlements"]?.count == 2)
        #expect(lists["reservations"]?.count == 2)
        #expect(lists["tokens"] == [.string(token)])
        let events = lists["events"]?.flatMap { $0["events"]?.array ?? [] } ?? []
        #expect(events.count { $0["event"] == "pack_credited" } == Self.packs)
        #expect(events.count { $0["event"] == "fact_merged" } == Self.packs)
        #expect(try service.isSoundOnceStopped())
    }
}
