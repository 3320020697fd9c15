import Foundation
import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

/// Every parameter of proto/openrpc.json can be given to some call of the library.
struct ParameterTests {
    /// Methods for which the library has no call, and why.
    private static let without: [String: String] = [
        "rpc.discover": "the document is for those who write clients"
    ]

    private let methods: [String: Set<String>]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "proto/openrpc.json")
        let document = try JSONValue.parse(Array(try Data(contentsOf: file)))
        var methods: [String: Set<String>] = [:]
        for method in document["methods"]?.array ?? [] {
            let parameters = try #require(method["params"]?.array)
            let names = parameters.compactMap { $0["name"]?.string }
            methods[try #require(method["name"]?.string)] = Set(names)
        }
        self.methods = methods
    }

    @Test func `every parameter of every method is sent, and no other`() async throws {
        // No call needs an answer; the pages of an export go on as long as there is a cursor.
        let daemon = try FakeDaemon { request, _ in
            request.method == "exportUser"
                ? .result(["userId": "alice", "account": nil, "cursor": "c"])
                : .error(Samples.error(-32_602, "invalid_params"))
        }
        let client = try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120),
            storeTimeout: .seconds(120)
        )
        for (method, parameters) in methods.sorted(by: { $0.key < $1.key }) {
            do throws(ClientError) {
                try await ask(method, client)
            } catch {
                #expect(!error.isOutcomeUnknown, "\(method): \(error)")
            }
            let asked = daemon.requests.filter { $0.method == method }
            #expect(asked.isEmpty == (Self.without[method] != nil), "\(method)")
            let sent = asked.flatMap { $0.params.object?.keys ?? [] }
            if !asked.isEmpty { #expect(Set(sent) == parameters, "\(method)") }
        }
        #expect(Set(Self.without.keys).isSubset(of: methods.keys))
    }

    /// Calls the library's function for `method` with every argument that it has.
    private func ask(_ method: String, _ client: EntitlementsClient) async throws(ClientError) {
        try await askQuestion(method, client)
        try await askAccount(method, client)
        try await askCredits(method, client)
        try await askStore(method, client)
        try await askSupport(method, client)
        try await askUpkeep(method, client)
    }

    private func askQuestion(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "canRender": _ = try await client.canRender("alice", cost: 2, minSeq: 1)
        case "can": _ = try await client.can("alice", use: "export", cost: 2, minSeq: 1)
        case "getStatus": _ = try await client.status(of: "alice", at: Date(), minSeq: 1)
        case "getEntitlement": _ = try await client.entitlement(of: "alice", minSeq: 1)
        case "getSubscriptions": _ = try await client.subscriptions(of: "alice", minSeq: 1)
        case "getCredits": _ = try await client.credits(of: "alice", minSeq: 1)
        case "getManagementURL":
            _ = try await client.managementURL(of: "alice", platform: .web, minSeq: 1)
        case "getHistory":
            _ = try await client.history(of: "alice", after: 1, limit: 5, minSeq: 1)
        case "explain": _ = try await client.explain("alice", at: Date(), minSeq: 1)
        case "watch": for try await _ in client.watch(["alice"], fromSeq: 1) { break }
        case "ping": try await client.ping()
        case "version": _ = try await client.version()
        default: break
        }
    }

    private func askAccount(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "registerAccount":
            _ = try await client.registerAccount(
                "alice",
                appAccountToken: "t",
                signedAppTransaction: "a.b.c"
            )
        case "verifyPurchase":
            var purchase = Purchase(signedTransaction: "a.b.c")
            purchase.purchaseToken = "t"
            purchase.checkoutSession = "cs"
            purchase.stripeSubscription = "sub"
            purchase.signedRenewalInfo = "a.b.c"
            purchase.productID = "p"
            purchase.transactionID = "1"
            purchase.originalTransactionID = "1"
            purchase.appAccountToken = "t"
            _ = try await client.verifyPurchase(purchase, for: "alice")
        case "restorePurchases":
            _ = try await client.restorePurchases(
                ["a.b.c"],
                purchaseTokens: ["t"],
                receiptData: "MII=",
                for: "alice",
                appAccountToken: "t"
            )
        case "verifyReceipt":
            _ = try await client.verifyReceipt(
                "MII=",
                for: "alice",
                productID: "p",
                appAccountToken: "t"
            )
        case "mergeAccounts":
            _ = try await client.mergeAccounts(from: "guest", into: "alice", idempotencyKey: "k")
        default: break
        }
    }

    private func askCredits(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "consumeCredit":
            _ = try await client.consumeCredit(of: "alice", amount: 2, idempotencyKey: "k")
        case "reserveCredits":
            _ = try await client.reserveCredits(
                2,
                of: "alice",
                for: 60,
                releaseOnDisconnect: true,
                idempotencyKey: "k"
            )
        case "commitReservation": _ = try await client.commitReservation("r", amount: 1)
        case "releaseReservation": _ = try await client.releaseReservation("r")
        case "reverseCredits":
            _ = try await client.reverseCredits(of: "k", for: "alice", idempotencyKey: "v")
        case "grantCredits": _ = try await client.grantCredits(Self.credits, to: "alice")
        case "adjustCredits": _ = try await client.adjustCredits(Self.credits, of: "alice")
        default: break
        }
    }

    private func askStore(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "reconcile": _ = try await client.reconcile("alice")
        case "signOffer":
            _ = try await client.signOffer(
                "o",
                of: "p",
                for: "alice",
                appAccountToken: "t",
                applicationUsername: "u",
                transactionID: "1",
                bundleID: "b",
                minSeq: 1
            )
        case "signIntroductoryOffer":
            _ = try await client.signIntroductoryOffer(
                of: "p",
                for: "alice",
                transactionID: "1",
                bundleID: "b",
                minSeq: 1
            )
        case "sendConsumption":
            let report = ConsumptionReport(
                customerConsented: true,
                deliveryStatus: "DELIVERED",
                sampleContentProvided: false,
                consumptionPercentage: 50_000,
                refundPreference: "DECLINE"
            )
            _ = try await client.sendConsumption(report, about: "1", bundleID: "b")
        case "extendRenewal":
            _ = try await client.extendRenewal(
                of: "1",
                byDays: 7,
                reasonCode: 3,
                requestIdentifier: "r",
                bundleID: "b"
            )
        case "testNotification":
            _ = try await client.testNotification(of: "app_store", timeoutSeconds: 5)
        default: break
        }
    }

    private func askSupport(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "grantEntitlement":
            var grant = GrantRequest(plan: "premium", idempotencyKey: "k")
            grant.expiresAt = Date()
            grant.startsAt = Date()
            grant.store = "app_store"
            grant.reason = "sorry"
            _ = try await client.grantEntitlement(grant, to: "alice")
        case "revokeGrant": _ = try await client.revokeGrant("g", of: "alice", reason: "over")
        case "movePurchase":
            _ = try await client.movePurchase("1", of: "stripe", to: "alice", reason: "asked")
        case "find": _ = try await client.find("1", minSeq: 1)
        case "eraseUser": _ = try await client.eraseUser("alice")
        case "exportUser": _ = try await client.exportUser("alice", minSeq: 1)
        case "stats": _ = try await client.stats(minSeq: 1)
        default: break
        }
    }

    private func askUpkeep(
        _ method: String,
        _ client: EntitlementsClient
    ) async throws(ClientError) {
        switch method {
        case "dump":
            _ = try await client.dump(
                table: "accounts",
                prefix: "a",
                cursor: "c",
                limit: 5,
                minSeq: 1
            )
        case "get": _ = try await client.value(of: "alice", in: "accounts", minSeq: 1)
        case "load":
            let row = try StoredRow(json: #"{"table":"accounts","key":"alice","value":{}}"#)
            _ = try await client.load([row])
        case "previewCatalog":
            _ = try await client.previewCatalog("plans: {}", cursor: "c", limit: 5)
        case "backup": _ = try await client.backup(to: "/backup", timeout: .seconds(60))
        case "setLogLevel": try await client.setLogLevel("debug")
        case "getOutboxes": _ = try await client.outboxes(minSeq: 1)
        case "retryOutbox":
            _ = try await client.retryOutbox("crm", id: "1", everything: true)
        case "skipOutbox": try await client.skipOutbox("crm", id: "1")
        case "testOutbox": _ = try await client.testOutbox("crm")
        default: break
        }
    }

    private static let credits: CreditGrant = {
        var credits = CreditGrant(amount: 5, idempotencyKey: "k")
        credits.expiresAt = Date(timeIntervalSince1970: 1.5)
        credits.source = "promotion"
        credits.reason = "sorry"
        return credits
    }()
}
