import AppStore
import Entitlements
import Forgery
import JSON
import Testing

@Suite struct `A receipt that an app server shows` {
    private static let now = ReceiptStage.now

    @Test func `its purchases become facts under the keys of all other sources`() throws {
        let receipt = try #require(try ReceiptStage().verdict(on: ReceiptStage.good).receipt)
        #expect(receipt.bundleID == ReceiptStage.bundleID)
        #expect(receipt.environment == .production)
        #expect(receipt.created == Moment(Self.now - ReceiptStage.hour))
        let fact = try #require(receipt.facts.first)
        #expect(receipt.facts.count == 1)
        #expect(fact.key.description == "app_store/Production/340001196262039")
        #expect(fact.renewal == nil && fact.status == nil && fact.renewalDisabled == nil)
        let transaction = try #require(fact.transaction)
        #expect(transaction.id == "340001237736590")
        #expect(transaction.productID == "com.example.monthly")
        #expect(transaction.purchased == Moment(Self.now - 10 * ReceiptStage.day))
        #expect(transaction.expires == Moment(Self.now + 20 * ReceiptStage.day))
        #expect(transaction.version.signed == receipt.created)
        #expect(transaction.kind == "Auto-Renewable Subscription")
        #expect(transaction.revoked == nil && transaction.token == nil)
        #expect(transaction.quantity == 1 && !transaction.isTrial && !transaction.isUpgraded)
    }

    @Test func `the answer as a result has value or reason`() throws {
        let stage = try ReceiptStage()
        let text = try stage.authority.receipt(ReceiptStage.good)
        let now = Moment(Self.now)
        #expect(try stage.receipts.receipt(text, at: now).get().facts.count == 1)
        #expect(throws: ReceiptFault.doubleBase64) {
            try stage.receipts.receipt(Base64.text(Array(text.utf8)), at: now).get()
        }
    }

    @Test func `line breaks and spaces in the base64 count for nothing`() throws {
        let stage = try ReceiptStage()
        let text = try stage.authority.receipt(ReceiptStage.good)
        var lines = " "
        for (place, letter) in text.enumerated() {
            lines.append(letter)
            if place % 64 == 63 { lines += place % 128 == 63 ? "\r\n" : "\n\t" }
        }
        let now = Moment(Self.now)
        let plain = try stage.receipts.receipt(text, at: now).get()
        #expect(try stage.receipts.receipt(lines + "\n", at: now).get().facts == plain.facts)
    }

    @Test func `each environment of the store has its own keys`() throws {
        let rows: [(String, StoreEnvironment?)] = [
            ("Production", .production), ("ProductionVPP", .production),
            ("ProductionSandbox", .sandbox), ("ProductionVPPSandbox", .sandbox), ("Sandbox", nil),
            ("production", nil), ("", nil), ("LocalTesting", nil), ("Xcode", nil),
        ]
        let stage = try ReceiptStage()
        for (name, environment) in rows {
            var content = ReceiptStage.good
            content.environment = name
            let verdict = try stage.verdict(on: content)
            #expect(verdict.receipt?.environment == environment, "\(name)")
            #expect(verdict.receipt?.facts.first?.key.environment == environment, "\(name)")
            let fault: ReceiptFault = name == "Xcode" ? .xcode : .environment
            #expect(verdict.fault == (environment == nil ? fault : nil), "\(name)")
        }
        let production = try ReceiptStage(environments: [.production])
        var sandbox = ReceiptStage.good
        sandbox.environment = "ProductionSandbox"
        #expect(try production.verdict(on: sandbox).fault == .environment)
    }

    @Test func `what was bought keeps its kind`() throws {
        let stage = try ReceiptStage()
        let rows: [(Int64, String)] = [
            (0, "Non-Consumable"), (1, "Consumable"), (2, "Non-Renewing Subscription"), (3, ""),
            (-1, ""), (4, ""),
        ]
        for (number, kind) in rows {
            var purchase = ReceiptStage.month
            purchase.kind = number
            // What ends renews by itself, whatever the number says.
            let ending = try stage.facts(purchase)?.first?.transaction
            #expect(ending?.kind == "Auto-Renewable Subscription", "\(number)")
            purchase.expires = nil
            let endless = try stage.facts(purchase)?.first?.transaction
            #expect(endless?.kind == kind, "\(number)")
            #expect(endless?.expires == nil && endless != nil, "\(number)")
        }
    }

    @Test func `trials, offers, quantities and refunds are told`() throws {
        let stage = try ReceiptStage()
        var trial = ReceiptStage.month
        trial.isTrial = true
        var introduction = ReceiptStage.month
        introduction.transactionID = "2"
        introduction.isIntroductory = true
        var promotion = ReceiptStage.month
        promotion.transactionID = "3"
        promotion.promotion = "spring"
        promotion.quantity = 7
        promotion.cancelled = Self.now - ReceiptStage.day
        let facts = try #require(try stage.facts(trial, introduction, promotion))
        let transactions = facts.compactMap(\.transaction)
        #expect(transactions.map(\.isTrial) == [true, false, false])
        #expect(transactions.map(\.offerType) == [1, 1, 2])
        #expect(transactions.map(\.offerDiscount) == ["FREE_TRIAL", nil, nil])
        #expect(transactions.map(\.quantity) == [1, 1, 7])
        #expect(transactions[2].revoked == Moment(Self.now - ReceiptStage.day))
        #expect(transactions[0].revoked == nil)
    }

    /// Apple sets the date of cancellation a few seconds behind the beginning of the new period.
    @Test func `a period that an upgrade replaced is not refunded`() throws {
        let stage = try ReceiptStage()
        let upgraded = Self.now - 5 * ReceiptStage.day
        var other = ReceiptStage.month
        other.transactionID = "2"
        other.purchased = upgraded
        func first(
            cancelledAfter milliseconds: Int64,
            _ change: (inout ReceiptContent.Purchase) -> Void = { _ in }
        ) throws -> TransactionFact? {
            var replaced = ReceiptStage.month
            replaced.cancelled = upgraded + milliseconds
            var other = other
            change(&other)
            return try stage.facts(replaced, other)?.first?.transaction
        }
        for late in [0, 2_000, 60_000] as [Int64] {
            let replaced = try #require(try first(cancelledAfter: late))
            #expect(replaced.isUpgraded && replaced.revoked == nil, "\(late)")
        }
        // Refunds: later, earlier, of another subscription, and where nothing begins meanwhile.
        for late in [-2_000, 61_000] as [Int64] {
            let refunded = try #require(try first(cancelledAfter: late))
            #expect(!refunded.isUpgraded && refunded.revoked == Moment(upgraded + late))
        }
        for change: (inout ReceiptContent.Purchase) -> Void in [
            { $0.originalID = "77" }, { $0.purchased = ReceiptStage.month.purchased },
            { $0.expires = nil },
        ] {
            let refunded = try #require(try first(cancelledAfter: 2_000, change))
            #expect(!refunded.isUpgraded && refunded.revoked == Moment(upgraded + 2_000))
        }
    }

    @Test func `all purchases are facts, in their order`() throws {
        let stage = try ReceiptStage()
        var content = ReceiptStage.good
        content.purchases = (0..<520)
            .map { week in
                var purchase = ReceiptStage.month
                purchase.transactionID = "\(1000 + week)"
                purchase.purchased = Self.now - Int64(520 - week) * 7 * ReceiptStage.day
                purchase.expires = purchase.purchased + 7 * ReceiptStage.day
                return purchase
            }
        let facts = try #require(try stage.verdict(on: content).receipt?.facts)
        #expect(facts.compactMap(\.transaction?.id) == (0..<520).map { "\(1000 + $0)" })
        #expect(Set(facts.map(\.key)).count == 1)
        content.purchases = []
        #expect(try stage.verdict(on: content).receipt?.facts.isEmpty == true)
    }

    /// A receipt in any order with others, and with itself, makes the same fold.
    @Test func `facts of receipts merge like a set`() throws {
        let stage = try ReceiptStage()
        var renewal = ReceiptStage.month
        renewal.transactionID = "340001237736600"
        renewal.purchased = Self.now + 20 * ReceiptStage.day
        renewal.expires = Self.now + 50 * ReceiptStage.day
        var refunded = ReceiptStage.month
        refunded.cancelled = Self.now - 2 * ReceiptStage.day
        var later = ReceiptStage.good
        later.created += 60_000
        later.purchases = [refunded, renewal]
        let old = try #require(try stage.verdict(on: ReceiptStage.good).receipt?.facts)
        let new = try #require(try stage.verdict(on: later).receipt?.facts)
        var folds: Set<Subscription> = []
        for order in [old + new, new + old, new + old + new, old + new + old, new.reversed() + old]
        {
            var fold = Subscription(key: order[0].key)
            for fact in order { _ = fold.merge(fact) }
            folds.insert(fold)
        }
        let fold = try #require(folds.first)
        #expect(folds.count == 1)
        #expect(fold.transactions.count == 2 && fold.everEntitled)
        #expect(fold.transactions[0].revoked == Moment(Self.now - 2 * ReceiptStage.day))
    }

    /// The keys and ids are those of a JWS, so the newer of the two documents speaks.
    @Test func `a receipt and a transaction of StoreKit 2 meet in one fold`() throws {
        let fact = try #require(try ReceiptStage().facts(ReceiptStage.month)?.first)
        let receipt = try #require(fact.transaction)
        var fold = Subscription(key: fact.key)
        let wasNew = fold.merge(fact)
        var newer = receipt
        newer.version = Version(
            signed: receipt.version.signed.advanced(byMilliseconds: 1),
            digest: receipt.version.digest
        )
        newer.revoked = Moment(Self.now)
        let isNewer = fold.merge(Fact(key: fact.key, transaction: newer))
        let isNewAgain = fold.merge(fact)
        #expect(wasNew && isNewer && !isNewAgain)
        #expect(fold.transactions == [newer])
    }

    @Test func `a receipt signed with SHA-1 under certificates that have expired is genuine`()
        throws
    {
        var authority = try ReceiptStage.shared.get()
        authority.hash = .sha1
        authority.leaf.hash = .sha1
        authority.middle.hash = .sha1
        authority.leaf.validUntil = ReceiptStage.now - 300 * ReceiptStage.day
        var content = ReceiptStage.good
        content.created = ReceiptStage.now - 301 * ReceiptStage.day
        let stage = try ReceiptStage()
        let genuine = stage.verdict(onText: try authority.receipt(content))
        #expect(genuine.receipt?.facts.count == 1)
    }

    /// The standard library's dates, to the second, with leap years and fractions.
    @Test func `dates are read exactly`() throws {
        let rows: [(String, Int64?)] = [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T23:59:59Z", 1_709_251_199_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("2026-02-01T00:00:00Z", Self.now),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("2026-02-01T00:00:00.5Z", Self.now + 500),
            ("2026-02-01T00:00:00.123999999Z", Self.now + 123), ("2023-02-29T00:00:00Z", nil),
            ("2100-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil),
            ("2026-00-01T00:00:00Z", nil), ("2026-04-31T00:00:00Z", nil),
            ("2026-02-00T00:00:00Z", nil), ("2026-02-01T24:00:00Z", nil),
            ("2026-02-01T00:60:00Z", nil), ("2026-02-01T00:00:60Z", nil),
            ("1969-12-31T23:59:59Z", nil), ("2026-02-01T00:00:00", nil),
            ("2026-02-01T00:00:00+00:00", nil), ("2026-02-01 00:00:00Z", nil),
            ("2026-02-01T00:00:00.Z", nil), ("2026-02-01T00:00:00.1234567890Z", nil),
            ("2026-02-01t00:00:00z", nil), ("+026-02-01T00:00:00Z", nil),
        ]
        let stage = try ReceiptStage()
        for (text, moment) in rows {
            var attributes = ReceiptStage.month.attributes.filter {
                ![1704, 1708].contains($0.type)
            }
            attributes.append(.init(1704, ReceiptDER.ascii(text)))
            var all = ReceiptStage.good.attributes.filter { $0.type != 17 }
            all.append(.init(17, ReceiptContent.Attribute.set(attributes)))
            let verdict = try stage.verdict(onContent: ReceiptContent.Attribute.set(all))
            let purchased = verdict.receipt?.facts.first?.transaction?.purchased
            #expect(purchased == moment.map { Moment($0) }, "\(text)")
        }
    }
}
