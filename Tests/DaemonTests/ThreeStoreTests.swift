import Chance
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// Customers of three stores, some of them in two: the daemon answers what the stores say.
@Suite(.serialized) struct ThreeStoreTests {
    /// `ENTITLD_TEST_CUSTOMERS` sets another number.
    private static let customersCount =
        ProcessInfo.processInfo.environment["ENTITLD_TEST_CUSTOMERS"].flatMap { Int($0) } ?? 20
    private static let months = "12"

    private let scratch: Scratch
    private let stores: ThreeStores

    init() throws {
        scratch = try Scratch()
        // A customer of Apple may buy twelve years.
        stores = try ThreeStores(appleMonth: "300ms", in: scratch)
    }

    /// The customers of each store; a tenth of all live in two of them.
    private struct Customers {
        let apple: [String]
        let google: [String]
        let stripe: [String]
        var all: Set<String> { Set(apple + google + stripe) }

        init(apple: [String], count: Int) {
            self.apple = apple
            let (third, tenth) = (count / 3, count / 10)
            let others = (0..<(count - apple.count)).map { _ in UUID().uuidString.lowercased() }
            google = Array(others.prefix(third)) + apple.prefix(tenth)
            stripe = Array(others.dropFirst(third) + others.prefix(tenth) + apple.suffix(tenth))
        }
    }

    @Test func `half of all messages lost in a year: after one sweep every answer is the stores'`()
        throws
    {
        let seed = Seed.told()
        try stores.serve()
        // Nothing is due by itself before the end.
        let daemon = try stores.daemon(
            reconcile: """
                { failuresEverySeconds: 36000, askBeforeEndSeconds: 0, \
                askAfterSilenceSeconds: 36000, sweepEverySeconds: 86400, requestsPerSecond: 100 }
                """
        )
        try daemon.start()
        let truth = try stores.apple.daemon()
        try truth.start()
        let customers = try live(seed, daemon, truth)
        try showLostPurchases(to: daemon)
        #expect(try differences(daemon, truth, customers).count > 0, "too little was lost")

        try sweepAnew(daemon)
        var found: [String] = []
        _ = try eventually(within: 30) {
            found = try differences(daemon, truth, customers)
            return found.isEmpty
        }
        #expect(found == [], "seed \(seed)")
        try expectTold(daemon)
    }

    /// Restarts the daemon without its marks: it reads all that its stores remember, and asks about
    /// every purchase once.
    ///
    /// The method `reconcile` would wait: Google's list of voided purchases, which the daemon has
    /// read at its first start, may be read twice a minute.
    private func sweepAnew(_ daemon: TestDaemon) throws {
        #expect(daemon.stop() == .exited(0))
        for name in Scratch.names(in: daemon.storage) where name.hasPrefix("reconcile") {
            try FileManager.default.removeItem(atPath: daemon.storage + "/" + name)
        }
        try daemon.start()
        #expect(
            try eventually(within: 240) {
                let stores = try daemon.call("stats", admin: true)["reconcile"]?["stores"]
                let members = stores?.object?.members.map(\.value) ?? []
                let isDone = members.map { (store: JSONValue) -> Bool in
                    let walk = store["environments"]?["Production"]?["completedAt"]
                    return walk?.string != nil && store["sweptAt"]?.string != nil
                }
                return isDone == [true, true, true]
            }
        )
    }

    /// Tells `truth` what Apple has told since the last time.
    private func tell(_ truth: TestDaemon) throws {
        for document in try stores.apple.newNotifications() {
            let body = StoreVoice.body(signedPayload: document)
            let status = try HTTPExchange.post(body, port: truth.port).status
            #expect(status == 200)
        }
    }

    /// A year in the three stores at once; `truth` hears of all that happens at Apple when it does,
    /// because whether somebody ever had access is known from then.
    private func live(
        _ seed: UInt64,
        _ daemon: TestDaemon,
        _ truth: TestDaemon
    ) throws -> Customers {
        let count = Self.customersCount
        let weather = ["--months", Self.months, "--seed", "\(seed)", "--drop", "0.5"]
        let apples = count * 4 / 10
        let apple = try stores.apple.live(
            ["--subscribers", "\(apples)", "--stories", "--once"] + weather,
            towards: daemon
        )
        #expect(try eventually(within: 60) { try stores.apple.tokens().count == apples })
        let customers = Customers(apple: try stores.apple.tokens(), count: count)
        let past = ["--past", "--duplicate", "0.1", "--reorder", "0.1"]
        func start(
            _ store: PlayedProgram,
            _ names: [String],
            _ file: String
        ) throws
            -> ChildProcess
        {
            let path = try scratch.write(names.joined(separator: "\n"), to: file)
            return try store.live(["--name-file", path] + weather + past, towards: daemon)
        }
        let google = try start(stores.google, customers.google, "google-names")
        let stripe = try start(stores.stripe, customers.stripe, "stripe-names")
        let end = Date(timeIntervalSinceNow: 900)
        while apple.wait(seconds: 0.2) == .stillRunning, Date() < end { try tell(truth) }
        try tell(truth)
        for life in [google, stripe, apple] {
            #expect(life.wait(seconds: 900) == .exited(0), "\(life.output)\(life.log)")
            print(life.output)
        }
        return customers
    }

    /// Google lists no purchases: one of which no message arrived is shown by the app, which asks
    /// the device for what lasts at each start.
    private func showLostPurchases(to daemon: TestDaemon) throws {
        let known = Set(
            try daemon.rows(of: "subscriptions")
                .compactMap { $0["value"]?["originalTransactionId"]?.string }
        )
        var shown = 0
        for line in try stores.google.purchases() {
            guard let token = line["token"]?.string, let user = line["customer"]?.string,
                let state = line["state"]?.string, !known.contains(token),
                !["EXPIRED", "PENDING_PURCHASE_CANCELED", "PENDING"].contains(state)
            else { continue }
            shown += 1
            _ = try daemon.call(
                "verifyPurchase",
                ["userId": .string(user), "purchaseToken": .string(token)]
            )
        }
        #expect(shown > 0)
    }

    /// In words: where the daemon says something else than the stores.
    private func differences(
        _ daemon: TestDaemon,
        _ truth: TestDaemon,
        _ customers: Customers
    ) throws -> [String] {
        let (google, stripe) = (try stores.google.purchases(), try stores.stripe.purchases())
        func verdicts() -> StoreVerdicts {
            StoreVerdicts(google, stripe, at: Int64(Date().timeIntervalSince1970 * 1_000))
        }
        var found: [String] = []
        for user in customers.all.sorted() {
            let apple = try Self.answer(of: truth, user)
            let before = Self.expected(verdicts(), apple, user)
            let answer = try Self.answer(of: daemon, user)
            // A period may end between two questions.
            let after = Self.expected(verdicts(), try Self.answer(of: truth, user), user)
            if answer != before, answer != after {
                found.append("\(user): \(answer) | \(before)")
            }
        }
        let known = try KnownBooks(of: daemon).purchases.filter { !$0.key.contains("_") }
        for (id, purchase) in try KnownBooks(of: truth).purchases {
            let (mine, its) = (known[id].map(Self.present), Self.present(purchase))
            if mine != its { found.append("\(id): \(mine.debugDescription) | \(its)") }
        }
        return found
    }

    /// A purchase at Apple without its past.
    ///
    /// That a transaction was upgraded, and what a migrated purchase had before, is told by the
    /// history alone, which is asked for where something is missing; and when the store first told
    /// of a migration depends on what was heard.
    private static func present(_ purchase: JSONValue) -> JSONValue {
        var members = purchase.object?.members ?? []
        members.removeAll { ["transactions", "claims", "replacements"].contains($0.key) }
        let newest = purchase["transactions"]?.array?.last ?? .null
        return .object(JSONObject(members + [JSONObject.Member(key: "newest", value: newest)]))
    }

    /// What is answered about a user.
    private struct Answer: Equatable {
        var access: Set<StoreVerdicts.Access>
        var canRender: Bool
        var plan: String?
        var credits: Int64
    }

    private static func answer(of daemon: TestDaemon, _ user: String) throws -> Answer {
        let status = try daemon.status(user)
        let parameters: JSONObject = ["userId": .string(user)]
        let owned = try daemon.call("getSubscriptions", parameters)["subscriptions"]?.array ?? []
        let access = owned.filter { $0["givesAccess"] == true }
            .map { one in
                StoreVerdicts.Access(
                    store: one["store"]?.string ?? "",
                    product: one["productId"]?.string ?? "",
                    expires: JSONValue.milliseconds(one["expiresAt"]?.string ?? "")
                )
            }
        return Answer(
            access: Set(access),
            canRender: status["canRender"]?.bool ?? false,
            plan: status["plan"]?.string,
            credits: status["creditsRemaining"]?.int64 ?? -1
        )
    }

    /// What the stores say together; `apple` is what one who heard all of Apple's messages says.
    private static func expected(
        _ verdicts: StoreVerdicts,
        _ apple: Answer,
        _ user: String
    ) -> Answer {
        let access = apple.access.union(verdicts.access[user] ?? [])
        let credits = apple.credits + (verdicts.credits[user] ?? 0)
        let rank = access.map(\.rank).max()
        return Answer(
            access: access,
            canRender: rank != nil || credits > 0,
            plan: rank.map { $0 == 2 ? "premium" : "paid" } ?? "free",
            credits: credits
        )
    }

    /// Google gives back the money for what is not acknowledged.
    private func expectTold(_ daemon: TestDaemon) throws {
        var missing: [String] = []
        let isTold = try eventually(within: 20) {
            let now = Int64(Date().timeIntervalSince1970 * 1_000)
            let told = StoreVerdicts(try stores.google.purchases(), [], at: now).isTold
            missing = told.filter { !$0.value }.map(\.key)
            return missing.isEmpty && !told.isEmpty
        }
        let rows = try daemon.rows(of: "subscriptions").map(\.bytes)
            .map { String(decoding: $0, as: UTF8.self) }
        let shown = rows.filter { row in missing.contains { row.contains($0) } }
        #expect(isTold, "\(missing) \(shown)")
    }
}

extension JSONValue {
    /// A moment as the daemon writes it, in ms since 1970; 0 where it is none.
    fileprivate static func milliseconds(_ text: String) -> Int64 {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = try? style.parse(text) else { return 0 }
        return Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }
}
