import AppStore
import CertificateAuthority
import DaemonConfiguration
import Entitlements
import EntitlementsClient
import Fixtures
import JSON
import Ledger
import Methods
import Telemetry
import TestSupport
import Threads
import Wire

@testable import entitld

/// A daemon without its process and its doors: configuration, catalog, store, ledger and methods,
/// read and put together as `entitld` does it.
final class TestService {
    /// What a test changes of the configuration.
    struct Setup {
        /// Where time comes from.
        var clock = LedgerClock.system
        var environments = "[Production]"
        var accounts = "{}"
        var sandbox = "all"
        /// Whether there is a section `apple`.
        var hasApp = true
        /// More lines of it.
        var apple = ""
        var catalog = """
            freeCredits: 0
            plans:
              free: { limits: { storageBytes: 250 } }
              paid: { rank: 1, tier: paid, products: [com.example.monthly], unlimited: [render],
                      limits: { storageBytes: 5000 } }
              premium: { rank: 2, tier: paid, products: [com.example.premium],
                         unlimited: [render], limits: { retentionDays: null } }
            """
    }

    /// What is open between a start and a stop.
    private struct Parts {
        let ledger: Ledger
        let service: MethodService
        let app: ServiceLine
        let admin: ServiceLine
    }

    let scratch: Scratch
    let voice: StoreVoice
    private var setup: Setup
    private var parts: Parts?

    /// Makes everything, and opens it.
    static func started(_ setup: Setup = Setup()) throws -> TestService {
        let service = try TestService(setup)
        try service.start()
        return service
    }

    /// Makes everything but opens nothing.
    init(_ setup: Setup = Setup(), scratch: Scratch? = nil, voice: StoreVoice? = nil) throws {
        self.setup = setup
        self.scratch = try scratch ?? Scratch()
        self.voice = try voice ?? StoreVoice()
        try self.scratch.write(self.voice.authority.rootPEM, to: "root.pem")
    }

    deinit { stop() }

    /// Changes the setup of the next start.
    func configure(_ change: (inout Setup) -> Void) { change(&setup) }

    /// Reads the configuration and opens the store.
    func start() throws {
        let configured = try configured()
        var options = try configured.ledgerOptions()
        options.clock = setup.clock
        options.catalog = { Policy.Source($0) }
        let ledger = try Ledger.open(
            options,
            source: configured.policy,
            onFailure: { print("the ledger gave up: \($0)") }
        )
        try Self.install(configured, in: ledger)
        let service = try MethodService(
            Calls.all,
            ledger: ledger,
            storefronts: try configured.stores().map(\.storefront),
            settings: MethodSettings(
                tokenNamespace: configured.settings.accounts.tokenNamespace,
                frameBytesMax: configured.settings.rpc.maxFrameBytes,
                version: "test"
            ),
            metrics: Metrics(version: "test", methods: Calls.names)
        )
        service.phase = .serving
        parts = Parts(
            ledger: ledger,
            service: service,
            app: ServiceLine(service, .app),
            admin: ServiceLine(service, .admin)
        )
    }

    private static func install(_ configured: Configured, in ledger: Ledger) throws {
        let installed = BlockingQueue<Bool>(countMax: 1)
        ledger.install(configured.policy, configured.policy.stamp) { result in
            if case .success = result { _ = installed.offer(true) } else { installed.close() }
        }
        guard installed.take(1, waiting: 30_000) != nil else { throw ServiceProblem.catalog }
    }

    /// Puts a catalog in force, and holds it against earlier purchases.
    func install(catalog: String) throws {
        guard let (ledger, service) = parts.map({ ($0.ledger, $0.service) }) else {
            throw ServiceProblem.stopped
        }
        configure { $0.catalog = catalog }
        try Self.install(try configured(), in: ledger)
        let review = ThreadExecutor.result { try? await service.reviewPurchases() }
        guard case .some(.some) = review else { throw ServiceProblem.catalog }
    }

    /// Configuration and catalog, written and read as an operator has them.
    private func configured() throws -> Configured {
        let catalog = try scratch.write(setup.catalog, to: "catalog.yaml")
        var text = """
            storage: { directory: \(scratch.file("store")), mapSizeGiB: 1 }
            accounts: \(setup.accounts)
            catalog: \(catalog)

            """
        if setup.hasApp {
            text += """
                apple:
                  bundleId: \(ApplePayloads.bundleID)
                  appAppleId: \(ApplePayloads.appAppleID)
                  environments: \(setup.environments)
                  sandboxAccess: \(setup.sandbox)
                  rootCertificateFiles: [\(scratch.file("root.pem"))]
                  \(setup.apple)

                """
        }
        let path = try scratch.write(text, to: "entitld.yaml")
        var options = ConfigurationOptions()
        options.path = path
        return try Configured(options)
    }

    /// Stops it, and says whether every table is what the journal says.
    func isSoundOnceStopped() throws -> Bool {
        stop()
        let options = try configured().ledgerOptions()
        let report = try Ledger.verify(options, scratch: scratch.path)
        for difference in report.differences { print("difference: \(difference)") }
        return report.differencesCount == 0
    }

    /// Finishes what was begun, and closes the store.
    func stop() {
        guard let parts else { return }
        parts.service.phase = .stopping
        parts.ledger.finish()
        parts.service.stop()
        parts.ledger.stop()
        self.parts = nil
    }

    /// Stops it and starts it again.
    func restart() throws {
        stop()
        try start()
    }

    /// Calls `method` as an app server does, or as an admin.
    func call(
        _ method: String,
        _ parameters: JSONObject = [:],
        admin: Bool = false
    ) throws -> JSONValue {
        guard let parts else { throw ServiceProblem.stopped }
        return try (admin ? parts.admin : parts.app).call(method, parameters)
    }

    /// The error that `method` answers; nil where it answers a result.
    func refusal(
        of method: String,
        _ parameters: JSONObject = [:],
        admin: Bool = false
    ) throws -> ClientError? {
        do {
            _ = try call(method, parameters, admin: admin)
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    func status(_ user: String) throws -> JSONValue {
        try call("getStatus", ["userId": .string(user)])
    }

    func canRender(_ user: String) throws -> JSONValue {
        try call("canRender", ["userId": .string(user)])
    }

    /// A connection of its own, as an app server has it.
    func connect() throws -> ServiceLine {
        guard let parts else { throw ServiceProblem.stopped }
        return ServiceLine(parts.service, .app)
    }

    /// Delivers a notification; answers the status, and the word of the result where it was taken.
    func deliver(_ body: [UInt8]) throws -> (status: Int, result: String?) {
        guard let parts else { throw ServiceProblem.stopped }
        return parts.service.reply(toNotification: body)
    }

    /// Every row of `table`, page by page.
    func rows(of table: String? = nil, limit: Int64 = 1_000) throws -> [JSONValue] {
        var rows: [JSONValue] = []
        var cursor: String?
        repeat {
            var parameters: JSONObject = ["limit": .integer(limit)]
            if let table { parameters["table"] = .string(table) }
            if let cursor { parameters["cursor"] = .string(cursor) }
            let page = try call("dump", parameters, admin: true)
            rows += page["entries"]?.array ?? []
            cursor = page["cursor"]?.string
        } while cursor != nil
        return rows
    }
}

/// Why a service could not be asked.
enum ServiceProblem: Error {
    case catalog
    case stopped
    case noResult(JSONValue)
}

/// A connection to a service, for one caller.
final class ServiceLine {
    /// Nil once it is closed: nothing of the service stays open then.
    private var asker: Asker?

    init(_ service: MethodService, _ role: Role) { asker = Asker(service, role: role) }

    /// The result of `method`, or its error, thrown.
    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
        guard let response = try asker?.call(method, parameters) else {
            throw ServiceProblem.stopped
        }
        if let result = response["result"] { return result }
        guard let error = response["error"].flatMap(ClientError.init) else {
            throw ServiceProblem.noResult(response)
        }
        throw error
    }

    /// Ends it, as a closed socket does.
    func close() {
        asker?.session.close()
        asker = nil
    }
}

extension MethodService {
    /// Takes a notification in; answers what Apple is told, and the word of the result.
    func reply(toNotification body: [UInt8]) -> (status: Int, result: String?) {
        let outcome = ThreadExecutor.result {
            await self.record(StoreDelivery(body: body), from: .appStore).outcome
        }
        return switch outcome {
        case .received(let reception): (200, reception.rawValue)
        case .accepted: (200, outcome?.word)
        case .unreadable: (200, Reception.ignored.rawValue)
        case .malformed: (400, nil)
        case .unauthorized: (401, nil)
        case .unavailable, nil: (503, nil)
        }
    }
}
