import Entitlements
import Foundation
import JSON
import Ledger
import Telemetry
import TestSupport
import Testing
import Wire

@testable import Methods

/// A service beside stores that answer what a test tells them, over a ledger on disk that is closed
/// and opened again where the test wants that.
final class AskedService {
    static let start: Int64 = 1_750_000_000_000
    static let day: Int64 = 86_400_000

    let play = AskedShop.play()
    let stripe = AskedShop.stripe()
    let hands = HandClock(start)
    private let source: Policy.Source
    private let directory = NSTemporaryDirectory() + "entitld-asked-" + UUID().uuidString
    private var open: (ledger: Ledger, service: MethodService)?

    init(_ source: Policy.Source = Policy.Source()) throws {
        self.source = source
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var service: MethodService {
        guard let open else { preconditionFailure("the service is not open") }
        return open.service
    }

    private func start() throws {
        let options = Ledger.Options(directory: directory, mapSizeGiB: 1, clock: hands.clock)
        let ledger = try Ledger.open(
            options,
            source: source,
            onFailure: { Issue.record("the writer gave up: \($0)") }
        )
        let service = try MethodService(
            Calls.all,
            ledger: ledger,
            storefronts: [play, stripe],
            storeClients: [play, stripe],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: ""),
            metrics: Metrics(version: "")
        )
        service.phase = .serving
        open = (ledger, service)
    }

    func stop() {
        guard let open else { return }
        open.service.phase = .stopping
        open.ledger.finish()
        open.service.stop()
        open.ledger.stop()
        self.open = nil
    }

    /// Closes the ledger and opens it again, as a restart does.
    func restart() throws {
        stop()
        try start()
    }

    /// Stops it, and says whether every table is what the journal says.
    func isSoundOnceStopped() throws -> Bool {
        stop()
        let options = Ledger.Options(directory: directory, mapSizeGiB: 1, clock: hands.clock)
        return try Ledger.verify(options, scratch: directory).differencesCount == 0
    }

    /// The whole response of `method`; who waits for a store waits on a thread of its own.
    @discardableResult
    func ask(
        _ method: String,
        _ params: JSONObject,
        role: Role = .app
    ) async throws -> JSONValue {
        let service = service
        return try await onThread {
            var asker = Asker(service, role: role)
            return try asker.call(method, params)
        }
    }

    /// The result of `method`; fails the test where it has none.
    func call(
        _ method: String,
        _ params: JSONObject,
        role: Role = .app
    ) async throws -> JSONValue {
        let response = try await ask(method, params, role: role)
        return try #require(response["result"], "\(response)")
    }

    /// The code of the error that `method` answers, with its reason where it has one.
    func refusal(_ method: String, _ params: JSONObject) async throws -> String? {
        let data = try await ask(method, params)["error"]?["data"]
        guard let code = data?["code"]?.string else { return nil }
        return [code, data?["reason"]?.string].compactMap { $0 }.joined(separator: " ")
    }

    func canRender(_ user: String) async throws -> Bool? {
        try await call("canRender", ["userId": .string(user)])["canRender"]?.bool
    }

    /// What a message of a store comes to.
    func send(_ body: String, from store: Store = .googlePlay) async -> NotificationOutcome {
        let delivery = StoreDelivery(body: Array(body.utf8))
        return await service.record(delivery, from: store).outcome
    }
}
