import CertificateAuthority
import JSON
import Testing

@testable import AppStoreSimulator

/// Against a real server on loopback.
struct DeliveryTests {
    static let settings = StoreSettings(time: StoreTime(monthMilliseconds: 500))

    func notification() throws -> SignedNotification {
        var counter = Counter()
        return try counter.act(.subscribe).signed(by: Chain.authority.get())
    }

    @Test func `a notification is posted as JSON with one member`() async throws {
        let server = try await TinyServer.start()
        let notification = try notification()
        let record = await Delivery(to: server.url, Self.settings).deliver(notification)
        #expect(record.isDelivered)
        #expect(record.line == "SUBSCRIBED/INITIAL_BUY -> 200 applied")
        let arrival = try #require(server.arrivals.first)
        #expect(arrival.method == "POST" && arrival.path == "/webhooks/apple")
        #expect(arrival.contentType == "application/json")
        let body = try #require(try JSONValue.parse(arrival.body).object)
        #expect(body == ["signedPayload": .string(notification.signedPayload)])
        #expect(server.arrivals.count == 1)
        try await server.stop()
    }

    @Test func `Production repeats the same bytes until it is answered 2xx`() async throws {
        let server = try await TinyServer.start(answering: [500, 401, 302, 204])
        let record = await Delivery(to: server.url, Self.settings).deliver(try notification())
        #expect(record.attempts.map(\.status) == [500, 401, 302, 204])
        #expect(record.isDelivered)
        let bodies = server.arrivals.map(\.body)
        #expect(bodies.count == 4 && bodies.allSatisfy { $0 == bodies[0] })
        // Each pause is at least as long as the schedule says.
        let gaps = zip(record.attempts.dropFirst(), record.attempts).map { $0.date - $1.date }
        #expect(zip(gaps, Self.settings.time.retryDelays(.production)).allSatisfy { $0 >= $1 })
        try await server.stop()
    }

    @Test func `Production gives up after six attempts, the sandbox after one`() async throws {
        let server = try await TinyServer.start(answering: Array(repeating: 503, count: 7))
        let production = await Delivery(to: server.url, Self.settings).deliver(try notification())
        #expect(production.attempts.count == SimulatorLimits.attemptsMax)
        #expect(!production.isDelivered)
        let sandbox = StoreSettings(environment: .sandbox, time: Self.settings.time)
        let record = await Delivery(to: server.url, sandbox).deliver(try notification())
        #expect(record.attempts.map(\.result) == [.unsuccessful])
        #expect(server.arrivals.count == 7)
        try await server.stop()
    }

    @Test func `where nobody listens every attempt fails`() async throws {
        let server = try await TinyServer.start()
        let url = server.url
        try await server.stop()
        let record = await Delivery(to: url, Self.settings).deliver(try notification())
        #expect(record.attempts.count == 6)
        #expect(record.attempts.allSatisfy { $0.status == nil && $0.result != .success })
        #expect(record.line.hasPrefix("SUBSCRIBED/INITIAL_BUY -> no answer"))
    }

    @Test func `a lost attempt is repeated, and a doubled notification comes twice`() async throws {
        let server = try await TinyServer.start()
        var fate = Weather.Fate()
        fate.lostAttempts = 2
        fate.isDoubled = true
        let delivery = Delivery(to: server.url, Self.settings)
        let record = await delivery.deliver(try notification(), under: fate)
        #expect(record.attempts.map(\.result) == [.noResponse, .noResponse, .success, .success])
        #expect(server.arrivals.count == 2)
        fate.lostAttempts = SimulatorLimits.attemptsMax
        #expect(await !delivery.deliver(try notification(), under: fate).isDelivered)
        #expect(server.arrivals.count == 2)
        try await server.stop()
    }

    @Test func `an answer is told in one word`() {
        #expect(Delivery.Record.word(in: #"{"success":true,"result":"stale"}"#) == "stale")
        #expect(Delivery.Record.word(in: #"{"error":"unauthorized"}"#) == "unauthorized")
        #expect(Delivery.Record.word(in: "<html>") == "-")
    }
}
