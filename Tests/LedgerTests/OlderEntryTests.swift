import Chance
import Entitlements
import Journal
import Testing

@testable import Ledger

/// Entries and rows of the release before transactions kept their terms, and what terms cost.
struct OlderEntryTests {
    /// Writes what that release wrote for the events of a notification.
    private func olderBody(of notification: Notification) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.notificationID(notification.id)
            writer.text(notification.type)
            writer.text(notification.subtype)
            writer.digest(notification.document)
            writer.integer(UInt16(notification.facts.count + 1))
            writer.integer(UInt8(9))
            writer.notificationID(notification.id)
            for fact in notification.facts {
                writer.integer(UInt8(4))
                writer.key(fact.key)
                writer.optional(fact.transaction) { $0.transaction($1) }
                writer.optional(fact.renewal) { $0.renewal($1) }
                writer.optional(fact.status) { $0.status($1) }
                writer.optional(fact.renewalDisabled) { $0.moment($1) }
            }
        }
    }

    private func events(of notification: Notification) -> [Event] {
        [.noticed(notification.id)] + notification.facts.map { .merged($0) }
    }

    /// A renewal as Apple writes them.
    private func renewal() -> Notification {
        let signed = Moment(1_771_149_600_000)
        let version = Version(signed: signed, digest: Digest256(1, 2, 3, 4))
        var transaction = TransactionFact(
            id: "2000000843213457",
            version: version,
            productID: "com.example.premium.monthly",
            purchased: signed
        )
        transaction.expires = Moment(1_773_568_800_000)
        transaction.kind = "Auto-Renewable Subscription"
        transaction.ownership = "PURCHASED"
        transaction.reason = "RENEWAL"
        transaction.token = Token("c0ffee00-1234-4bcd-8abc-0123456789ab")
        transaction.terms.price = 9_990
        transaction.terms.currency = "USD"
        transaction.terms.storefront = "USA"
        transaction.terms.group = "21465342"
        transaction.origin = TransactionOrigin(
            app: "com.example.premium-photos",
            appTransactionID: "704289572311513293"
        )
        var renewal = RenewalFact(version: version)
        renewal.autoRenew = true
        renewal.nextProductID = transaction.productID
        renewal.renewalDate = transaction.expires
        let key = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: "2000000831360853"
        )
        let status = StatusFact(version: version, code: 1)
        return Notification(
            id: NotificationID(signed: signed, digest: Digest256(5, 6, 7, 8)),
            type: "DID_RENEW",
            subtype: "",
            document: Digest256(9, 10, 11, 12),
            facts: [Fact(key: key, transaction: transaction, renewal: renewal, status: status)]
        )
    }

    private func bare(_ fact: Fact) -> Fact {
        var fact = fact
        fact.transaction?.terms = TransactionTerms()
        fact.transaction?.origin = nil
        fact.renewal?.terms = RenewalTerms()
        return fact
    }

    private func entry(_ kind: EntryKind, _ version: UInt8, _ body: [UInt8]) -> JournalEntry {
        JournalEntry(
            seq: 1,
            moment: 1,
            kind: kind.rawValue,
            version: version,
            links: [],
            body: body
        )
    }

    @Test func `an entry of the release before is read, whoever asked for it`() throws {
        let notification = renewal()
        let body = olderBody(of: notification)
        let read = try EntryBody.content(of: entry(.notification, 1, body))
        let facts = notification.facts.map(bare)
        #expect(read.events == [.noticed(notification.id)] + facts.map { .merged($0) })
        #expect(read.author == nil)
        #expect(read.order.type == "DID_RENEW")
        #expect(read.now == Moment(1))
        let moment = ByteWriter.bytes { $0.moment(Moment(-7)) }
        let judged = try EntryBody.content(of: entry(.notification, 2, moment + body))
        #expect(judged.now == Moment(-7))
        #expect(judged.events == read.events)
        // With records behind the events.
        let none = ByteWriter.bytes { $0.integer(UInt16(0)) }
        #expect(try EntryBody.content(of: entry(.notification, 3, body + none)).events.count == 2)
        let both = entry(.notification, 4, moment + body + none)
        #expect(try EntryBody.content(of: both).now == Moment(-7))
    }

    @Test func `random facts of the release before read back without their terms`() throws {
        var maker = RecordMaker(random: .told())
        for _ in 0..<200 {
            let facts = maker.list(0..<3) { $0.fact() }
            let notification = Notification(
                id: maker.notificationID(),
                type: maker.text(),
                subtype: maker.text(),
                document: maker.digest(),
                facts: facts
            )
            let body = olderBody(of: notification)
            let read = try EntryBody.content(of: entry(.notification, 1, body))
            #expect(read.events.dropFirst() == facts.map { .merged(bare($0)) }[...])
            for count in 0..<body.count {
                #expect(throws: Malformed.self) {
                    try EntryBody.content(of: entry(.notification, 1, Array(body[..<count])))
                }
            }
        }
    }

    /// What is kept of a notification takes at most 80 bytes more than once, and is read back.
    @discardableResult
    private func expectFewBytesMore(_ notification: Notification) throws -> EntryBody {
        let command = Command(seq: 1, at: Moment(1), kind: .record(notification))
        let body = EntryBody(command, events(of: notification))
        let more = body.bytes.count - olderBody(of: notification).count
        #expect(more > 0, "it keeps something")
        #expect(more <= 80, "\(more) bytes more")
        let read = try EntryBody.content(of: entry(.notification, body.version, body.bytes))
        #expect(read.events == events(of: notification))
        return body
    }

    @Test func `what is kept of a renewal takes at most 80 bytes more`() throws {
        let notification = renewal()
        try expectFewBytesMore(notification)
    }

    @Test func `a notification that is noticed under its own entry is named once`() throws {
        let notification = renewal()
        let command = Command(seq: 1, at: Moment(1), kind: .record(notification))
        let announcement = StoreAnnouncement(.googlePlay, .purchaseToken("token"))
        let own: [Event] = [.noticed(notification.id), .announced(notification.id, announcement)]
        let other = NotificationID(signed: Moment(3), digest: Digest256(3, 3, 3, 3))
        let others: [Event] = [.noticed(other), .announced(other, announcement)]
        var sizes: [Int] = []
        for events in [own, others, own + others] {
            let body = EntryBody(command, events)
            let read = try EntryBody.content(of: entry(.notification, body.version, body.bytes))
            #expect(read.events == events)
            sizes.append(body.bytes.count)
        }
        #expect(sizes[1] - sizes[0] == 2 * 40)
        // An entry that is of no notification names none by itself.
        for code in [UInt8(45), 46] {
            let bytes = ByteWriter.bytes { writer in
                writer.author(nil)
                writer.integer(UInt16(1))
                writer.integer(code)
                writer.announcement(announcement)
            }
            #expect(throws: Malformed.self) {
                try EntryBody.content(of: entry(.learn, 5, bytes))
            }
        }
    }

    @Test func `of a renewal in a store of whole states it is at most 80 bytes, too`() throws {
        var notification = renewal()
        var fact = notification.facts[0]
        // What a renewal at Google or Stripe says beside: the store's own word on the state.
        fact.status?.word = "SUBSCRIPTION_STATE_ACTIVE"
        fact.transaction?.origin = nil
        notification = Notification(
            id: notification.id,
            type: notification.type,
            subtype: notification.subtype,
            document: notification.document,
            facts: [fact]
        )
        let body = try expectFewBytesMore(notification)
        for count in 0..<body.bytes.count {
            let cut = entry(.notification, body.version, Array(body.bytes[..<count]))
            #expect(throws: Malformed.self) { try EntryBody.content(of: cut) }
        }
    }

    @Test func `a message that waits costs four bytes beside the name of what it is about`() throws
    {
        let told = renewal()
        let notification = Notification(
            id: told.id,
            type: told.type,
            subtype: told.subtype,
            document: told.document,
            facts: []
        )
        let command = Command(seq: 1, at: Moment(1), kind: .record(notification))
        let noticed = EntryBody(command, [.noticed(told.id)])
        for name in ["", "sub_1MowQVLkdIwHu7ixeRlqHVzs", String(repeating: "t", count: 400)] {
            let events: [Event] = [
                .announced(told.id, StoreAnnouncement(.googlePlay, .purchaseToken(name)))
            ]
            let body = EntryBody(command, events)
            #expect(body.bytes.count - noticed.bytes.count == 4 + name.utf8.count)
            let read = try EntryBody.content(of: entry(.notification, body.version, body.bytes))
            #expect(read.events == events)
        }
    }

    /// Writes what that release wrote for a row of `subscriptions`.
    private func olderRow(of subscription: Subscription) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.integer(UInt8(1))
            writer.flag(subscription.everEntitled)
            writer.integer(subscription.lastSeq)
            writer.integer(subscription.since)
            writer.list(subscription.transactions) { $0.transaction($1) }
            writer.optional(subscription.renewal) { $0.renewal($1) }
            writer.optional(subscription.status) { $0.status($1) }
            writer.optional(subscription.renewalDisabled) { $0.moment($1) }
            writer.optional(subscription.bearer) { writer, bearer in
                writer.moment(bearer.purchased)
                writer.version(bearer.version)
                writer.text(bearer.transactionID)
                writer.token(bearer.token)
            }
            writer.optional(subscription.link) { $0.user($1) }
            writer.optional(subscription.owner) { $0.user($1) }
            writer.list(subscription.tokens) { $0.token($1) }
            writer.list(subscription.sharers) { $0.user($1) }
        }
    }

    @Test func `a row of the release before is read, without the terms that it did not keep`()
        throws
    {
        var maker = RecordMaker(random: .told())
        for _ in 0..<200 {
            let kept = maker.subscription()
            let key = kept.key
            let facts = kept.transactions.map { bare(Fact(key: key, transaction: $0)) }
            let older = Subscription(
                key: key,
                transactions: facts.compactMap(\.transaction),
                renewal: kept.renewal.flatMap { bare(Fact(key: key, renewal: $0)).renewal },
                status: kept.status,
                renewalDisabled: kept.renewalDisabled,
                everEntitled: kept.everEntitled,
                bearer: kept.bearer,
                tokens: kept.tokens,
                link: kept.link,
                owner: kept.owner
            )
            let bytes = olderRow(of: kept)
            #expect(try SubscriptionRow.record(of: key, bytes) == older)
        }
    }

    @Test func `terms like those of the transaction before cost a row two bytes`() {
        let facts = (0..<3)
            .compactMap { number in
                var transaction = renewal().facts[0].transaction
                transaction?.id += "\(number)"
                transaction?.origin = nil
                return transaction
            }
        func bytes(_ count: Int) -> Int {
            let subscription = Subscription(
                key: renewal().facts[0].key,
                transactions: Array(facts.prefix(count)),
                renewal: nil,
                status: nil,
                renewalDisabled: nil,
                everEntitled: true,
                bearer: nil,
                tokens: [],
                link: nil,
                owner: nil,
                claims: []
            )
            return ByteWriter.bytes { SubscriptionRow.write(subscription, to: &$0) }.count
        }
        let transaction = ByteWriter.bytes { $0.transaction(facts[0]) }.count
        // 8 for its earliest signature, 9 for the latest one of a version that was not revoked.
        #expect(bytes(2) - bytes(1) == transaction + 17 + 2)
        #expect(bytes(3) - bytes(2) == transaction + 17 + 2)
    }
}
