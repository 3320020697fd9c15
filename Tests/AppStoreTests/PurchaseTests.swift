import Entitlements
import Fixtures
import Foundation
import JSON
import Testing

@Suite struct `A purchase that an app server shows` {
    @Test func `a transaction becomes a fact`() throws {
        let trusting = try TrustingStore()
        let good = trusting.good
        let fact = try #require(trusting.purchase(try trusting.signed(good.transaction)).fact)
        #expect(fact.key.description == "app_store/Production/2000000000000001")
        #expect(fact.transaction?.id == "2000000000000002")
        #expect(fact.transaction?.token?.description == "5d1e4a52-0000-4000-8000-000000000009")
        #expect(fact.renewal == nil && fact.status == nil)
    }

    @Test func `what Xcode signed is named, what only says so for a trusted chain is not`() throws {
        let trusting = try TrustingStore()
        let stranger = try TrustingStore(roots: [trusting.set.roots[2]])
        var local = trusting.good.transaction
        for (environment, fault) in [("Production", DocumentFault.chain), ("Xcode", .xcode)] {
            local?["environment"] = .string(environment)
            let verdict = stranger.purchase(try trusting.signed(local))
            #expect(verdict.fault == fault, "\(environment)")
        }
        #expect(trusting.purchase(try trusting.signed(local)).fault == .environment)
    }

    @Test func `the renewal stands beside it`() throws {
        let trusting = try TrustingStore()
        let transaction = try trusting.signed(trusting.good.transaction)
        let renewal = try trusting.signed(trusting.good.renewal)
        let fact = try #require(trusting.purchase(transaction, renewal: renewal).fact)
        #expect(fact.renewal?.autoRenew == true)
        var other = trusting.good.renewal
        other?["originalTransactionId"] = "2000000000000099"
        let foreign = try trusting.signed(other)
        #expect(trusting.purchase(transaction, renewal: foreign).fault == .wrongDocument)
        #expect(trusting.purchase(transaction, renewal: transaction).fault == .wrongDocument)
        #expect(trusting.purchase(transaction, renewal: [0x7b]).fault == .unsigned)
        #expect(trusting.purchase(transaction, renewal: []).fault == .malformed)
    }

    @Test func `renewal information with a transaction's number is taken, a transaction is not`()
        throws
    {
        let trusting = try TrustingStore()
        var sent = trusting.good
        for id in ["2000000000000002", .null] as [JSONValue] {
            for member in ["autoRenewStatus", "autoRenewProductId"] {
                sent.renewal = trusting.good.renewal
                sent.renewal?["transactionId"] = id
                sent.renewal?[member] = nil
                let heard = try trusting.notification(sent).notification
                #expect(heard?.facts.first?.renewal != nil)
                let shown = try trusting.purchase(
                    trusting.signed(sent.transaction),
                    renewal: trusting.signed(sent.renewal)
                )
                #expect(shown.fact?.renewal != nil)
            }
        }
        sent.renewal = sent.transaction
        #expect(try trusting.notification(sent).fault == .wrongDocument)
        // Nor does such a document pass for a transaction.
        var renewal = trusting.good.renewal
        renewal?["transactionId"] = "2000000000000002"
        renewal?["bundleId"] = .string(HostileNotification.bundleID)
        #expect(trusting.purchase(try trusting.signed(renewal)).fault == .wrongDocument)
    }

    @Test func `another document is not a purchase`() throws {
        let trusting = try TrustingStore()
        let good = trusting.good
        let notification = Array(try trusting.set.sign(good).utf8)
        #expect(trusting.purchase(notification).fault == .wrongDocument)
        #expect(trusting.purchase(try trusting.signed(good.renewal)).fault == .wrongDocument)
        var app: JSONObject = ["bundleId": .string(HostileNotification.bundleID)]
        app["receiptType"] = "Production"
        for date in ["signedDate", "receiptCreationDate"] {
            var dated = app
            dated[date] = .integer(trusting.set.signed)
            #expect(trusting.purchase(try trusting.signed(dated)).fault == .wrongDocument)
        }
        #expect(trusting.purchase(try trusting.signed(app)).fault == .malformed)
    }

    @Test func `JSON without a signature is told apart`() throws {
        let trusting = try TrustingStore()
        let plain = JSONValue.object(trusting.good.transaction ?? [:]).bytes
        for before in ["", " ", "\n\t"] {
            #expect(trusting.purchase(Array(before.utf8) + plain).fault == .unsigned)
        }
        // As an app sends Transaction.jsonRepresentation: Swift encodes Data in base64.
        let data = Data(plain)
        let wrapped = data.base64EncodedString(options: [.lineLength64Characters])
        let url = data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        for text in [data.base64EncodedString(), wrapped, url, url.replacing("=", with: "")] {
            #expect(trusting.purchase(Array(text.utf8)).fault == .unsigned, "\(text)")
            let renewal = try trusting.signed(trusting.good.transaction)
            #expect(trusting.purchase(renewal, renewal: Array(text.utf8)).fault == .unsigned)
        }
        let pretty = Data("{\n  \"bundleId\" : \"a\"\n}".utf8).base64EncodedString()
        #expect(trusting.purchase(Array(pretty.utf8)).fault == .unsigned)
        let nearly = ["eyJ!", "eyJ0.e30", "ewo.", "ey\u{1}", "[\"eyJ0\"]", "bnVsbA=="]
        for text in nearly + ["", "a", "a.b", "a.b.c.d", "[]", "null", "MIIT"] {
            #expect(trusting.purchase(Array(text.utf8)).fault == .malformed, "\(text)")
        }
    }

    @Test func `each refusal has its reason`() throws {
        let trusting = try TrustingStore()
        let now = trusting.set.now
        let rows: [(String, JSONValue?, DocumentFault?)] = [
            ("bundleId", "com.example.other", .bundle), ("bundleId", nil, .bundle),
            ("environment", "Sandbox", .environment), ("environment", "Xcode", .environment),
            ("environment", "LocalTesting", .environment), ("environment", nil, .environment),
            ("signedDate", .integer(now + 300_000), nil),
            ("signedDate", .integer(now + 300_001), .futureDate),
            ("purchaseDate", nil, .wrongDocument), ("productId", nil, .wrongDocument),
            ("originalTransactionId", nil, .wrongDocument), ("transactionId", "", .wrongDocument),
            ("transactionId", nil, .wrongDocument), ("notificationType", "TEST", .wrongDocument),
            ("quantity", 0, .wrongDocument), ("quantity", "1", .wrongDocument),
            ("quantity", .null, nil), ("price", .null, nil), ("price", -1, nil),
        ]
        for (member, value, fault) in rows {
            var transaction = trusting.good.transaction
            transaction?[member] = value
            let verdict = trusting.purchase(try trusting.signed(transaction))
            #expect(verdict.fault == fault, "\(member) = \(String(describing: value))")
            #expect((verdict.fact == nil) == (fault != nil))
        }
    }

    @Test func `a price that is none is dropped, and nothing else`() throws {
        let trusting = try TrustingStore()
        for (price, kept) in [
            (9990, 9990), (0, 0), (-1, nil), ("9990", nil), (.null, nil), (nil, nil),
        ] as [(JSONValue?, Int64?)] {
            var transaction = trusting.good.transaction
            transaction?["price"] = price
            transaction?["quantity"] = .null
            let fact = trusting.purchase(try trusting.signed(transaction)).fact
            #expect(fact?.transaction?.terms.price == kept)
            #expect(fact?.transaction?.quantity == 1)
            #expect(fact?.transaction?.terms.currency == "USD")
        }
    }

    @Test func `the sandbox counts where it is configured`() throws {
        let trusting = try TrustingStore(environments: [.sandbox])
        let sandbox = try trusting.signed(trusting.good.inSandbox.transaction)
        #expect(trusting.purchase(sandbox).fact?.key.environment == .sandbox)
        let production = try trusting.signed(trusting.good.transaction)
        #expect(trusting.purchase(production).fault == .environment)
    }

    @Test func `a flipped signature or another chain is no purchase`() throws {
        let trusting = try TrustingStore()
        var document = try trusting.signed(trusting.good.transaction)
        let last = document.count - 10
        document[last] = document[last] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(trusting.purchase(document).fault == .signature)
        let now = trusting.set.now
        let stranger = try HostileChain(from: now - 86_400_000, until: now + 86_400_000)
        let payload = JSONValue.object(trusting.good.transaction ?? [:]).bytes
        let foreign = Array(try stranger.sign(payload).utf8)
        #expect(trusting.purchase(foreign).fault == .chain)
    }
}
