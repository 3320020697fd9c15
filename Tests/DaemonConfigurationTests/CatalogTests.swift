import DaemonConfiguration
import TestSupport
import Testing

struct CatalogTests {
    private func catalog(_ yaml: String) throws(ConfigurationFailure) -> CatalogSettings {
        try CatalogSettings.load(yaml: Array(yaml.utf8), path: "catalog.yaml")
    }

    @Test func `no catalog is one plan for every product`() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/none.yaml"
        let none = try CatalogSettings.load(.init(path: path, isNamed: false))
        #expect(none == .none)
        #expect(none == (try catalog("")))
        #expect(none.plans.map(\.name) == ["free", "default"])
        #expect(none.plans[1].products == .every)
        #expect(none.plans[1].unlimited == [.render])
        #expect(none.plans[1].rank == 1 && none.plans[1].tier == "paid")
        #expect(none.freeCredits == 0 && !none.trialOffered && !none.billingRetryAccess)
        #expect(none.graceFallbackHours == 72 && none.lateRenewalMinutes == 0)
        #expect(none.refundedCredits == .floor && none.creditPacks.isEmpty)
        #expect(none.freeCreditsOnce == .account)
        let once = try catalog("freeCreditsOnce: appTransaction").freeCreditsOnce
        #expect(once == .appTransaction)
    }

    @Test func `a named catalog must be there`() throws {
        let scratch = try Scratch()
        let failure = try #require(throws: ConfigurationFailure.self) {
            try CatalogSettings.load(.init(path: "\(scratch.path)/none.yaml", isNamed: true))
        }
        #expect(failure.key == "catalog")
        #expect(throws: ConfigurationFailure.self) {
            try CatalogSettings.load(.init(path: scratch.path, isNamed: false))
        }
    }

    @Test func `the example of a catalog is read in its order`() throws {
        let catalog = try catalog(try repositoryFile("contrib/etc/catalog.yaml"))
        #expect(catalog.freeCredits == 3 && catalog.trialOffered)
        #expect(catalog.plans.map(\.name) == ["free", "paid", "premium"])
        #expect(catalog.plans.map(\.rank) == [0, 1, 2])
        #expect(catalog.plans.map(\.tier) == ["free", "paid", "paid"])
        #expect(catalog.plans[0].products == .listed([]))
        #expect(
            catalog.plans[1].products
                == .listed([
                    "com.example.app.paid.monthly", "com.example.app.paid.yearly",
                    "google_play:paid", "stripe:prod_paid",
                ])
        )
        #expect(catalog.plans[2].unlimited == [.render])
        #expect(catalog.plans[2].limits.map(\.name) == ["storageBytes", "retentionDays"])
        #expect(catalog.plans[2].limits.map(\.value) == [.integer(107_374_182_400), .null])
        #expect(catalog.creditPacks == [.init(product: "com.example.app.credits.10", credits: 10)])
    }

    @Test func `defaults fill a plan, and free is always there first`() throws {
        let catalog = try catalog("plans: { gold: , b: { limits: { x: 1.5, y: yes, z: true } } }")
        #expect(catalog.plans.map(\.name) == ["free", "gold", "b"])
        #expect(catalog.plans[0] == .free)
        #expect(catalog.plans[1].rank == 1 && catalog.plans[1].tier == "paid")
        #expect(catalog.plans[1].unlimited.isEmpty && catalog.plans[1].limits.isEmpty)
        #expect(
            catalog.plans[2].limits.map(\.value) == [.double(1.5), .text("yes"), .boolean(true)]
        )
        #expect(try self.catalog("plans: {}").plans == [.free])
        let open = try self.catalog("plans: { free: { unlimited: [render] } }")
        #expect(open.plans.map(\.unlimited) == [[.render]])
        #expect(try self.catalog("freeCredits: 2").plans.map(\.name) == ["free", "default"])
    }

    @Test func `a product is an id, or one with the days for which it is bought`() throws {
        let catalog = try catalog(
            "plans: { a: { products: [x, { id: pass, days: 30 }, { id: z }], creditsPerPeriod: 5, "
                + "creditsInTrial: 2 } }"
        )
        let products: [CatalogSettings.Product] = [
            "x", .init(id: "pass", days: 30), "z",
        ]
        #expect(catalog.plans[1].products == .listed(products))
        #expect(catalog.plans.map(\.creditsPerPeriod) == [0, 5])
        #expect(catalog.plans.map(\.creditsInTrial) == [0, 2])
    }

    @Test func `products have stores before them, and features are words of one's own`() throws {
        let catalog = try catalog(
            """
            plans:
              paid:
                products: [app_store:a.b, google_play:paid, google_play:paid:monthly, stripe:k:1, c]
                unlimited: [render, export]
            creditPacks: { google_play:ten: 10 }
            creditsPayFor: [scan]
            """
        )
        let products: [CatalogSettings.Product] = [
            "app_store:a.b", "google_play:paid", "google_play:paid:monthly", "stripe:k:1", "c",
        ]
        #expect(catalog.plans[1].products == .listed(products))
        #expect(catalog.plans[1].unlimited.map(\.rawValue) == ["render", "export"])
        #expect(catalog.creditPacks == [.init(product: "google_play:ten", credits: 10)])
        #expect(catalog.creditsPayFor.map(\.rawValue) == ["scan"])
        #expect(CatalogSettings.none.creditsPayFor == [.render])
    }

    @Test(arguments: [
        ("freeCredit: 1", "freeCredit"),
        ("freeCredits: -1", "freeCredits"),
        ("freeCredits: some", "freeCredits"),
        ("trialOffered: 1", "trialOffered"),
        ("refundedCredits: ceiling", "refundedCredits"),
        ("freeCreditsOnce: never", "freeCreditsOnce"),
        ("plans: [a]", "plans"),
        ("plans: { a: { rang: 1 } }", "plans.a.rang"),
        ("plans: { a: { rank: high } }", "plans.a.rank"),
        ("plans: { a: { products: x } }", "plans.a.products"),
        ("plans: { a: { unlimited: [fly, fly] } }", "plans.a.unlimited[1]"),
        ("plans: { a: { unlimited: [''] } }", "plans.a.unlimited[0]"),
        ("creditsPayFor: render", "creditsPayFor"),
        ("creditsPayFor: [render, render]", "creditsPayFor[1]"),
        ("plans: { a: { products: ['amazon:x'] } }", "plans.a.products[0]"),
        ("plans: { a: { products: ['app_store:'] } }", "plans.a.products[0]"),
        ("plans: { a: { products: ['app_store:x:y'] } }", "plans.a.products[0]"),
        ("plans: { a: { products: ['google_play:x:'] } }", "plans.a.products[0]"),
        ("plans: { a: { products: ['google_play:x:y:z'] } }", "plans.a.products[0]"),
        ("plans: { a: { products: [{ id: 'stripe:' }] } }", "plans.a.products[0]"),
        ("creditPacks: { 'play:x': 1 }", "creditPacks.play:x"),
        ("plans: { a: { limits: { x: [1] } } }", "plans.a.limits.x"),
        ("plans: { a: { products: [{ days: 30 }] } }", "plans.a.products[0].id"),
        ("plans: { a: { products: [{ id: x, days: 0 }] } }", "plans.a.products[0].days"),
        ("plans: { a: { products: [{ id: x, day: 1 }] } }", "plans.a.products[0].day"),
        ("plans: { a: { products: [x, { id: x, days: 9 }] } }", "plans.a.products[1]"),
        ("plans: { a: { creditsPerPeriod: -1 } }", "plans.a.creditsPerPeriod"),
        ("plans: { a: { creditsInTrial: -1 } }", "plans.a.creditsInTrial"),
        ("plans: { free: { creditsInTrial: 1 } }", "plans.free.creditsInTrial"),
        ("plans: { free: { creditsPerPeriod: 1 } }", "plans.free.creditsPerPeriod"),
        ("plans: { free: { rank: 1 } }", "plans.free.rank"),
        ("plans: { free: { tier: paid } }", "plans.free.tier"),
        ("plans: { free: { products: [x] } }", "plans.free.products"),
        ("plans: { a: { products: [x] }, b: { products: [y, x] } }", "plans.b.products[1]"),
        ("plans: { a: { products: [x] } }\ncreditPacks: { x: 1 }", "creditPacks.x"),
        ("creditPacks: { x: 0 }", "creditPacks.x"),
        ("creditPacks: { x: 1000000001 }", "creditPacks.x"),
        ("plans: { a: { rank: 1, rank: 2 } }", "plans.a.rank"),
        ("[]", "The catalog"),
    ])
    func `a mistake is refused with one sentence that names the key`(
        yaml: String,
        key: String
    ) throws {
        let failure = try #require(throws: ConfigurationFailure.self) { try catalog(yaml) }
        #expect(failure.key == key)
        #expect(failure.sentence.hasPrefix(key))
    }
}
