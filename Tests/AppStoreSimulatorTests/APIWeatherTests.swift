import CertificateAuthority
import Foundation
import JSON
import Signatures
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// What goes wrong with the store's API when it is asked to.
struct APIWeatherTests {
    private func store(
        _ set: (inout StoreAPI.Rules) -> Void = { _ in }
    ) throws -> (OpenStore, line: String) {
        let store = try OpenStore(.production, set)
        return (store, try #require(try store.act("alice", .subscribe).originalID))
    }

    @Test func `more than the limit gets 429 and a moment in milliseconds`() async throws {
        let (store, line) = try store { $0.perSecondMax = 5 }
        store.pass(milliseconds: 10_000)
        for number in 0..<8 {
            let answer = try await store.ask("GET", "v1/transactions/\(line)")
            guard number >= 5 else {
                #expect(answer.status == 200)
                continue
            }
            #expect(answer.status == 429 && answer["errorCode"] == 4_290_000)
            let moment = try #require(answer.header("Retry-After").flatMap { Int64($0) })
            #expect(moment == store.now + 200)
        }
        store.pass(milliseconds: 199)
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 429)
        store.pass(milliseconds: 1)
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 200)
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 429)
    }

    @Test func `faults that are expected happen one by one`() async throws {
        let (store, line) = try store()
        store.api.expect([
            .tooMany(retryAfter: 700), .internalError, .internalRetryable, .unavailable, .cutOff,
            .notFound, .unauthorized,
        ])
        var answers: [APIAnswer] = []
        for _ in 0..<8 {
            answers.append(try await store.ask("GET", "v1/transactions/\(line)"))
        }
        #expect(answers.map(\.status) == [429, 500, 500, 503, 0, 404, 401, 200])
        #expect(answers[0].header("Retry-After") == String(store.now + 700))
        let codes = [4_290_000, 5_000_000, 5_000_001, nil, nil, 4_040_010, nil, nil] as [Int64?]
        #expect(answers.map(\.errorCode) == codes)
        #expect(answers[3].contentType == "text/html")
        #expect(store.api.events.map(\.status) == answers.map(\.status))
    }

    @Test func `a fault that cannot happen to a request lets it through`() async throws {
        let (store, line) = try store()
        for _ in 0..<25 { try store.act("alice", .buy) { $0.product = "credits.10" } }
        store.api.expect([.expiredToken, .notFound, .expiredToken])
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 200)
        let page = try await store.notifications()
        let token = try #require(page["paginationToken"]?.string)
        #expect(try await store.notificationAnswer(token: token).errorCode == 4_000_017)
        #expect(try await store.notificationAnswer(token: token).status == 200)
    }

    @Test func `a forged answer looks right and does not verify`() async throws {
        let (store, line) = try store()
        let verifier = try DocumentVerifier(roots: [Array(store.books.authority.rootPEM.utf8)])
        func verdicts(_ page: JSONValue) throws -> [Bool] {
            try (page["notificationHistory"]?.array ?? [])
                .map { item in
                    let text = try #require(item["signedPayload"]?.string)
                    if case .genuine = verifier.verdict(on: Array(text.utf8)) { return true }
                    return false
                }
        }
        try store.act("alice", .cancel)
        store.api.expect([.forged])
        #expect(try verdicts(try await store.notifications()) == [false, false])
        #expect(try verdicts(try await store.notifications()) == [true, true])
        store.api.expect([.forged])
        #expect(try await store.ask("GET", "v1/transactions/\(line)1").errorCode == 4_040_010)
    }

    @Test func `the same seed spoils the same requests, about as often as asked`() {
        let weather = APIWeather(
            tooMany: 0.1,
            trouble: 0.2,
            notFound: 0.05,
            expiredToken: 0.3,
            slow: 0.5,
            slowMax: 40,
            seed: 9
        )
        let fates = (UInt64(0)..<2_000).map(weather.fate)
        #expect(fates == (UInt64(0)..<2_000).map(weather.fate))
        func share(_ body: (APIWeather.Fate) -> Bool) -> Double {
            Double(fates.count(where: body)) / 2_000
        }
        #expect((0.4...0.6).contains(share { $0.delay > 0 }))
        #expect(fates.allSatisfy { (0...40).contains($0.delay) })
        #expect((0.07...0.13).contains(share { $0.faults.contains(.tooMany(retryAfter: 1_000)) }))
        #expect((0.03...0.07).contains(share { $0.faults.contains(.notFound) }))
        #expect((0.25...0.35).contains(share { $0.faults.contains(.expiredToken) }))
        for trouble: APIWeather.Fault in [
            .internalError, .internalRetryable, .unavailable, .cutOff,
        ] {
            #expect((0.02...0.08).contains(share { $0.faults.contains(trouble) }))
        }
        var other = weather
        other.seed = 10
        #expect(fates != (UInt64(0)..<2_000).map(other.fate))
        #expect((UInt64(0)..<100).allSatisfy { APIWeather.fair.fate(of: $0) == .init() })
    }

    @Test func `the last requests are remembered, not all`() async throws {
        let store = try OpenStore()
        for number in 0..<SimulatorLimits.requestsKeptMax + 2 {
            _ = await store.api.answer(to: APIRequest("GET", "/\(number)"))
        }
        let events = store.api.events
        #expect(events.count == SimulatorLimits.requestsKeptMax)
        #expect(events.first?.path == "/2" && events.first?.status == 401)
    }

    @Test func `weather changes while the API is open`() async throws {
        let (store, line) = try store()
        store.api.change(to: APIWeather(tooMany: 1))
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 429)
        store.api.change(to: .fair)
        #expect(try await store.ask("GET", "v1/transactions/\(line)").status == 200)
    }
}
