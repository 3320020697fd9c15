import CertificateAuthority
import Foundation
import JSON
import SimulatorSupport
import Synchronization
import Testing

@testable import AppStoreSimulator

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestSupport
#endif

/// The store's API over a real connection.
struct StoreServerTests {
    /// A client with a key.
    struct Client {
        let base: String
        let access: APIAccess

        func ask(
            _ method: String,
            _ target: String,
            _ body: JSONObject? = nil,
            authorization: String? = nil
        ) async throws -> (status: Int, headers: [AnyHashable: Any], body: JSONValue?) {
            var request = URLRequest(url: try #require(URL(string: "\(base)/inApps/\(target)")))
            request.httpMethod = method
            let token = try authorization ?? access.authorization()
            request.setValue(token, forHTTPHeaderField: "Authorization")
            request.httpBody = body.map { Data(JSONValue.object($0).bytes) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let head = try #require(response as? HTTPURLResponse)
            return (head.statusCode, head.allHeaderFields, try? JSONValue.parse(Array(data)))
        }
    }

    @Test func `the API answers over HTTP`() async throws {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        let api = try StoreAPI(try StoreBooks(store.directory))
        let server = try await StoreServer.start(api)
        let client = Client(base: server.baseURL, access: store.access)
        let target = "v1/subscriptions/\(line)"
        let (status, headers, body) = try await client.ask("GET", target)
        #expect(status == 200 && headers["Content-Type"] as? String == "application/json")
        #expect(body?["data"]?.array?.count == 1)
        let denied = try await client.ask("GET", target, authorization: "Bearer x")
        #expect(denied.status == 401)
        api.expect([.tooMany(retryAfter: 700)])
        let busy = try await client.ask("GET", target)
        let moment = (busy.headers["Retry-After"] as? String).flatMap { Int64($0) }
        #expect(busy.status == 429 && (moment ?? 0) > 1_700_000_000_000)
        try await server.stop()
    }

    @Test func `no answer, a long body and a second request on one connection`() async throws {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        let server = try await StoreServer.start(store.api)
        let token = "Authorization: \(try store.access.authorization(at: store.now))\r\n"
        let ask = "GET /inApps/v1/transactions/\(line) HTTP/1.1\r\nHost: a\r\n\(token)"
        store.api.expect([.cutOff])
        #expect(try await RawClient.exchange(ask + "\r\n", port: server.port).isEmpty)
        let count = SimulatorLimits.requestBytesMax + 1
        let long =
            "POST /inApps/v1/notifications/history HTTP/1.1\r\nHost: a\r\n\(token)"
            + "Content-Length: \(count)\r\n\r\n" + String(repeating: "a", count: count)
        let refused = try await RawClient.exchange(long, port: server.port)
        #expect(refused.hasPrefix("HTTP/1.1 413 "))
        let both = ask + "\r\n" + ask + "Connection: close\r\n\r\n"
        let answers = try await RawClient.exchange(both, port: server.port)
        #expect(answers.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 3)
        #expect(store.api.events.map(\.status) == [0, 200, 200])
        try await server.stop()
    }

    @Test func `it listens on loopback alone`() async throws {
        let store = try OpenStore()
        await #expect(throws: StoreServer.Refusal.self) {
            try await StoreServer.start(store.api, host: "0.0.0.0")
        }
    }

    @Test func `a test notification is sent, and its status told`() async throws {
        let store = try OpenStore()
        let receiver = try await TinyServer.start(answering: [503])
        let books = try StoreBooks(store.directory)
        var rules = StoreAPI.Rules()
        rules.delivery = Delivery(to: receiver.url, retryDelays: [1])
        let api = try StoreAPI(books, rules)
        let server = try await StoreServer.start(api)
        let client = Client(base: server.baseURL, access: store.access)
        let asked = try await client.ask("POST", "v1/notifications/test")
        let token = try #require(asked.body?["testNotificationToken"]?.string)
        await api.settle()
        let told = try await client.ask("GET", "v1/notifications/test/\(token)")
        let results = told.body?["sendAttempts"]?.array?.map { $0["sendAttemptResult"]?.string }
        #expect(results == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS"])
        let payload = try store.genuine(told.body?["signedPayload"])
        #expect(payload["notificationType"] == "TEST")
        let arrived = try receiver.arrivals.map { try JSONValue.parse($0.body)["signedPayload"] }
        #expect(arrived == [told.body?["signedPayload"], told.body?["signedPayload"]])
        #expect(try books.notices().map(\.kind.type) == ["TEST"])
        try await server.stop()
        try await receiver.stop()
    }

    @Test func `a year with half of all lost is in the history, whole`() async throws {
        let scratch = try Scratch()
        let directory = SimulatorDirectory(scratch.path + "/store")
        // In the sandbox nothing is repeated: what is lost is lost.
        let settings = StoreSettings(
            environment: .sandbox,
            time: StoreTime(monthMilliseconds: 200)
        )
        try directory.mint(settings)
        let books = try StoreBooks(directory)
        let receiver = try await TinyServer.start()
        var rules = StoreAPI.Rules()
        rules.rememberedDays = 100_000
        let server = try await StoreServer.start(try StoreAPI(try StoreBooks(directory), rules))
        let simulated = SimulatedStore(
            settings,
            signedBy: books.authority,
            Delivery(to: receiver.url, settings),
            Weather(drop: 0.5, duplicate: 0.2, reorder: 0.2, seed: 7),
            books: books
        )
        var till = Till(settings)
        let customers = (0..<12).map { Subscriber("u\($0)", token: Counter.token, at: &till) }
        let start = StoreTime.now() - 1_000
        let outcome = try await simulated.run(customers, months: 12, seed: 42)
        let client = Client(base: server.baseURL, access: try directory.apiAccess())
        let all = try await walk(client, ["startDate": .integer(start), "onlyFailures": false])
        #expect(Set(all) == Set(outcome.receipts.map(\.uuid)) && all.count == Set(all).count)
        let failed = try await walk(client, ["startDate": .integer(start), "onlyFailures": true])
        #expect(Set(failed) == Set(outcome.receipts.filter { !$0.isDelivered }.map(\.uuid)))
        #expect(!failed.isEmpty && failed.count < all.count)
        for customer in outcome.subscribers {
            let line = try #require(customer.originalID)
            // A period may end while the answer is under way.
            let before = customer.status(at: StoreTime.now())
            let answer = try await client.ask("GET", "v1/subscriptions/\(line)")
            let after = customer.status(at: StoreTime.now())
            let item = answer.body?["data"]?.array?.first?["lastTransactions"]?.array?.first
            #expect([before, after].contains(item?["status"]?.int64))
            #expect(try directory.subscriber(customer.name) == customer)
        }
        try await server.stop()
        try await receiver.stop()
    }

    /// The ids of all notifications of a history.
    private func walk(_ client: Client, _ filter: JSONObject) async throws -> [String] {
        var uuids: [String] = []
        var query = ""
        var body = filter
        body["endDate"] = .integer(StoreTime.now() + 60_000)
        repeat {
            let page = try await client.ask("POST", "v1/notifications/history" + query, body)
            #expect(page.status == 200)
            for item in page.body?["notificationHistory"]?.array ?? [] {
                let document = try #require(item["signedPayload"]?.string)
                let segments = document.split(separator: ".").map(String.init)
                let payload = try #require(Base64.urlBytes(segments[1]))
                let notification = try JSONValue.parse(payload)
                uuids.append(try #require(notification["notificationUUID"]?.string))
            }
            query = page.body?["paginationToken"]?.string.map { "?paginationToken=" + $0 } ?? ""
        } while !query.isEmpty
        return uuids
    }
}
